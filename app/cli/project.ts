// `morphoscope project`: a project's folder without a window: what it holds, its regions in and out as GeoJSON, and a table by slide and region.
import { access, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Engine } from '../../main/engine'
import { usualExportFiles } from '../contract'
import type {
  DocumentSlide,
  DocumentState,
  ExportResult,
  ImportedRegions,
  RegionMeasure,
  RegionOfInterest,
  RunStatus,
} from '../contract'
import { asCliError, CliError, ExitCode, valueOf } from './exitCodes'
import { openSlide } from './info'
import { finished, parseFiles, recipeOf } from './run'
import { table } from './terminal'
import type { Terminal } from './terminal'

const state = async (engine: Engine, slideId: string | null): Promise<DocumentState> =>
  valueOf(await engine.call('project:state', { slideId })) as DocumentState

async function opened(engine: Engine, folder: string): Promise<DocumentState> {
  valueOf(await engine.call('project:open', { path: resolve(folder) }))
  return state(engine, null)
}

/** `project open`: what it holds. */
export async function showProject(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  { json }: { json?: boolean },
): Promise<void> {
  const { path, name, slides, runs, classes, undo, recovered } = await opened(engine, folder)
  if (json)
    return terminal.print(JSON.stringify({ path, name, slides, runs, classes, lastStep: undo?.name ?? null, recovered }, null, 2))
  terminal.print(
    table([
      ['project', name ?? ''],
      ['last step', undo?.name ?? 'none'],
      ['classes', classes.map((each) => each.name).join(', ')],
      ...slides.map((slide): [string, string] => [
        slide.name,
        `${slide.regions} regions, ${slide.widthPx} × ${slide.heightPx} px, ${slide.path}`,
      ]),
      ...runs.map((run): [string, string] => [
        run.name,
        `${run.objects} objects found by ${run.recipeName} on ${slides.find(({ key }) => key === run.slide)?.name ?? ''}`,
      ]),
    ]),
  )
  if (recovered) terminal.note('The process that had it last ended without closing it; all that it had acknowledged is there.')
}

/** `project import FOLDER --slide SLIDE FILE…`: a project that is not there is made. */
export async function importRegions(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  files: readonly string[],
  { slide }: { slide: string },
): Promise<void> {
  const path = resolve(folder)
  const there = await access(path).then(
    () => true,
    () => false,
  )
  valueOf(await engine.call(there ? 'project:open' : 'project:save', { path }))
  const { slideId } = await openSlide(engine, slide)
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new CliError(ExitCode.noInput, `${file} cannot be read (${error.code ?? error.message}).`)
    })
    const { added, leftOut } = valueOf(await engine.call('project:import', { slideId, text })) as ImportedRegions
    terminal.print(`${basename(file)}: ${added} ${added === 1 ? 'region' : 'regions'}`)
    for (const why of leftOut) terminal.note(`left out: ${why}`)
  }
}

/** `project export FOLDER --out DIR`: a NAME-regions.geojson for each slide that has regions. */
export async function exportRegions(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  { out, overwrite }: { out: string; overwrite?: boolean },
): Promise<void> {
  const { slides } = await opened(engine, folder)
  const taken = new Set<string>()
  for (const { key, name, regions } of slides) {
    if (regions === 0) continue
    const stem = `${name.replace(/\.[^.]+$/, '')}-regions`
    // Two slides of one name lie in different folders.
    const file = taken.has(stem) ? `${stem}-${key.slice(0, 8)}` : stem
    taken.add(file)
    const path = join(resolve(out), `${file}.geojson`)
    const text = valueOf(await engine.call('project:export', { key, ids: null })) as string
    await writeFile(path, text, { flag: overwrite ? 'w' : 'wx' }).catch((error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EEXIST'
          ? 'is there already: --overwrite replaces it'
          : `cannot be written (${error.code ?? error.message})`
      throw new CliError(ExitCode.cannotCreate, `${path} ${why}.`)
    })
    terminal.print(path)
  }
}

