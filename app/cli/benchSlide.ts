// `morphoscope bench --slide FILE`: the whole path of a run on a slide, part by part and together, beside its floors, and which part binds.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { slideBench } from '../../main/engine'
import type { BenchPart, Engine } from '../../main/engine'
import { isLaser, noun, stageAndPart, variantWords, writableExportFiles } from '../contract'
import type { ExportResult, RecipeSpec, RunStatus } from '../contract'
import { ExitCode, valueOf } from './exitCodes'
import { installation, withEngine } from './installation'
import { openSlide } from './info'
import { finished } from './run/followed'
import { recipeOf } from './run/run'
import type { Terminal } from './terminal'

export interface BenchSlideOptions {
  slide: string
  recipe?: string | undefined
  mpp?: number | undefined
  threads: number
  device?: string | undefined
  json?: boolean | undefined
}
/** A part that goes on within the whole: what it took of it. */
interface TimedPart extends Omit<BenchPart, 'kind'> {
  readonly kind: 'floor' | 'part' | 'stage' | 'export' | 'together'
  /** ms of the whole that are this part's: of parts that go on at once, by what each takes of the threads. */
  readonly ofWholeMs?: number
}

const rate = ({ megapixels, ms }: Pick<BenchPart, 'megapixels' | 'ms'>): number => (megapixels * 1000) / ms

/** What the run took, stage by stage, and each file's writing, by itself. */
async function wholePath(
  engine: Engine,
  terminal: Terminal,
  options: BenchSlideOptions,
  signal: AbortSignal,
): Promise<TimedPart[]> {
  const { threads, mpp, device } = options
  const specs = valueOf(await engine.call('recipe:list', {})) as RecipeSpec[]
  const recipe = await recipeOf(engine, specs, options.recipe)
  const slide = await openSlide(engine, options.slide, mpp)
  const request = {
    slideId: slide.slideId,
    region: 'whole',
    recipe,
    purpose: 'run',
    threads,
    ...(mpp === undefined ? {} : { mpp }),
    ...(device === undefined ? {} : { device }),
  }
  const begun = performance.now()
  const status: RunStatus = await finished(engine, terminal, { call: 'run:start', arg: request }, signal)
  const analysisMs = performance.now() - begun
  if (status.state === 'failed') valueOf({ ok: false, error: status.error! })
  signal.throwIfAborted()
  const analysed = (status.megapixelsPerSecond * status.elapsedMs) / 1000
  const busyMs = status.timings.reduce((sum, { ms }) => sum + ms, 0)
  const parts: TimedPart[] = status.timings
    .filter(({ ms, megapixels }) => ms > 0 && megapixels > 0)
    .map((timing) => ({
      name: stageAndPart(timing),
      kind: 'stage',
      megapixels: timing.megapixels,
      ms: timing.ms,
      threads: 1,
      note: [timing.device, variantWords(timing)].filter((word) => word !== '').join(', '),
      ofWholeMs: (analysisMs * timing.ms) / busyMs,
    }))
  parts.push({
    name: 'analysis',
    kind: 'together',
    megapixels: analysed,
    ms: analysisMs,
    threads,
    note: `${status.objects} ${noun(status.objects, 'object')}`,
  })
  const directory = await mkdtemp(join(tmpdir(), 'morphoscope-bench-'))
  let exportMs = 0
  try {
    // Not those for a laser: they hold some objects only, by marks that somebody made.
    for (const file of writableExportFiles(false).filter((each) => !isLaser(each))) {
      const started = performance.now()
      const order = { runId: status.runId, directory: join(directory, file), files: [file] }
      const { files } = valueOf(await engine.call('export:start', order)) as ExportResult
      const ms = performance.now() - started
      signal.throwIfAborted()
      exportMs += ms
      const bytes = files.reduce((sum, written) => sum + written.bytes, 0)
      const note = `${(bytes / 1e6).toFixed(1)} MB`
      parts.push({ name: file, kind: 'export', megapixels: analysed, ms, threads, note, ofWholeMs: ms })
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
  const ms = analysisMs + exportMs
  parts.push({ name: 'together', kind: 'together', megapixels: analysed, ms, threads, note: 'analysis and every file' })
  return parts
}

export async function benchSlide(terminal: Terminal, options: BenchSlideOptions, signal: AbortSignal): Promise<ExitCode> {
  const path = resolve(options.slide)
  const { assetsDir } = installation()
  const { threads, mpp } = options
  const found = await withEngine(async (engine) => {
    const specs = valueOf(await engine.call('recipe:list', {})) as RecipeSpec[]
    const recipe = await recipeOf(engine, specs, options.recipe)
    // What is wrong with the file is said in the engine's words.
    await openSlide(engine, path, mpp)
    terminal.note('measuring the parts')
    const parts: TimedPart[] = await (await slideBench()).measureParts({ path, recipe, assetsDir, mpp, threads, signal })
    terminal.note('measuring the whole')
    return [...parts, ...(await wholePath(engine, terminal, options, signal))]
  }).catch((error: unknown) => {
    if (signal.aborted) return null
    throw error
  })
  if (found === null) return ExitCode.interrupted
  const binds = found.reduce<TimedPart | null>(
    (most, part) => ((part.ofWholeMs ?? 0) > (most?.ofWholeMs ?? 0) ? part : most),
    null,
  )
  const whole = found.at(-1)!
  if (options.json) {
    const parts = found.map((part) => ({ ...part, megapixelsPerSecond: rate(part) }))
    terminal.print(JSON.stringify({ slide: path, threads, parts, binds: binds?.name ?? null }, null, 2))
    return ExitCode.ok
  }
  const rows = found.map((part) => [
    part.kind,
    part.name,
    rate(part).toFixed(1),
    String(part.threads),
    part.ofWholeMs === undefined ? '' : `${((100 * part.ofWholeMs) / whole.ms).toFixed(1)} %`,
    part.note,
  ])
  const head = ['', 'part', 'Mpx/s', 'threads', 'of the whole', '']
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)))
  const line = (row: string[]): string =>
    row
      .map((cell, i) => (i >= 2 && i <= 4 ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd()
  for (const row of [head, ...rows]) terminal.print(line(row))
  if (binds) terminal.print(`binds: ${binds.name}, ${((100 * binds.ofWholeMs!) / whole.ms).toFixed(0)} % of the whole`)
  return ExitCode.ok
}
