// Documents without a name: which there are below the settings, what is in each, and the deletion of one.
import { lstat, readdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { DocumentSlide, UnnamedId } from '../../app/contract'
import type { UnnamedProject } from '../../app/contract'
import { EngineError } from '../base/errors'
import type { Content } from './document'
import { lockOf, openDatabase, tryTo } from './lock'
import { listedSlides } from './standing'
import { projectSuffix } from './store'

/** More than anybody looks through; older ones stay where they are. */
const mostListed = 100
const fileName = 'project.sqlite'

type About = Pick<UnnamedProject, 'slides' | 'regions' | 'results' | 'slide'>
const unknown: About = { slides: null, regions: null, results: null }

export interface UnnamedFolder {
  readonly folder: string
  /** ms since 1970: its last change. */
  readonly at: number
}

/** Each folder of documents, the newest first. A log that is empty tells of no change: whoever reads makes one. */
export async function unnamedFolders(directory: string): Promise<UnnamedFolder[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(projectSuffix) && !name.startsWith('.'))
  const found = await Promise.all(
    names.map(async (name) => {
      const file = join(directory, name, fileName)
      const [main, log] = await Promise.all([file, `${file}-wal`].map((each) => lstat(each).catch(() => null)))
      return { folder: join(directory, name), at: Math.max(main?.mtimeMs ?? 0, log && log.size > 0 ? log.mtimeMs : 0) }
    }),
  )
  return found.sort((a, b) => b.at - a.at)
}

const idOf = (folder: string): string => folder.slice(folder.search(/[^/\\]*$/), -projectSuffix.length)

/** The document that is open. */
export interface OpenDocument {
  /** Where those without a name lie; null: they are not kept. */
  readonly directory: string | null
  readonly folder: string | null
  readonly content: Content
  readonly slides: ReadonlyMap<string, DocumentSlide>
}

/** What each held when it was last looked into. */
const known = new Map<string, { at: number; about: About }>()

/** Those that hold something, the newest first. */
export async function unnamedProjects(current: OpenDocument): Promise<UnnamedProject[]> {
  const { directory } = current
  if (directory === null) return []
  const folders = await unnamedFolders(directory).catch(() => [])
  const listed: UnnamedProject[] = []
  for (const { folder, at } of folders.slice(0, mostListed)) {
    const id = idOf(folder)
    if (at === 0 || !UnnamedId.safeParse(id).success) continue
    const open = folder === current.folder
    const about = open ? aboutContent(current) : await aboutFolder(folder, at)
    if (about.slides?.length === 0 && about.regions === 0 && about.results === 0) continue
    listed.push({ id, changedAt: new Date(at).toISOString(), ...about, open })
  }
  return listed
}

function aboutContent({ content, slides }: OpenDocument): About {
  return aboutOf(listedSlides(content, slides), content.regions.size, content.runs.size)
}

function aboutOf(slides: readonly DocumentSlide[], regions: number, results: number): About {
  const byName = [...slides].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
  return {
    slides: byName.map(({ name, path }) => ({ name, path })),
    regions,
    results,
    ...(byName[0] && { slide: byName[0].key }),
  }
}

async function aboutFolder(folder: string, at: number): Promise<About> {
  const before = known.get(folder)
  if (before?.at === at) return before.about
  try {
    const about = readAbout(folder)
    // Whoever reads a log to its end may write it into the file: that is no change of the document's.
    const time = new Date(at)
    await utimes(join(folder, fileName), time, time)
    known.set(folder, { at: time.getTime(), about })
    return about
  } catch {
    // It is open elsewhere, or what is wrong with it is told when it is opened.
    return unknown
  }
}

type Row = Record<string, unknown>

/** Throws where another process has it, and where it is damaged. */
function readAbout(folder: string): About {
  const lock = lockOf(folder)
  try {
    const db = openDatabase(join(folder, fileName))
    try {
      const rows = (sql: string): Row[] => db.prepare(sql).all() as Row[]
      const used = new Map<string, number>()
      const count = (table: string): number => {
        let sum = 0
        for (const { slide, n } of rows(`SELECT slide, count(*) AS n FROM ${table} GROUP BY slide`)) {
          used.set(String(slide), Number(n))
          sum += Number(n)
        }
        return sum
      }
      const [regions, results] = [count('regions'), count('runs')]
      const slides = rows('SELECT body FROM slides').map(({ body }) => DocumentSlide.parse(JSON.parse(String(body))))
      return aboutOf(
        slides.filter(({ key, removed }) => !removed || used.has(key)),
        regions,
        results,
      )
    } finally {
      tryTo(() => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
      tryTo(() => db.close())
    }
  } finally {
    lock.close()
  }
}

/** Where one lies. Throws NOT_FOUND. */
export async function unnamedFolder({ directory }: OpenDocument, id: string): Promise<string> {
  const folder = directory === null ? null : join(directory, `${id}${projectSuffix}`)
  const found = folder === null ? null : await lstat(folder).catch(() => null)
  if (folder === null || !found?.isDirectory()) throw new EngineError('NOT_FOUND', 'That project is not there any more.')
  return folder
}

/** With all that is in it. Throws NOT_FOUND, and INVALID_PARAMETER where it is open. */
export async function deleteUnnamed(current: OpenDocument, id: string): Promise<void> {
  const folder = await unnamedFolder(current, id)
  if (folder === current.folder)
    throw new EngineError('INVALID_PARAMETER', 'That project is open. Begin a new one or open another, and delete it then.')
  lockOf(folder).close()
  await rm(folder, { recursive: true, force: true })
  known.delete(folder)
}