/** `project objects FOLDER --out DIR`: a folder of files for each run that it holds, with what was done to its objects. */
export async function exportObjects(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  { out, files, overwrite }: { out: string; files?: string; overwrite?: boolean },
): Promise<ExitCode> {
  const { slides, runs } = await opened(engine, folder)
  let code: ExitCode = ExitCode.ok
  for (const slide of slides) {
    if (!runs.some((run) => run.slide === slide.key)) continue
    const slideId = await slideOf(engine, terminal, folder, slide)
    if (slideId === null) {
      code = ExitCode.partial
      continue
    }
    for (const { runId, name, state, error, keptId } of valueOf(
      await engine.call('project:restore', { slideId }),
    ) as RunStatus[]) {
      if (state !== 'done') {
        terminal.note(`${name} of ${slide.name} is left out: ${error?.message ?? state}`)
        code = ExitCode.partial
        continue
      }
      const stem = `${slide.name.replace(/\.[^.]+$/, '')}-${name}-${keptId?.slice(1, 7)}`.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
      const request = {
        runId,
        directory: join(resolve(out), stem),
        files: files === undefined ? [...usualExportFiles] : parseFiles(files),
        ...(overwrite ? { overwrite } : {}),
      }
      const { directory, warnings } = valueOf(await engine.call('export:start', request)) as ExportResult
      for (const warning of warnings) terminal.note(warning)
      terminal.print(directory)
    }
    await engine.call('slide:close', { slideId })
  }
  return code
}

interface Row {
  readonly slide: string
  readonly region: RegionOfInterest
  readonly className: string
  readonly measure: RegionMeasure
}

/** `project summary FOLDER [--recipe R]`: a row a region; with a recipe, what it finds inside. Returns partial where a slide could not be run. */
export async function summary(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  { recipe: wanted, threads, json }: { recipe?: string; threads?: number; json?: boolean },
  signal: AbortSignal,
): Promise<ExitCode> {
  const { slides, classes } = await opened(engine, folder)
  const recipe = wanted === undefined ? null : await recipeOf(engine, await engine.invoke('recipe:list', undefined), wanted)
  const rows: Row[] = []
  let code: ExitCode = ExitCode.ok
  for (const slide of slides) {
    if (slide.regions === 0) continue
    const slideId = await slideOf(engine, terminal, folder, slide)
    if (slideId === null) {
      code = ExitCode.partial
      continue
    }
    const { regions } = await state(engine, slideId)
    const runIds: string[] = []
    for (const { shape } of recipe ? regions : []) {
      const arg = { slideId, region: 'whole', within: [shape], recipe, purpose: 'run', ...(threads ? { threads } : {}) }
      const status: RunStatus = await finished(engine, terminal, { call: 'run:start', arg }, signal)
      if (status.state === 'failed') throw asCliError(status.error)
      if (status.state === 'cancelled') throw new CliError(ExitCode.interrupted, 'Cancelled.')
      if (status.unreadableTiles > 0) code = ExitCode.partial
      runIds.push(status.runId)
    }
    const measures = valueOf(await engine.call('project:measure', { runIds, key: slide.key })) as RegionMeasure[]
    regions.forEach((region, i) => {
      const className = classes.find(({ id }) => id === region.classId)?.name ?? ''
      rows.push({ slide: slide.name, region, className, measure: measures[i]! })
    })
  }
  if (json) {
    const shown = rows.map(({ slide, region, className, measure: { runId: _, ...measure } }) => ({
      slide,
      name: region.name,
      class: className,
      ...measure,
    }))
    terminal.print(JSON.stringify(shown, null, 2))
  } else terminal.print(table([['slide', 'region', 'class', 'area', 'objects', 'per mm²', 'share'], ...rows.map(cells)]))
  return code
}

function cells({ slide, region, className, measure }: Row): string[] {
  const { areaPx, areaMm2, objects, classes } = measure
  const [first] = classes ?? []
  return [
    slide,
    region.name || region.id.slice(0, 8),
    className,
    areaMm2 === null ? `${areaPx.toFixed(0)} px²` : `${areaMm2.toFixed(4)} mm²`,
    objects === null ? '' : String(objects),
    objects === null || !areaMm2 ? '' : (objects / areaMm2).toFixed(0),
    first && objects ? `${((100 * first.objects) / objects).toFixed(1)} % ${first.id}` : '',
  ]
}

/** The slide where it was, or beside the project: by what it holds, whatever it is called. null, with a note, where it is neither. */
async function slideOf(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  { key, path, name }: DocumentSlide,
): Promise<string | null> {
  for (const place of new Set([path, join(dirname(resolve(folder)), basename(path))])) {
    const found = await engine.call('slide:open', { path: place })
    if (!found.ok) continue
    const { slideId } = found.value as { slideId: string }
    if ((await state(engine, slideId)).slide === key) return slideId
    await engine.call('slide:close', { slideId })
  }
  terminal.note(`${name} is neither at ${path} nor beside the project: it is left out.`)
  return null
}
