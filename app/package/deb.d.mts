// The types of deb.mjs, for its test.
export function dependencies(): string[]
export function control(about: { version: string; arch: string; cuda: boolean; kilobytes: number }): string
