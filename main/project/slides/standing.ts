// How the document stands, in the words of the contract: what it holds by slide, and what was found on each.
import { isDeepStrictEqual } from 'node:util'
import { basename } from 'node:path'
import { analysedChannel, cutsOfRecipe, densitiesOf, isArea, PixelSize, wholeRunOf, withoutCuts } from '../../../app/contract'
import type {
  DocumentSlide,
  DocumentState,
  DocumentStep,
  KeptRun,
  ObjectRule,
  ProjectSlide,
  Recipe,
  RecipeSpec,
  SlideInfo,
} from '../../../app/contract'
import { EngineError } from '../../base/errors'
import type { Content } from '../document'
import { madeCount } from '../objects/edits'
import { regionCounts } from './perSlide'
import { shapeDigest } from '../regions/regionResults'
import { standingRuns } from '../wholes/wholes'
import { projectSuffix } from '../store'
import type { ProjectStore, Step } from '../store'

type Commands = Pick<ProjectStore, 'commandOf'> | null
type Slides = ReadonlyMap<string, DocumentSlide>

/** Those that the document shows: one that was taken out is shown again when there is something on it, by an undo above all. */
export function listedSlides({ regions, runs }: Content, slides: Slides): DocumentSlide[] {
  const used = new Set([...regionCounts(regions).keys(), ...[...runs.values()].map(({ slide }) => slide)])
  return [...slides.values()].filter(({ key, removed }) => !removed || used.has(key))
}

/** Those of `keys`; absent: all. */
export function slidesAmong(slides: readonly DocumentSlide[], keys: readonly string[] | undefined): readonly DocumentSlide[] {
  const wanted = keys && new Set(keys)
  return wanted ? slides.filter(({ key }) => wanted.has(key)) : slides
}

/** What a document says of a slide that is open. `known`: what it said before. `stays`: the file that it named is there, whichever was opened. */
export function slideOf(info: SlideInfo, key: string, known: DocumentSlide | undefined, stays = false): DocumentSlide {
  const { widthPx, heightPx, mppSource } = info
  const channel = info.channelGiven ? analysedChannel(info) : known?.channel
  const { name, path } = known && stays ? known : info
  // What somebody said once stays, whatever the file says, until somebody says something else.
  const { mppX, mppY } = mppSource !== 'given' && known && known.mppX !== null ? known : info
  return {
    key,
    name,
    path,
    widthPx,
    heightPx,
    mppX: pixelSize(mppX),
    mppY: pixelSize(mppY),
    ...(typeof channel === 'number' && { channel }),
    ...(known?.looks && { looks: known.looks }),
    ...(known?.failure && { failure: known.failure }),
    ...(known?.stain && { stain: known.stain }),
  }
}

/** null: it says none that a document can hold. */
const pixelSize = (mpp: number | null): number | null => PixelSize.safeParse(mpp).data ?? null

/** A slide that can be taken out, and its runs, which go with it. Throws NOT_FOUND; INVALID_PARAMETER where a person made something on it. */
export function removable(content: Content, slides: Slides, key: string): { slide: DocumentSlide; runs: string[] } {
  const slide = listedSlides(content, slides).find((each) => each.key === key)
  if (!slide) throw new EngineError('NOT_FOUND', 'The project does not hold that slide any more.')
  const why = whyItStays(content, slide)
  if (why !== null) throw new EngineError('INVALID_PARAMETER', why)
  return { slide, runs: [...content.runs.values()].flatMap((run) => (run.slide === key ? run.id : [])) }
}

/** null: nothing that a person made would go with it. */
function whyItStays({ regions, runs, edits }: Content, { key, name }: DocumentSlide): string | null {
  const marked = regionCounts(regions).get(key) ?? 0
  const corrected = [...runs.values()].filter(({ id, slide }) => slide === key && edits.has(id)).length
  if (marked + corrected === 0) return null
  const parts = [
    ...(marked > 0 ? [marked === 1 ? 'a region' : `${marked} regions`] : []),
    ...(corrected > 0 ? [corrected === 1 ? 'a corrected result' : `${corrected} corrected results`] : []),
  ]
  return `${name} has ${parts.join(' and ')}: delete ${marked + corrected === 1 ? 'that' : 'them'} first, and it can be taken out.`
}

/** Asked of a step's command once: what it did does not change. */
const deletions = new WeakMap<Step, string | null>()

function listed(step: Step | undefined, commands: Commands): DocumentStep | null {
  if (!step) return null
  let deletesOf = deletions.get(step)
  if (deletesOf === undefined) {
    deletesOf = null
    try {
      if (step.run !== null && commands?.commandOf(step.seq, 'forward').type === 'objects:delete') deletesOf = step.run
    } catch {
      // Damaged: that is said when somebody takes it back.
    }
    deletions.set(step, deletesOf)
  }
  return { name: step.name, at: step.at, deletesOf }
}

/** What can be taken back, and again. */
export function nextSteps(steps: readonly Step[], commands: Commands): Pick<DocumentState, 'undo' | 'redo'> {
  const done = steps.findLast((step) => !step.undone)
  const undone = steps.find((step) => step.undone)
  return { undo: listed(done, commands), redo: listed(undone, commands) }
}

/** `folder`: null where it has no name. */
export function standing(
  content: Content,
  slides: Slides,
  steps: readonly Step[],
  folder: string | null,
  commands: Commands,
): Pick<DocumentState, 'path' | 'name' | 'undo' | 'redo' | 'classes' | 'slides' | 'runs'> {
  const regions = regionCounts(content.regions)
  return {
    path: folder,
    name: folder === null ? null : basename(folder, projectSuffix),
    ...nextSteps(steps, commands),
    classes: [...content.classes],
    slides: listedSlides(content, slides).map((each) => ({ ...each, regions: regions.get(each.key) ?? 0 })),
    runs: standingRuns(content.runs),
  }
}

