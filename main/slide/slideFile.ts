// Which file stands for a slide that is a folder, and which folder for a slide whose file was named.
import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { zarrFolder } from './zarrFiles'

/**
 * An OME-Zarr is its folder, also where a metadata file in it was named. Of a folder with DICOM files it is the first, by name; else the path
 * itself, of which the reader says what is wrong.
 */
export async function slideFileIn(path: string): Promise<string> {
  const zarr = await zarrFolder(path)
  if (zarr !== null) return zarr
  // What is no folder cannot be listed.
  const names = await readdir(path).catch((): string[] => [])
  const first = names.filter((name) => extname(name).toLowerCase() === '.dcm').sort()[0]
  return first === undefined ? path : join(path, first)
}
