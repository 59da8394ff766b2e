// The types of deb.mjs, for its test.
export function dependencies(levels?: readonly string[]): string[]
export function control(about: { version: string; arch: string; cuda?: boolean; cli?: boolean; kilobytes: number }): string
