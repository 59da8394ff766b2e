// Which file stands for a slide that is a folder.
import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** The first DICOM file, by name, of a folder that has one; else the path itself, of which the reader says what is wrong. */
export async function slideFileIn(path: string): Promise<string> {
  // What is no folder cannot be listed.
  const names = await readdir(path).catch((): string[] => [])
  const first = names.filter((name) => extname(name).toLowerCase() === '.dcm').sort()[0]
  return first === undefined ? path : join(path, first)
}
