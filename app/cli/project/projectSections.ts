// `morphoscope project carry`: regions and objects of one section come to lie on the next one.
import { readFile } from 'node:fs/promises'
import type { Engine } from '../../../main/engine'
import { mostPairs, noun, poorOverlap, wholeRunOf } from '../../contract'
import type { CallArg, CallValue, Recipe, RunStatus, SectionFit } from '../../contract'
import { CliError, ExitCode, valueOf } from '../exitCodes'
import { openSlide } from '../info'
import { recipeWith } from '../run/run'
import type { Terminal } from '../terminal'
import { readingFile } from './geoJsonText'
import { opened, stateOf } from './projectSlides'

export interface CarryOptions {
  readonly from: string
  readonly to: string
  readonly by: 'tissue' | 'points'
  readonly pairs?: string
  readonly what: 'regions' | 'objects' | 'both' | 'nothing'
  readonly recipe?: string
  readonly set?: string[]
  readonly json?: boolean
}

export async function carry(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  { from, to, by, pairs, what, recipe: wanted, set = [], json }: CarryOptions,
  signal: AbortSignal,
): Promise<void> {
  await opened(engine, folder)
  const [first, second] = [await openSlide(engine, from), await openSlide(engine, to)]
  if (first.slideId === second.slideId) throw new CliError(ExitCode.usage, '--from and --to are the same slide.')
  const ids = { fromId: first.slideId, slideId: second.slideId }
  const how = pairs === undefined ? { by } : { pairs: await pairsIn(pairs) }
  const fit = valueOf(await engine.call('sections:fit', { ...ids, ...how }, signal)) as SectionFit
  if (!json) terminal.print(fitWords(fit))
  const objects = what === 'objects' || what === 'both' ? await objectsOf(engine, first.slideId, from, wanted, set) : null
  let carried: CallValue<'sections:carry'> | null = null
  if (what !== 'nothing') {
    const quiet = engine.onEvent((event) => {
      if (event.type === 'import:progress') terminal.progress(`carrying: ${Math.floor(100 * event.fraction)} %`, event.fraction)
    })
    const asked: CallArg<'sections:carry'> = { ...ids, map: fit.map, regions: what !== 'objects', ...(objects && { objects }) }
    try {
      carried = valueOf(await engine.call('sections:carry', asked, signal)) as CallValue<'sections:carry'>
    } catch (error) {
      if (signal.aborted) throw new CliError(ExitCode.interrupted, 'Cancelled.')
      throw error
    } finally {
      quiet()
      terminal.endProgress()
    }
  }
  if (json) return terminal.print(JSON.stringify({ fit, ...carried }, null, 2))
  const { regions, objects: found } = carried ?? { regions: null, objects: null }
  if (regions) terminal.print(`${regions.added} ${noun(regions.added, 'region')} carried`)
  if (found) terminal.print(`${found.objects} ${noun(found.objects, 'object')} carried, as the result ${found.name}`)
  for (const words of [...(regions?.repaired ?? []), ...(found?.repaired ?? [])]) terminal.note(`taken otherwise: ${words}`)
  for (const words of [...(regions?.leftOut ?? []), ...(found?.leftOut ?? carried?.leftOut ?? [])])
    terminal.note(`left out: ${words}`)
}

export function fitWords({ by, pairs, median, far, unit, overlap, turnDeg, scale, mirrored }: SectionFit): string {
  const length = (value: number): string => (unit === 'um' ? `${Math.round(value)} µm` : `${Math.round(value)} px`)
  const laid = `turned by ${turnDeg.toFixed(1)}°, scaled by ${scale.toFixed(3)}${mirrored ? ', mirrored' : ''}`
  if (by !== 'tissue')
    return `laid on each other by ${pairs} ${noun(pairs, 'pair')}: ${laid}; they lie ${length(median)} apart in the median, ${length(far)} at most${pairs === 3 ? ' (three pairs always fit: a fourth would show how well)' : ''}`
  const poor = overlap! < poorOverlap ? '. They hardly match: mark the same places as points on both slides instead' : ''
  return `laid on each other by their tissue: ${laid}; borders lie ${length(median)} apart in the median, nine of ten within ${length(far)}; ${Math.round(100 * overlap!)} % of the tissue overlaps${poor}`
}

async function objectsOf(
  engine: Engine,
  slideId: string,
  slide: string,
  wanted: string | undefined,
  set: readonly string[],
): Promise<{ runId: string; recipe: Recipe; mpp?: number }> {
  const { runs, slide: key } = await stateOf(engine, slideId)
  const newest = wholeRunOf(runs, key!)?.id
  const held = valueOf(await engine.call('project:restore', { slideId })) as RunStatus[]
  const run = held.find(({ keptId }) => keptId === newest)
  if (!run)
    throw new CliError(
      ExitCode.usage,
      `The project holds no result of all of ${slide}. Run a recipe on it first, or pass --what regions.`,
    )
  if (run.state === 'failed') throw new CliError(ExitCode.badSlide, `The result of ${slide} cannot be read.`)
  const recipe = await recipeWith(engine, wanted, set)
  return { runId: run.runId, recipe }
}

/** Of a file of pairs. */
const mostBytes = 2 ** 20

/** Four numbers a line: x and y on the first slide, x and y on the second, level-0 px; a first line of words is a heading. */
async function pairsIn(file: string): Promise<NonNullable<CallArg<'sections:fit'>['pairs']>> {
  const text = await readingFile(file, async (_, size) => {
    if (size > mostBytes) throw new CliError(ExitCode.badSlide, `${file} is larger than a file of pairs can be (1 MiB).`)
    return readFile(file, 'utf8')
  })
  const pairs: NonNullable<CallArg<'sections:fit'>['pairs']> = []
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const numbers = line.split(/[,;\t]/).map((value) => (value.trim() === '' ? NaN : Number(value)))
    if (at === 0 && numbers.every(Number.isNaN)) continue
    if (numbers.length !== 4 || !numbers.every(Number.isFinite))
      throw new CliError(
        ExitCode.badSlide,
        `${file}, line ${at + 1}: expected four numbers (x and y on the first slide, x and y on the second, px) but received “${line.slice(0, 80)}”.`,
      )
    const [x, y, tx, ty] = numbers as [number, number, number, number]
    pairs.push({ from: [x, y], to: [tx, ty] })
    if (pairs.length > mostPairs) throw new CliError(ExitCode.badSlide, `${file} has more than ${mostPairs} pairs.`)
  }
  return pairs
}
