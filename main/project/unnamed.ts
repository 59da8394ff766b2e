// Documents without a name: which there are below the settings, what is in each, and the deletion of one.
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { UnnamedId } from '../../app/contract'
import type { DocumentSlide, UnnamedProject } from '../../app/contract'
import { EngineError } from '../base/errors'
import type { Content } from './document'
import { fileName } from './disk/look'
import { lockOf } from './lock'
import { listedSlides } from './slides/standing'
import { ProjectStore, projectSuffix } from './store'
import { standingRuns } from './wholes/wholes'

/** More than anybody looks through; older ones stay where they are. */
const mostListed = 100

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
    const about = open ? aboutContent(current) : aboutFolder(folder, at)
    if (about.slides?.length === 0 && about.regions === 0 && about.results === 0) continue
    listed.push({ id, changedAt: new Date(at).toISOString(), ...about, open })
  }
  return listed
}

function aboutContent({ content, slides }: OpenDocument): About {
  return aboutOf(listedSlides(content, slides), content.regions.size, standingRuns(content.runs).length)
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

function aboutFolder(folder: string, at: number): About {
  const before = known.get(folder)
  if (before?.at === at) return before.about
  try {
    const { content, slides } = ProjectStore.peek(folder)
    const about = aboutOf(listedSlides(content, slides), content.regions.size, standingRuns(content.runs).length)
    known.set(folder, { at, about })
    return about
  } catch {
    // It is open elsewhere, or what is wrong with it is told when it is opened.
    return unknown
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
