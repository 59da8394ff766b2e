// The types of native.mjs, for its test.
export interface Part {
  name: string
  version: string
  license: string | null
  purl: string
  texts: string[]
}
export function partsOfLibvips(root: string, folder: string): Part[]
export function partsOfLibsql(root: string, folder: string): Part[]
export function partsOfAddon(root: string, binary: string): Part[]
export function cratesOf(binary: Buffer): { name: string; version: string }[]
export function neededLibraries(bytes: Buffer): string[] | null
