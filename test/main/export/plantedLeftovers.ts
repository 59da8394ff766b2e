// Leftovers of exports that a stranger has planted, or tampered with, each another for its seed; and an export into their folder, which must
// touch nothing but its own files.
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { cp, link, lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { OutputSet } from '../../../main/export/output/outputSet'
import { markOf, Staging } from '../../../main/export/output/staging'

type Random = () => number
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!
const hex = (random: Random, digits: number): string =>
  Array.from({ length: digits }, () => Math.floor(16 * random()).toString(16)).join('')
const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

/** What a folder holds, links and pipes as they are: by path, what must not change. */
export async function snapshotOf(folder: string, below = ''): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const name of (await readdir(join(folder, below))).sort()) {
    const path = join(below, name)
    const full = join(folder, path)
    const info = await lstat(full, { bigint: true })
    const what = info.isSymbolicLink()
      ? `link to ${await readlink(full)}`
      : info.isFile()
        ? sha256(await readFile(full))
        : info.isDirectory()
          ? 'folder'
          : 'other'
    // A folder's own time changes with its names, which are compared themselves.
    found.set(path, `${what} ${info.mode} ${info.ino} ${info.isDirectory() ? '' : info.mtimeNs}`)
    if (info.isDirectory()) for (const [inner, is] of await snapshotOf(folder, path)) found.set(inner, is)
  }
  return found
}

const texts = {
  slide: 'the slide that is analysed',
  notes: 'what somebody has written beside it',
  journal: '{"diary": "of somebody else"}',
  objects: 'id,area\n1,22\n',
} as const

/** Files of the user's that no export has made: outside the folder, and in it. */
async function usersFiles(base: string, out: string): Promise<void> {
  const outside = join(base, 'outside')
  await mkdir(join(outside, 'deeper'), { recursive: true })
  await mkdir(out, { recursive: true })
  for (const folder of [outside, join(outside, 'deeper')])
    for (const [name, text] of [
      ['slide.svs', texts.slide],
      ['journal.json', texts.journal],
      ['journal.back', texts.journal],
      ['journal.part', texts.journal],
      ['objects.csv.new', texts.notes],
      ['objects.csv.old', texts.notes],
      ['objects.csv', texts.objects],
    ] as const)
      await writeFile(join(folder, name), text)
  await writeFile(join(out, 'slide.svs'), texts.slide)
  await writeFile(join(out, 'notes.txt'), texts.notes)
}

const hostilePaths = [
  '..',
  '.',
  '../outside/slide.svs',
  '../outside/objects.csv',
  '/etc/hostname',
  'a/../../outside/slide.svs',
  'x\0y',
  '',
]
const ownHost = sha256(hostname()).slice(0, 8)

function plantedName(random: Random): string {
  const host = random() < 0.85 ? ownHost : hex(random, 8)
  // Nobody's, this one's, the first of all, and none that fits.
  const pid = pick(random, ['4194300', String(process.pid), '1', '99999999'])
  const signature = random() < 0.5 ? '' : `-${hex(random, 32)}`
  return `.morphoscope-${pick(random, ['export', 'images'])}-${host}-${pid}-${Math.floor(1e6 * random())}-${hex(random, 12)}${signature}`
}

async function journalOf(random: Random, out: string): Promise<string> {
  const named: readonly [string, string][] = [
    ['slide.svs', texts.slide],
    ['notes.txt', texts.notes],
    ['objects.csv', texts.objects],
    ...hostilePaths.map((path): [string, string] => [path, texts.slide]),
  ]
  const files = []
  for (let n = 1 + Math.floor(3 * random()); n > 0; n--) {
    const [name, text] = pick(random, named)
    const was = random() < 0.5 ? null : await markOf(join(out, name.replaceAll('\0', ''))).catch(() => null)
    files.push({ name, sha256: random() < 0.8 ? sha256(text) : hex(random, 64), bytes: text.length, was })
  }
  const signature = random() < 0.5 ? {} : { signature: hex(random, 32) }
  const whole = JSON.stringify({ format: 'morphoscope-export-journal', version: pick(random, [1, 2]), files, ...signature })
  return random() < 0.9 ? whole : whole.slice(0, Math.floor(whole.length * random()))
}

/** One name in a planted folder: a file, a link to a file or folder elsewhere, a pipe, a folder. */
async function plantEntry(random: Random, base: string, path: string, text: string): Promise<void> {
  const elsewhere = join(base, 'outside', pick(random, ['slide.svs', 'journal.json', 'objects.csv', 'deeper', 'none']))
  const how = random()
  if (how < 0.6) await writeFile(path, text)
  else if (how < 0.8) await symlink(elsewhere, path)
  else if (how < 0.9) await link(join(base, 'outside', 'objects.csv'), path)
  else if (how < 0.95) await mkdir(path)
  else if (process.platform !== 'win32') execFileSync('mkfifo', [path])
}

