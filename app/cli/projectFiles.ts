// `morphoscope project objects`, and the files of a project's runs for other commands: a folder each.
import { join, resolve } from 'node:path'
import type { Engine } from '../../main/engine'
import { usualExportFiles, wholeRunOf } from '../contract'
import type { DocumentSlide, DocumentState, ExportFile, ExportResult, RunStatus } from '../contract'
import { ExitCode, valueOf } from './exitCodes'
import { opened, slideOf, stateOf } from './projectSlides'
import { parseFiles } from './run'
import type { Terminal } from './terminal'

/** By key, what files of a slide are called: its name without its ending, and without what would lead elsewhere. Two of one name differ. */
export function fileStems(slides: readonly Pick<DocumentSlide, 'key' | 'name'>[]): Map<string, string> {
  const stems = new Map<string, string>()
  const taken = new Set<string>()
  for (const { key, name } of slides) {
    const plain = name
      .replace(/\.[^.]+$/, '')
      .replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, '-')
      .replace(/^\.+/, '')
    // Systems that know no case take both for one.
    const stem = plain === '' || taken.has(plain.toLowerCase()) ? `${plain}-${key.slice(0, 8)}` : plain
    taken.add(stem.toLowerCase())
    stems.set(key, stem)
  }
  return stems
}

export interface FilesWanted {
  readonly out: string
  readonly files: readonly ExportFile[]
  readonly overwrite: boolean
  /** The tables once more for each region. */
  readonly byRegion: boolean
}

/** `project objects FOLDER --out DIR`: a folder of files for each run that it holds, with what was done to its objects. */
export async function exportObjects(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  { out, files, overwrite = false, byRegion = false }: { out: string; files?: string; overwrite?: boolean; byRegion?: boolean },
): Promise<ExitCode> {
  const wanted = { out, files: files === undefined ? usualExportFiles : parseFiles(files), overwrite, byRegion }
  const { slides, runs } = await opened(engine, folder)
  const stems = fileStems(slides)
  return exportRuns(
    engine,
    terminal,
    folder,
    slides.filter(({ key }) => runs.some(({ slide }) => slide === key)),
    wanted,
    ({ key }, { name, keptId }) => `${stems.get(key)!}-${name}-${keptId?.slice(1, 7)}`,
  )
}

/** Of each slide the newest run of all of it, in a folder of the slide's name. `keys`: of these alone. */
export async function exportNewest(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  wanted: FilesWanted,
  keys: readonly string[] | null = null,
): Promise<ExitCode> {
  const { slides, runs }: DocumentState = await stateOf(engine, null)
  const stems = fileStems(slides)
  const newest = (key: string): string | undefined => wholeRunOf(runs, key)?.id
  return exportRuns(
    engine,
    terminal,
    folder,
    slides.filter(({ key }) => newest(key) !== undefined && (keys?.includes(key) ?? true)),
    wanted,
    ({ key }, { keptId }) => (keptId === newest(key) ? stems.get(key)! : null),
  )
}

/** `nameOf`: its folder; null: it is not wanted. */
async function exportRuns(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  slides: readonly DocumentSlide[],
  { out, files, overwrite, byRegion }: FilesWanted,
  nameOf: (slide: DocumentSlide, run: RunStatus) => string | null,
): Promise<ExitCode> {
  let code: ExitCode = ExitCode.ok
  for (const slide of slides) {
    const slideId = await slideOf(engine, terminal, folder, slide)
    if (slideId === null) {
      code = ExitCode.partial
      continue
    }
    for (const run of valueOf(await engine.call('project:restore', { slideId })) as RunStatus[]) {
      const name = nameOf(slide, run)
      if (name === null) continue
      if (run.state !== 'done') {
        terminal.note(`${run.name} of ${slide.name} is left out: ${run.error?.message ?? run.state}`)
        code = ExitCode.partial
        continue
      }
      const request = {
        runId: run.runId,
        directory: join(resolve(out), name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')),
        files: [...files],
        ...(overwrite ? { overwrite } : {}),
        ...(byRegion ? { byRegion } : {}),
      }
      const { directory, warnings } = valueOf(await engine.call('export:start', request)) as ExportResult
      for (const warning of warnings) terminal.note(warning)
      terminal.print(directory)
    }
    await engine.call('slide:close', { slideId })
  }
  return code
}
