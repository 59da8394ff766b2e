// The types of pack.mjs, for the end-to-end tests.
export const wantedFuses: Readonly<Record<string, boolean>>
export function wrongFuses(binary: string): Promise<string[]>
export function pack(args: readonly string[], output?: string): Promise<string>
