// A project's slides as a list with their state, and one recipe over all or some of them.
import { Densities } from '../results/density'
import { ClassCuts, cutWords } from '../classes/cuts'
import { DeviceNames } from '../runs/devices'
import { SlideKey } from '../base/ids'
import { filePath } from '../base/paths'
import { CorePlace } from '../records/core'
import { DocumentSlide } from '../records/slide'
import { Recipe } from '../recipes'
import * as z from '../zod'

/** As its project knows it: what was found on all of it last, and what failed since. */
export const ProjectSlide = DocumentSlide.extend({
  /** Its file is neither where it was nor beside the project: `path` is where it was. */
  missing: z.boolean(),
  regions: z.number(),
  /** Of its regions, those that a kept result of a run within them is of. */
  segmentedRegions: z.number(),
  /** partial: of its newest run something is missing. in regions: a recipe ran within some of its regions, and not over all of it. */
  state: z.enum(['not run', 'in regions', 'done', 'partial', 'failed']),
  /** Why it failed, or what is missing; null: nothing is. */
  why: z.string().nullable(),
  /** Of the newest run of the whole slide, those that were deleted apart; null: there is none. */
  objects: z.number().nullable(),
  /** Of those, on all of it. */
  ...Densities.shape,
  recipeName: z.string().nullable(),
  /** The id of that run's recipe; absent: there is none, or an earlier version kept it. */
  recipeSpec: z.string().optional(),
  /** Whether there is a picture of it (tilePaths.thumbnail). */
  pictured: z.boolean().optional(),
})
export type ProjectSlide = z.infer<typeof ProjectSlide>

/** One recipe on whole slides, one after the other; what each finds is kept in the project. */
export const CohortRequest = z.strictObject({
  /** In this order. `path`: where the file is, which must hold what `key` says. */
  slides: z
    .array(
      z.strictObject({
        key: SlideKey,
        path: filePath,
      }),
    )
    .min(1)
    .max(10_000),
  recipe: Recipe,
  /** Also those that have a run of the same recipe with the same values. */
  again: z.boolean(),
  /** What was corrected on a slide's run before is carried over to the new one. */
  carry: z.boolean().optional(),
  threads: z.number().int().min(1).max(1024).optional(),
  device: DeviceNames.optional(),
})
export type CohortRequest = z.infer<typeof CohortRequest>

/** `there`: it had been run before, and was left as it is. `cancelled`: it is as it was before. */
export const CohortSlide = z.object({
  key: SlideKey,
  state: z.enum(['queued', 'running', 'done', 'there', 'failed', 'cancelled']),
  /** Of the slide, from 0 to 1. */
  fraction: z.number(),
  objects: z.number().nullable(),
  /** Why it failed. */
  why: z.string().nullable(),
  /** What its result lacks, in words: parts that could not be read. Absent: nothing. */
  lacks: z.string().optional(),
  /** Of one that had been run before: its classes stand on this recipe's cut-offs from now on. */
  reclassed: z.literal(true).optional(),
  /** Its stains do not look like the recipe's, in words. It is run all the same. */
  unfit: z.string().optional(),
  /** Objects that were corrected on the run before it, by name; `carried` null: they were left there. Absent: there were none. */
  corrections: z.object({ from: z.string(), objects: z.number(), carried: z.number().nullable(), unfit: z.number() }).optional(),
})
export type CohortSlide = z.infer<typeof CohortSlide>

export const CohortState = z.object({
  going: z.boolean(),
  recipeName: z.string(),
  slides: z.array(CohortSlide),
  elapsedMs: z.number(),
  /** null while unknown. */
  etaMs: z.number().nullable(),
})
export type CohortState = z.infer<typeof CohortState>

const CountedClasses = z.array(z.object({ id: z.string(), label: z.string(), objects: z.number() }))

/**
 * Which results a summary's figures may come from. `own`: those that recipes found; on a slide without any, imports. `imported`: imports alone.
 * `newest`: whichever came last. By name: those that lists call so.
 */
export const SummaryFrom = z.union([z.enum(['own', 'imported', 'newest']), z.strictObject({ name: z.string().min(1).max(300) })])
export type SummaryFrom = z.infer<typeof SummaryFrom>

