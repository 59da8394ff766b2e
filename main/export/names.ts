// What an export calls its slide, and what of its messages may stand in a file: no folder ever, and no name where that is asked.
import { createHash } from 'node:crypto'
import { basename, dirname, extname, isAbsolute } from 'node:path'
import { plainText } from '../base/plainText'

/** The same bytes have the same pseudonym, whatever they are called: `seed` is their checksum, or random where there is none. */
export function pseudonymOf(seed: string): string {
  return `slide-${createHash('sha256').update(`morphoscope-pseudonym\0${seed}`).digest('hex').slice(0, 16)}`
}

/** What a file of the slide is to be called, without an ending. `hidden`: the pseudonym that its exports have, in place of its name. */
export async function fileNameOf(
  name: string,
  hidden: { readonly seed: string; sha256(signal: AbortSignal): Promise<{ readonly sha256: string | null }> } | null,
  signal: AbortSignal,
): Promise<string> {
  if (!hidden) return basename(name, extname(name))
  return pseudonymOf((await hidden.sha256(signal)).sha256 ?? hidden.seed)
}

/** Every folder above a file, the deepest first, as it stands before a name. */
function foldersAbove(path: string): string[] {
  const folders: string[] = []
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder)) folders.push(folder)
  return folders
}

// A name may hold spaces: what is not one of the slide's own folders is taken for one up to its last separator before a space.
const otherFolders = /(^|[\s"'(:=“‘])(?:[A-Za-z]:)?[\\/](?:[^\s\\/"'<>|]+[\\/])+/g

/** A folder that is named itself, and is not the beginning of another name. */
const wholly = (folder: string): RegExp =>
  new RegExp(`${folder.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}_-])`, 'gu')

function withoutFolder(text: string, folder: string, itself = wholly(folder)): string {
  let rest = text
  for (const end of ['/', '\\']) rest = replaced(rest, folder + end, '')
  return rest.replace(itself, 'its folder')
}

/** Takes folders out of a text: the slide's own and all above it first, then whatever else begins at a root. */
function withoutFolders(text: string, path: string): string {
  return foldersAbove(path)
    .reduce((rest, folder) => withoutFolder(rest, folder), text)
    .replace(otherFolders, '$1')
}

/** As a text may hold it: bare, and as JSON writes it. */
function replaced(text: string, name: string, by: string): string {
  const escaped = JSON.stringify(name).slice(1, -1)
  const once = text.replaceAll(name, by).replaceAll(plainText(name), by)
  return escaped === name ? once : once.replaceAll(escaped, by)
}

export class Names {
  /** What the files call the slide. */
  readonly shown: string
  /** What a folder is named by. */
  readonly plain: string
  readonly #path: string
  readonly #name: string
  readonly #hidden: boolean

  /** `pseudonym`: in place of the slide's name. */
  constructor(slide: { path: string; name: string }, pseudonym: string | null) {
    this.#path = slide.path
    this.#name = slide.name
    this.#hidden = pseudonym !== null
    this.shown = pseudonym ?? plainText(slide.name)
    this.plain = pseudonym ?? slide.name
  }

  /** A message as a file may hold it. */
  clean(text: string): string {
    const bare = plainText(withoutFolders(this.#path ? text.replaceAll(this.#path, this.shown) : text, this.#path))
    return this.#hidden ? withoutName(bare, this.#name, this.shown) : bare
  }
}

/** Companions of a slide lie in a folder of its name, or begin with it. */
function withoutName(text: string, name: string, by: string): string {
  const rest = replaced(text, name, by)
  const stem = basename(name, extname(name))
  return stem.length > 2 ? replaced(rest, stem, by) : rest
}

/** The longest first: one that begins another would leave the other's end behind. */
const longestFirst = (texts: Iterable<string>): string[] => [...new Set(texts)].sort((a, b) => b.length - a.length)

/**
 * For what a command line shows: neither the slides' names nor their folders, as typed or in full. What is looked for is made ready once:
 * a project's thousand slides lie in few folders, and a log has many lines.
 */
export function nameHider(...paths: readonly string[]): (text: string) => string {
  const files = longestFirst(paths)
  const folders = longestFirst(files.filter((path) => isAbsolute(path)).flatMap(foldersAbove)).map((folder) => ({
    folder,
    itself: wholly(folder),
  }))
  const names = longestFirst(files.map((path) => basename(path)))
  return (text) => {
    let rest = text
    for (const path of files) rest = replaced(rest, path, 'the slide')
    for (const { folder, itself } of folders) rest = withoutFolder(rest, folder, itself)
    for (const name of names) rest = withoutName(rest, name, 'the slide')
    return rest
  }
}

/** A part of a file's name that every system takes; `otherwise` where nothing is left of it. */
export function namePart(text: string, otherwise = 'slide'): string {
  const safe = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
  return [...safe].slice(0, 40).join('') || otherwise
}

/** SLIDE_RECIPE_DATE, in the order in which folders are sorted by name. */
export function folderName(slide: string, recipe: string, at: Date): string {
  const date = at
    .toISOString()
    .replace(/[-:]|\.\d+Z$/g, '')
    .replace('T', '-')
  return [namePart(basename(slide, extname(slide))), namePart(recipe), date].join('_')
}
