// The types of asFile.mjs, the script for pages that are opened as files.
export function besides(up: string, address: string): string
export function scriptFor(page: string): string
