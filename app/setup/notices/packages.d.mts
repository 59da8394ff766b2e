// The types of packages.mjs, for its test.
export function packageFolder(path: string): string | null
export function foldersOf(modules: string[]): string[]
export function packedFolders(root: string): string[]