const entryNames = [
  'journal.json',
  'journal.back',
  'journal.part',
  'objects.csv.new',
  'objects.csv.old',
  'slide.svs.new',
  'slide.svs.old',
  'notes.txt.old',
  '...old',
  '...new',
  'else.txt',
]

/** A folder, a file or a link of a leftover's name. */
async function plant(random: Random, base: string, out: string): Promise<void> {
  const path = join(out, plantedName(random))
  const how = random()
  if (how < 0.2) return symlink(join(base, 'outside', pick(random, ['', 'deeper', 'slide.svs', 'none'])), path)
  if (how < 0.25) return writeFile(path, texts.notes)
  if (how < 0.3) return writeFile(join(out, `.objects.csv.${hex(random, 12)}.part`), texts.notes)
  await mkdir(path)
  for (const name of entryNames)
    if (random() < 0.35)
      await plantEntry(random, base, join(path, name), name.startsWith('journal') ? await journalOf(random, out) : texts.notes)
}

/** A leftover of this program's own, as a kill leaves it: before its journal, with it, or half placed. */
export async function ownLeftover(random: Random, out: string): Promise<string> {
  const staging = await Staging.make(out, 'export')
  const files = []
  for (const [name, text] of [
    ['objects.csv', 'id\n9\n'],
    ['run.json', '{}'],
  ] as const) {
    await writeFile(staging.fileFor(name), text)
    files.push({ name, sha256: sha256(text), bytes: text.length, was: await markOf(join(out, name)) })
  }
  if (random() < 0.8) {
    await staging.writeJournal(files)
    if (random() < 0.5) await staging.place(files[0]!)
    if (random() < 0.3) await rename(join(staging.path, 'journal.json'), join(staging.path, 'journal.back'))
  }
  staging.leave()
  return staging.path
}

/** What somebody who may write in the folder does to it. */
async function tamper(random: Random, base: string, out: string, path: string): Promise<void> {
  const journal = join(path, 'journal.json')
  switch (Math.floor(6 * random())) {
    case 0: {
      const name = pick(random, entryNames)
      await rm(join(path, name), { force: true, recursive: true })
      return plantEntry(random, base, join(path, name), await journalOf(random, out))
    }
    case 1: {
      const text = await readFile(journal, 'utf8').catch(() => null)
      return text === null
        ? undefined
        : writeFile(journal, text.replace(/objects\.csv/g, pick(random, ['slide.svs', '..', 'notes.txt'])))
    }
    case 2: {
      // The same in another's place.
      await rename(path, join(base, 'outside', 'taken'))
      return symlink(join(base, 'outside', 'taken'), path)
    }
    case 3: {
      await unlink(join(path, 'objects.csv.new')).catch(() => undefined)
      return symlink(join(base, 'outside', 'slide.svs'), join(path, 'objects.csv.new'))
    }
    case 4:
      return rename(path, join(out, plantedName(random)))
    default:
      return undefined
  }
}

export interface Trial {
  /** Paths that changed and are none of the export's. */
  readonly touched: readonly string[]
  /** null: the export was made. */
  readonly refused: string | null
  readonly ms: number
  readonly planted: number
}

/** In `base`, which is empty and this one's. */
export async function trialOf(base: string, random: Random): Promise<Trial> {
  const out = join(base, 'out')
  await usersFiles(base, out)
  if (random() < 0.5) await writeFile(join(out, 'objects.csv'), texts.objects)
  const own = random() < 0.4 ? await ownLeftover(random, out) : null
  if (own !== null) await tamper(random, base, out, own)
  const planted = own === null ? 1 + Math.floor(4 * random()) : Math.floor(2 * random())
  for (let n = planted; n > 0; n--) await plant(random, base, out)
  if (random() < 0.1 && own !== null)
    await cp(out, join(base, 'out-2'), { recursive: true, verbatimSymlinks: true }).catch(() => undefined)

  const before = await snapshotOf(base)
  const from = performance.now()
  let refused: string | null = null
  try {
    const set = await OutputSet.in(out)
    for (const name of ['objects.csv', 'run.json']) await (await set.create(name)).append(`new ${name}`)
    await set.commit()
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code !== 'OUTPUT_FAILED' && code !== 'OUTPUT_EXISTS') throw error
    refused = message
  }
  const ms = performance.now() - from
  const after = await snapshotOf(base)
  const ownName = own?.slice(base.length + 1)
  const isExports = (path: string): boolean =>
    path === join('out', 'objects.csv') ||
    path === join('out', 'run.json') ||
    // Its own leftover is its own, under the name that it takes to put it right.
    (ownName !== undefined &&
      (path === ownName || path.startsWith(`${ownName}/`) || (!before.has(path) && path.startsWith('out/.morphoscope-export-'))))
  const touched = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path) && !isExports(path),
  )
  if (refused === null) {
    const written = await readFile(join(out, 'objects.csv'), 'utf8')
    if (written !== 'new objects.csv') touched.push(`objects.csv holds ${written}`)
  }
  return { touched, refused, ms, planted: planted + (own === null ? 0 : 1) }
}
