// `morphoscope compare A B`: two exported runs of one slide held against each other: values, objects, areas, times.
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { writeTextFile } from '../../main/engine'
import {
  comparedObjectsCsv,
  compareExported,
  labelsOf,
  openByParts,
  openRows,
  readRunRecord,
  requireComparableRecords,
} from '../../main/ops'
import type { Engine } from '../../main/engine'
import type { ExportedComparison, ImageRows, RunRecord, Scratch, StageTime } from '../../main/ops'
import { comparisonCsv, valueWords } from '../contract'
import type { RecipeSpec } from '../contract'
import { CliError, ExitCode, valueOf } from './exitCodes'
import { checkOutputs, usage } from './op/opFlags'
import { nowReading } from './parent'
import { duration, table } from './terminal'
import type { Terminal } from './terminal'

export interface CompareOptions {
  readonly objects?: string | undefined
  readonly scratch?: string | undefined
  readonly overwrite?: boolean | undefined
  readonly json?: boolean | undefined
  readonly csv?: boolean | undefined
}

export async function compareRuns(
  engine: Engine,
  terminal: Terminal,
  folders: readonly [string, string],
  options: CompareOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const objects = options.objects === undefined ? undefined : resolve(options.objects)
  if (objects !== undefined && !objects.toLowerCase().endsWith('.csv'))
    throw usage(`expected a file that ends in .csv for --objects but received ${options.objects}`)
  if (options.json && options.csv) throw usage('expected one of --json and --csv but received both')
  await requireTwo(folders)
  const [a, b] = [await readRunRecord(folders[0]), await readRunRecord(folders[1])]
  // Before label images are read, which may take minutes.
  requireComparableRecords(a, b)
  if (objects !== undefined) {
    const inputs = folders.flatMap((folder) => ['run.json', 'labels.ome.tif', 'objects.csv'].map((name) => join(folder, name)))
    await checkOutputs(inputs, [objects], options.overwrite === true)
  }
  const specs = valueOf(await engine.call('recipe:list', {})) as RecipeSpec[]
  try {
    const compared = await held(terminal, a, b, specs, { folder: resolve(options.scratch ?? tmpdir()), signal })
    if (objects !== undefined) await writeTextFile(objects, comparedObjectsCsv(compared))
    terminal.endProgress()
    for (const note of compared.found.notes) terminal.note(note)
    if (options.json) terminal.print(jsonOf(compared, a))
    else if (options.csv) terminal.print(comparisonCsv(compared.found, stageRows(compared)).trimEnd())
    else terminal.print(textOf(compared, a, objects))
    return ExitCode.ok
  } catch (error) {
    if (signal.aborted) throw new CliError(ExitCode.interrupted, 'Cancelled.')
    throw error
  } finally {
    terminal.endProgress()
  }
}

/** What is over sooner needs no progress. */
const silentMs = 1000

async function requireTwo(folders: readonly [string, string]): Promise<void> {
  const [a, b] = await Promise.all(folders.map((folder) => stat(folder, { bigint: true }).catch(() => null)))
  if (a && b?.dev === a.dev && b.ino === a.ino)
    throw usage(`A run is the same as itself: expected two folders but received ${folders[0]} twice`)
}

/** Opens both label images, compares, and puts working files away. */
async function held(
  terminal: Terminal,
  a: RunRecord,
  b: RunRecord,
  specs: readonly RecipeSpec[],
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<ExportedComparison> {
  const begun = performance.now()
  let shown = -1
  const progress = (doing: string, done: number): void => {
    const percent = Math.floor(100 * done)
    if (percent === shown || performance.now() - begun < silentMs) return
    shown = percent
    terminal.progress(`${doing}: ${percent} %`, done)
  }
  const closings: (() => Promise<void>)[] = []
  try {
    const sides = []
    for (const record of [a, b]) sides.push({ record, labels: await opened(record, { folder, signal, progress }, closings) })
    const [own, other] = sides
    return await compareExported(own!, other!, specs, { signal, progress: (done) => progress('comparing', done) })
  } finally {
    for (const close of closings.reverse()) await close()
  }
}

async function opened(record: RunRecord, scratch: Scratch, closings: (() => Promise<void>)[]) {
  const name = await labelsOf(record)
  nowReading(name)
  const image = await openByParts(name, scratch)
  closings.push(async () => image.dispose?.())
  const { region, counts } = record
  if (image.width !== region.width || image.height !== region.height)
    throw usage(
      `expected an image of ${region.width} × ${region.height} px, as its run.json says, for ${name} but received ${image.width} × ${image.height} px`,
    )
  const rows: ImageRows = await openRows(image)
  closings.push(() => rows.close())
  return { name, region, objects: counts.objects, row: (y: number) => rows.row(y) }
}

const square = ({ analysedMpp, scale }: RunRecord['resolution'], px: number): string => {
  // Below 1 areas are the slide's px.
  const um = analysedMpp === null ? null : analysedMpp / Math.min(1, scale)
  return um === null ? `${px} px²` : `${((px * um * um) / 1e6).toFixed(4)} mm²`
}
const timeWords = (time: StageTime | null): string =>
  time === null ? '–' : `${time.ms < 1000 ? `${time.ms.toFixed(0)} ms` : duration(time.ms)} (${time.by.join(', ')})`

function textOf({ found, stages }: ExportedComparison, { slide, resolution }: RunRecord, objects: string | undefined): string {
  const { a, b, region } = found
  const rows = [
    ['', 'A', 'B', 'both'],
    ['recipe', a.recipeName, b.recipeName, ''],
    ['objects', String(a.objects), String(b.objects), String(found.both)],
    ['in one only', String(found.onlyA), String(found.onlyB), ''],
    ['area', ...[a.areaPx, b.areaPx, found.overlapPx].map((px) => square(resolution, px))],
    ['time', duration(a.elapsedMs), duration(b.elapsedMs), ''],
    ...stages.map(({ stage, a: own, b: other }) => [`  ${stage}`, timeWords(own), timeWords(other), '']),
  ]
  const values = found.values.map(({ stage, param, unit, a: own, b: other }) => [
    `  ${stage}.${param}`,
    valueWords(own, unit),
    valueWords(other, unit),
    '',
  ])
  return [
    `A: ${a.name}`,
    `B: ${b.name}`,
    `${slide.name}, ${region.width} × ${region.height} px at ${region.x}, ${region.y}`,
    '',
    table([...rows, [values.length > 0 ? 'values that differ' : 'all values are the same', '', '', ''], ...values])
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n'),
    '',
    `Dice of the areas ${found.dice.toFixed(4)}, mean IoU of the pairs ${found.meanIou?.toFixed(4) ?? '–'} (pairs: IoU of one half or more)`,
    ...(objects === undefined ? [] : [objects]),
  ].join('\n')
}

/** The window's comparison, and what only exports tell. */
function jsonOf({ found, stages }: ExportedComparison, { slide, resolution }: RunRecord): string {
  const { scale, analysedMpp } = resolution
  return JSON.stringify({ slide: { name: slide.name, sha256: slide.sha256 }, scale, analysedMpp, ...found, stages }, null, 2)
}

function stageRows({ stages }: ExportedComparison): (string | number)[][] {
  return stages.map(({ stage, a, b }) => [`stage ${stage} ms`, a?.ms ?? '', b?.ms ?? '', ''])
}
