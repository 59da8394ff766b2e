// The types of smallFiles.mjs, for its test.
export function smallFilesFolder(memory?: string): string