/** A slide, or a region of it, as the summary of a project has it. What is not known is null. */
export const SummaryRow = z.object({
  slide: z.string(),
  /** null: all of the slide. */
  region: z.string().nullable(),
  class: z.string(),
  /** Of a region that is a place of a tissue microarray: which, whether its tissue is lost, and whose it is. */
  core: CorePlace.optional(),
  state: z.string(),
  /** Of the result that the figures come from: its recipe, eight digits of its values (rows with the same ones can be compared), its name. */
  recipe: z.string().nullable(),
  values: z.string().nullable(),
  result: z.string().nullable(),
  areaPx: z.number(),
  areaMm2: z.number().nullable(),
  /** Of the area what that result looked at and could read. */
  analysedMm2: z.number().nullable(),
  tissueMm2: z.number().nullable(),
  objects: z.number().nullable(),
  /** Of a region of points, whose area is 0. */
  points: z.number().optional(),
  /** Of a line, whose area is 0; px where the slide is uncalibrated. */
  lengthPx: z.number().optional(),
  lengthUm: z.number().nullable().optional(),
  ...Densities.shape,
  /** From 0 to 1. */
  positiveShare: z.number().nullable(),
  hScore: z.number().nullable(),
  classes: CountedClasses.optional(),
  /** What the share and the H-score stand on; absent: on classes that were given by hand, or there are none. */
  cuts: ClassCuts.optional(),
  /**
   * The circle with the highest positive share (classes/hotSpot.ts), its middle in level-0 px, and what lies in it; of a region only what the region
   * holds as well. Absent: there is none.
   */
  hotSpot: z
    .object({
      diameterUm: z.number(),
      leastObjects: z.number(),
      x: z.number(),
      y: z.number(),
      objects: z.number(),
      classes: CountedClasses,
    })
    .optional(),
  /** Its stains do not look like those of the recipe that was run, in words. */
  unfit: z.string().optional(),
  why: z.string().nullable(),
  /**
   * Of a region that shares something with one before it, of its class, recipe and values, on its slide: what none before it has, which sums
   * over the class add up. Absent: it shares nothing.
   */
  once: z
    .object({
      analysedMm2: z.number().nullable(),
      tissueMm2: z.number().nullable(),
      objects: z.number(),
      classes: CountedClasses.optional(),
    })
    .optional(),
})
export type SummaryRow = z.infer<typeof SummaryRow>

/** Regions of one class whose figures come from one recipe with one set of values, added up. */
export const SummaryGroup = z.object({
  /** null: over all slides. */
  slide: z.string().nullable(),
  class: z.string(),
  recipe: z.string().nullable(),
  values: z.string().nullable(),
  slides: z.number(),
  regions: z.number(),
  analysedMm2: z.number().nullable(),
  tissueMm2: z.number().nullable(),
  objects: z.number(),
  ...Densities.shape,
  positiveShare: z.number().nullable(),
  hScore: z.number().nullable(),
  /** Its regions overlap: what several of them have counts once, so much area (null: uncalibrated) and so many objects. Absent: they do not. */
  shared: z.object({ mm2: z.number().nullable(), objects: z.number() }).optional(),
  classes: SummaryRow.shape.classes,
  /** What the share and the H-score stand on: the same for all of its regions. */
  cuts: SummaryRow.shape.cuts,
  /** A part of it was not computed, or could not be read. */
  partial: z.literal(true).optional(),
})
export type SummaryGroup = z.infer<typeof SummaryGroup>
/** Where slides or regions have shares of classes by other cut-offs than others: which stand on which. null: all stand on the same. */
export function differingCuts(rows: readonly SummaryRow[]): string | null {
  const of = new Map<string, Set<string>>()
  for (const { slide, cuts, positiveShare } of rows)
    if (cuts && positiveShare !== null) {
      const words = cutWords(cuts)
      of.set(words, (of.get(words) ?? new Set<string>()).add(slide))
    }
  if (of.size < 2) return null
  const some = (names: ReadonlySet<string>): string =>
    [...names].slice(0, 3).join(', ') + (names.size > 3 ? ` and ${names.size - 3} more` : '')
  const parts = [...of].map(([words, names]) => `${some(names)}: ${words}`)
  return `Not all rows stand on the same cut-offs, so their positive shares and H-scores cannot be compared. ${parts.join('; ')}. Run one recipe over all slides: then they are the same.`
}

export const ProjectSummary = z.object({
  /** Slides by name, each followed by its regions. */
  rows: z.array(SummaryRow),
  /** What could not be read, in words. */
  notes: z.array(z.string()),
  /** Regions by class: over all slides, where there are several, and slide by slide. */
  groups: z.array(SummaryGroup),
  /** The rows as a file, the groups, and those of cores alone in their order; '' where there are no cores. */
  csv: z.string(),
  groupsCsv: z.string(),
  coresCsv: z.string(),
})
export type ProjectSummary = z.infer<typeof ProjectSummary>
