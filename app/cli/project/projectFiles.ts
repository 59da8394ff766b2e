// `morphoscope project objects`, and the files of a project's runs for other commands: a folder each.
import { join, resolve } from 'node:path'
import { namelessRun } from '../../../main/engine'
import type { Engine } from '../../../main/engine'
import { usualExportFiles, wholeRunOf } from '../../contract'
import type { DocumentSlide, ExportFile, ExportResult, LaserRequest, Origin, RunStatus, SpatialMeasures } from '../../contract'
import { CliError, ExitCode, valueOf } from '../exitCodes'
import { inOrder, stemsOf } from './projectNames'
import { opened, slideOf, stateOf } from './projectSlides'
import { laserOf } from '../run/laser'
import type { LaserOptions } from '../run/laser'
import { parseFiles } from '../run/run'
import { withSpatialFiles } from '../spatialOption'
import type { Shown } from '../terminal'

export interface FilesWanted {
  readonly out: string
  readonly files: readonly ExportFile[]
  readonly overwrite: boolean
  /** The tables once more for each region. */
  readonly byRegion: boolean
  /** Pseudonyms in place of the slides' names: in the files, as the folders' names, and in what is shown. */
  readonly deidentify: boolean
  /** Where objects' coordinates begin. */
  readonly origin: Origin
  /** Its marks are those of one slide. */
  readonly laser?: LaserRequest | null
}

/** As the command line says them. */
export interface FileOptions extends LaserOptions {
  readonly out: string
  readonly files?: string
  readonly overwrite?: boolean
  readonly byRegion?: boolean
  /** Columns of the tables beside what is measured of the objects. */
  readonly spatial?: SpatialMeasures
  readonly deidentify?: boolean
  /** Where coordinates begin. */
  readonly origin?: Origin
}

/** Of all that this command writes. A command's settings are its own. */
export async function askSpatial(engine: Engine, spatial: SpatialMeasures | undefined): Promise<void> {
  if (spatial) valueOf(await engine.call('settings:set', { spatial }))
}

/** `project objects FOLDER --out DIR`: a folder of files for each run that it holds, with what was done to its objects. */
export async function exportObjects(engine: Engine, shown: Shown, folder: string, options: FileOptions): Promise<ExitCode> {
  const { out, files, overwrite = false, byRegion = false, deidentify = false, origin = 'slide', spatial } = options
  const asked = withSpatialFiles(files === undefined ? usualExportFiles : parseFiles(files), spatial)
  const laser = laserOf(options, asked)
  await askSpatial(engine, spatial)
  const wanted = { out, files: asked, overwrite, byRegion, deidentify, origin, laser }
  const { slides, runs } = await opened(engine, folder, shown)
  const many = new Set(runs.map(({ slide }) => slide)).size
  if (laser && many > 1)
    throw new CliError(
      ExitCode.usage,
      `the marks are those of one slide, and the project has results of ${many}: write its shapes from a project of that slide alone`,
    )
  return exportRuns(
    engine,
    shown,
    folder,
    slides,
    ({ key }) => runs.some(({ slide }) => slide === key),
    wanted,
    (stem, _, { name, keptId }) => `${stem}-${deidentify ? namelessRun(name) : name}-${keptId?.slice(1, 7)}`,
  )
}

/** Of each slide the newest run of all of it, in a folder of the slide's name. `keys`: of these alone. */
export async function exportNewest(
  engine: Engine,
  shown: Shown,
  folder: string,
  wanted: FilesWanted,
  keys: readonly string[] | null = null,
): Promise<ExitCode> {
  const { slides, runs } = await stateOf(engine, null)
  const newest = (key: string): string | undefined => wholeRunOf(runs, key)?.id
  return exportRuns(
    engine,
    shown,
    folder,
    slides,
    ({ key }) => newest(key) !== undefined && (keys?.includes(key) ?? true),
    wanted,
    (stem, { key }, { keptId }) => (keptId === newest(key) ? stem : null),
  )
}

/** `nameOf`: its folder, of what the slide's files are called; null: it is not wanted. */
async function exportRuns(
  engine: Engine,
  { terminal }: Shown,
  folder: string,
  all: readonly DocumentSlide[],
  isWanted: (slide: DocumentSlide) => boolean,
  { out, files, overwrite, byRegion, deidentify, origin, laser }: FilesWanted,
  nameOf: (stem: string, slide: DocumentSlide, run: RunStatus) => string | null,
): Promise<ExitCode> {
  // Of names every slide's is asked for, as two of one name differ; pseudonyms differ by themselves, and each costs a reading.
  const stems = await stemsOf(engine, folder, deidentify ? all.filter(isWanted) : all, deidentify)
  let code: ExitCode = ExitCode.ok
  for (const slide of inOrder(all.filter(isWanted), stems, deidentify)) {
    const stem = stems.get(slide.key)!
    const called = deidentify ? stem : slide.name
    const slideId = await slideOf(engine, terminal, folder, { ...slide, name: called })
    if (slideId === null) {
      code = ExitCode.partial
      continue
    }
    for (const run of valueOf(await engine.call('project:restore', { slideId })) as RunStatus[]) {
      const name = nameOf(stem, slide, run)
      if (name === null) continue
      if (run.state !== 'done') {
        terminal.note(
          `${deidentify ? namelessRun(run.name) : run.name} of ${called} is left out: ${run.error?.message ?? run.state}`,
        )
        code = ExitCode.partial
        continue
      }
      const request = {
        runId: run.runId,
        directory: join(resolve(out), name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')),
        files: [...files],
        deidentify,
        origin,
        ...(overwrite ? { overwrite } : {}),
        ...(byRegion ? { byRegion } : {}),
        ...(laser ? { laser } : {}),
      }
      const { directory, warnings } = valueOf(await engine.call('export:start', request)) as ExportResult
      for (const warning of warnings) terminal.note(warning)
      terminal.print(directory)
    }
    await engine.call('slide:close', { slideId })
  }
  return code
}