/** Each slide with what its newest run of all of it came to, by name. `places`: where files are now, by key. */
export function slideList(
  content: Content,
  slides: readonly DocumentSlide[],
  places: ReadonlyMap<string, string>,
): ProjectSlide[] {
  const regions = regionCounts(content.regions)
  const segmented = segmentedCounts(content)
  const list = slides.map((slide): ProjectSlide => {
    const run = wholeRunOf(content.runs.values(), slide.key)
    const segmentedRegions = segmented.get(slide.key) ?? 0
    const { failure } = slide
    // What failed after it was done before is a failure: its values may be others.
    const failed = failure !== undefined && (!run || run.startedAt < failure.at)
    const objects = run && run.objects + changeOf(content, run)
    const areas = { mm2: mm2Of(slide, run?.analysedPx), tissueMm2: run?.tissueMm2 ?? null }
    const path = places.get(slide.key)
    return {
      ...slide,
      path: path ?? slide.path,
      missing: path === undefined,
      regions: regions.get(slide.key) ?? 0,
      segmentedRegions,
      state: failed ? 'failed' : run ? (run.lacks ? 'partial' : 'done') : segmentedRegions > 0 ? 'in regions' : 'not run',
      why: failed ? failure.message : (run?.lacks ?? null),
      objects: objects ?? null,
      ...densitiesOf(objects ?? null, areas),
      recipeName: failed ? failure.recipeName : (run?.recipeName ?? null),
      ...(run?.asked && { recipeSpec: run.asked.recipe.spec }),
    }
  })
  return list.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }) || (a.key < b.key ? -1 : 1))
}

/**
 * The newest run of all of a slide with this recipe's values, but for its cut-offs: those part classes, and no outline depends on them. null: none.
 * Values that an earlier version did not have are the defaults. In the channel that the slide is analysed in now.
 */
export function runLike(
  { runs }: Content,
  { key, channel }: Pick<DocumentSlide, 'key' | 'channel'>,
  recipe: Recipe,
  spec: Pick<RecipeSpec, 'stages' | 'classes'>,
): (KeptRun & { readonly asked: { readonly recipe: Recipe } }) | null {
  const plain = (params: Recipe['params']) => withoutCuts(spec, withDefaults(spec, params))
  const wanted = plain(recipe.params)
  const like = [...runs.values()].flatMap((run) =>
    run.slide === key &&
    run.asked?.whole === true &&
    !run.cancelled &&
    !run.imported &&
    (channel === undefined ? !run.asked.channelGiven : run.asked.channel === channel) &&
    run.asked.recipe.spec === recipe.spec &&
    isDeepStrictEqual(plain(run.asked.recipe.params), wanted)
      ? [{ ...run, asked: run.asked }]
      : [],
  )
  return like.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1))[0] ?? null
}

const withDefaults = ({ stages }: Pick<RecipeSpec, 'stages'>, params: Recipe['params']): Recipe['params'] => ({
  ...params,
  ...Object.fromEntries(
    stages.map(({ id, params: of }) => [
      id,
      { ...Object.fromEntries(of.map((param) => [param.key, param.default])), ...params[id] },
    ]),
  ),
})

/**
 * What is to be said of a run's classes so that they stand on this recipe's cut-offs: null where its own recipe has the same; undefined where they
 * do already, or the recipe has none.
 */
export function ruleFor(
  { edits }: Content,
  { id, asked }: KeptRun,
  recipe: Recipe,
  spec: Pick<RecipeSpec, 'stages' | 'classes'>,
): ObjectRule | null | undefined {
  const wanted = cutsOfRecipe(spec, recipe.params)
  if (!wanted || !asked) return undefined
  const own = cutsOfRecipe(spec, asked.recipe.params)
  const said = edits.get(id)?.rule ?? null
  if (isDeepStrictEqual({ ...(said ?? own) }, { ...wanted })) return undefined
  return isDeepStrictEqual(own, wanted) ? null : { column: wanted.column, limits: [...wanted.limits] }
}

/** How many more there are than were found: those that were made, without those that were deleted. */
function changeOf({ edits }: Content, { id }: KeptRun): number {
  const own = edits.get(id)
  return own ? madeCount(own) - own.deleted.reduce((sum, each) => sum + each, 0) : 0
}

const mm2Of = ({ widthPx, heightPx, mppX, mppY }: DocumentSlide, px = widthPx * heightPx): number | null =>
  mppX && mppY ? (px * mppX * mppY) / 1e6 : null

/** By slide, the regions that a run which is kept ran within, as they are now. */
function segmentedCounts({ regions, runs }: Content): Map<string, number> {
  const within = new Map<string, Set<string>>()
  for (const { slide, asked } of runs.values())
    for (const digest of asked?.within ?? []) within.set(slide, (within.get(slide) ?? new Set()).add(digest))
  const counts = new Map<string, number>()
  for (const { region } of within.size > 0 ? regions.values() : []) {
    const { slide, shape } = region
    if (!isArea(shape) || !within.get(slide)?.has(shapeDigest(shape))) continue
    counts.set(slide, (counts.get(slide) ?? 0) + 1)
  }
  return counts
}

export const oldestFirst = (runs: readonly KeptRun[]): KeptRun[] =>
  runs.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0))
