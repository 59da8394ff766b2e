// The files of a slide that is an OME-Zarr folder: which one says what it is, and which stand for all.
import { lstat, opendir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { openStrange } from '../base/regularFile'

/** What a folder's metadata is called, in the order in which the reader looks for it (native/slide/zarr/open_zarr.cpp). */
const ofGroup = ['zarr.json', '.zattrs', '.zgroup']
const ofArray = ['zarr.json', '.zarray']
const maxMetadataBytes = 16 * 1024 * 1024
/** Of a folder's names: one with more is left out as a whole, so that what stands for it does not depend on their order. */
const maxNames = 65536
/** A slide may have a million chunks. Those of its coarsest levels change with any of its pixels. */
const maxFiles = 512
const maxDepth = 8

/** The file that says what a Zarr's folder is; null where `folder` is none. */
async function metadataOf(folder: string): Promise<string | null> {
  for (const name of ofGroup) {
    const found = await lstat(join(folder, name)).catch(() => null)
    if (found?.isFile()) return join(folder, name)
  }
  return null
}

async function textOf(path: string): Promise<string> {
  const file = await openStrange(path)
  try {
    return (await file.stat()).size > maxMetadataBytes ? '' : await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** The folder that a Zarr's metadata file lies in, or the folder itself; null where `path` is neither. */
export async function zarrFolder(path: string): Promise<string | null> {
  const folder = ofGroup.includes(basename(path)) || basename(path) === '.zarray' ? dirname(path) : path
  const isFolder = await stat(folder).then(
    (info) => info.isDirectory(),
    () => false,
  )
  return isFolder && (await metadataOf(folder)) !== null ? folder : null
}

/** Whether a folder is an image that opens as a slide, and not a plate, a table or an image's level. */
export async function isZarrImage(folder: string): Promise<boolean> {
  const metadata = await metadataOf(folder)
  const text = metadata === null ? '' : await textOf(metadata).catch(() => '')
  return text.includes('"multiscales"') || text.includes('"bioformats2raw.layout"')
}

/** Names below a folder, without links, by number where they are numbers; none where they are too many. */
async function namesIn(folder: string): Promise<{ files: string[]; folders: string[] }> {
  const [files, folders]: [string[], string[]] = [[], []]
  for await (const entry of await opendir(folder)) {
    if (entry.isFile()) files.push(entry.name)
    else if (entry.isDirectory()) folders.push(entry.name)
    if (files.length + folders.length > maxNames) return { files: [], folders: [] }
  }
  const inOrder = new Intl.Collator('en', { numeric: true }).compare
  return { files: files.sort(inOrder), folders: folders.sort(inOrder) }
}

async function addBelow(folder: string, depth: number, to: Set<string>): Promise<void> {
  const { files, folders } = await namesIn(folder)
  for (const name of files) if (to.size < maxFiles) to.add(join(folder, name))
  for (const name of folders) if (to.size < maxFiles && depth < maxDepth) await addBelow(join(folder, name), depth + 1, to)
}

/**
 * The metadata of a folder's image and of its levels, and chunks from the coarsest level on; at most 512 files. The first says what the
 * folder is. Null where it is no Zarr.
 */
export async function zarrFiles(folder: string): Promise<string[] | null> {
  const first = await metadataOf(folder)
  if (first === null) return null
  const files = new Set([first])
  const add = async (path: string): Promise<void> => {
    if ((await lstat(path).catch(() => null))?.isFile()) files.add(path)
  }
  for (const name of ofGroup) await add(join(folder, name))
  // As the reader has it: bioformats2raw puts the first image into a folder of its own.
  const image = (await textOf(first).catch(() => '')).includes('"multiscales"') ? folder : join(folder, '0')
  for (const name of ofGroup) await add(join(image, name))
  const levels = await namesIn(image).catch(() => ({ folders: [] as string[] }))
  const coarsestFirst = levels.folders.filter((name) => name !== 'labels').reverse()
  for (const level of coarsestFirst) for (const name of ofArray) await add(join(image, level, name))
  for (const level of coarsestFirst) await addBelow(join(image, level), 0, files).catch(() => undefined)
  return [...files].slice(0, maxFiles)
}
