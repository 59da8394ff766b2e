// `morphoscope run --resume`: what a run that died was asked for, from the journal that it left in its folder.
import * as z from 'zod'
import type { Engine } from '../../../main/engine'
import { exportFiles, HotSpotField, LaserRequest, SpatialMeasures } from '../../contract'
import type { CallValue, ExportFile, Origin, Recipe, Region } from '../../contract'
import { CliError, ExitCode, valueOf } from '../exitCodes'

export type JournalEntry = CallValue<'journal:list'>[number]

/** What a command leaves in the journal for the one that goes on: what it would write. */
export const RunNote = z.object({
  files: z.array(z.enum(exportFiles)),
  simplify: z.number().min(0).max(100).optional(),
  origin: z.enum(['slide', 'bounds']).optional(),
  classBy: z.array(z.string().max(1000)).max(100).optional(),
  hotSpot: HotSpotField.optional(),
  spatial: SpatialMeasures.optional(),
  laser: LaserRequest.optional(),
  deidentify: z.boolean(),
  overwrite: z.boolean(),
})
export interface RunNote {
  readonly files: ExportFile[]
  readonly simplify?: number | undefined
  readonly origin?: Origin | undefined
  readonly classBy?: string[] | undefined
  readonly hotSpot?: HotSpotField | undefined
  readonly spatial?: SpatialMeasures | undefined
  readonly laser?: LaserRequest | undefined
  readonly deidentify: boolean
  readonly overwrite: boolean
}

/** The newest run that died and left its journal in the engine's folder, or null. Throws where a run into it is going on. */
export async function journalIn(engine: Engine, directory: string): Promise<JournalEntry | null> {
  const entries = valueOf(await engine.call('journal:list', {})) as JournalEntry[]
  const live = entries.find((entry) => entry.live)
  if (live)
    throw new CliError(
      ExitCode.tryAgain,
      `Another run into ${directory} is going on (${live.recipeName}, begun ${live.startedAt}). Wait for its end, or choose another folder with --out.`,
    )
  return entries[0] ?? null
}

export function noteOf({ note }: JournalEntry): RunNote | null {
  const known = RunNote.safeParse(note)
  return known.success ? known.data : null
}

export const partOf = ({ tilesDone, tilesTotal }: JournalEntry): string =>
  `${tilesTotal > 0 ? Math.floor((100 * tilesDone) / tilesTotal) : 0} %`

/** Throws where a new run would throw away what an old one has computed. */
export function refuseToForget(entry: JournalEntry, directory: string): void {
  throw new CliError(
    ExitCode.cannotCreate,
    `A run into ${directory} was interrupted, and ${partOf(entry)} of it is kept there (${entry.recipeName}, begun ${entry.startedAt}). Go on with it by the same command with --resume, or throw it away with --overwrite.`,
  )
}

/** Throws where the command asks for another run than the one that is to go on. */
export function requireSameRun(
  entry: JournalEntry,
  asked: { recipe: Recipe; region: Region | 'whole'; mpp?: number | undefined },
): void {
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
  const different = [
    ...(sameRecipe(entry.recipe, asked.recipe) ? [] : ['recipe']),
    ...(same(entry.region, asked.region) ? [] : ['region']),
    ...(entry.mpp === asked.mpp ? [] : ['mpp']),
  ]
  if (different.length === 0) return
  throw new CliError(
    ExitCode.usage,
    `The run to go on with was begun with another ${different.join(' and ')}. Leave --${different.join(' and --')} as it was, or start anew with --overwrite and without --resume.`,
  )
}

/** One may have every value, the other those that differ from the defaults. */
function sameRecipe(whole: Recipe, asked: Recipe): boolean {
  if (whole.spec !== asked.spec) return false
  return Object.entries(asked.params).every(([stage, params]) =>
    Object.entries(params).every(([key, value]) => whole.params[stage]?.[key] === value),
  )
}
