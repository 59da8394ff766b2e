// The values that adapt to a slide, taken once for every slide, scale and channel from its overview sample.
import { noun } from '../../../app/contract'
import type { ClassLimit, ParamValue, Shape, StainMethod } from '../../../app/contract'
import { haloPx, overview, tokenOf } from '../../../native/index'
import type { Ground } from '../../../native/index'
import { ByteCache } from '../../base/byteCache'
import { EngineError, invalid } from '../../base/errors'
import { boxOf, holderOf } from '../../base/shapes'
import type { Sample } from '../../slide/overviewSample'
import { OverviewSamples } from '../../slide/overviewSamples'
import { digest } from '../../base/digest'
import { analysisOf } from './analysis'
import type { Analysis, Draft } from './analysis'
import { pixelDepth } from './draft'
import { Grounds } from './grounds'
import type { GroundSource } from './grounds'
import { regionInGrid } from '../plan/plan'
import { Tissues } from './tissueOfRun'
import type { TissueOfRun } from './tissueOfRun'

/** The stages that make the image which the overview measures; no other value changes what it finds (a test holds this true). */
const overviewStages = ['image.', 'stains.', 'channel.', pixelDepth]

/** The values that the overview depends on: sliders of later stages must not wait for it again. */
export function overviewParams(params: Readonly<Record<string, ParamValue>>): Record<string, ParamValue> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => overviewStages.some((stage) => name.startsWith(stage))))
}

/** What the overview gave, and why its values may not be those of the intact slide; null: they are. */
export interface Adapted {
  readonly values: Readonly<Record<string, ParamValue>>
  readonly unread: string | null
}

/** What a run that goes on was begun with. */
export interface Begun {
  /** Every value, those that adapt to the slide among them. */
  readonly resolved: Readonly<Record<string, ParamValue>>
  readonly valuesUncertain?: true | undefined
}

export class Overviews {
  private readonly samples = new OverviewSamples()
  private readonly tissues = new Tissues()
  private readonly grounds = new Grounds()
  private readonly values = new ByteCache<Adapted>(1024 * 1024, ({ values }) => 64 * (1 + Object.keys(values).length))

  /**
   * What several want is taken once, and stopped when all their signals have aborted. `anew`: tissue that could not be seen before is looked for
   * once more.
   */
  async complete(draft: Draft, threads: number, signal?: AbortSignal, begun?: Begun | null, anew = false): Promise<Analysis> {
    const now = await this.values.getOrCompute(
      keyOf(draft),
      (stop) => this.adapt(draft, threads, stop),
      // What could not be read may be readable the next time, e.g. on a network drive.
      { signal, isKept: (adapted) => adapted.unread === null },
    )
    const { values, unread } = begun ? goingOn(now, begun) : now
    const tissue = await this.tissues.of(draft, threads, signal, anew)
    return analysisOf(draft, values, unread, tissue, this.grounds.of(draft, { ...draft.params, ...values }))
  }

  /** As another process found them: nobody who asks the same looks for them again. */
  take(draft: Draft, adapted: Adapted): void {
    this.values.set(keyOf(draft), adapted)
  }

  /** The same of the whole slide's background. `params`: with the slide's own values. */
  takeGround(draft: Draft, params: Draft['params'], ground: Ground): void {
    this.grounds.take(draft, params, ground)
  }

  /** Of a run that is only planned. */
  tissueOf(draft: Draft, threads: number, signal: AbortSignal): Promise<TissueOfRun | null> {
    return this.tissues.of(draft, threads, signal)
  }

  /** The same, without the slide's own values. */
  groundOf(draft: Draft): GroundSource | null {
    return draft.groundBytes === 0 ? null : this.grounds.of(draft, draft.params)
  }

  /**
   * The values of the recipe's stage `stains` that its slide's sample asks for, or one of a shape's alone (level-0 px); null where it does not
   * tell. Throws INVALID_PARAMETER, and SLIDE_UNREADABLE where not all of the sample can be read: a recipe keeps its values, and would
   * not say so.
   */
  async stains(
    draft: Draft,
    method: StainMethod,
    within: Shape | undefined,
    signal: AbortSignal,
  ): Promise<Record<string, number> | null> {
    const { spec, stainNames } = draft
    const stage = spec.stages.find(({ id }) => id === 'stains')
    if (!stage) throw invalid('a recipe with a stage "stains"', 'recipe.spec', spec.id)
    const { uncertainPixels } = draft.slide.info
    if (uncertainPixels !== undefined) throw new EngineError('SLIDE_UNREADABLE', `The stains cannot be told: ${uncertainPixels}`)
    const sample = await (within ? sampleWithin(draft, within, signal) : this.sample(draft, 1, signal))
    const { rgba, width, height } = wholly(sample, 'The stains')
    const { stainVectors } = await import('../../slide/stainVectors')
    const [first = '', second = ''] = stainNames
    const found = stainVectors(rgba, width, height, method, second === 'dab' ? 'dab' : 'eosin')
    if (!found) return null
    const of = (stain: string, vector: readonly number[]): [string, number][] =>
      ['Red', 'Green', 'Blue'].map((color, k) => [`${stain}${color}`, Math.round(vector[k]! * 1000) / 1000])
    const values = Object.fromEntries([...of(first, found.hematoxylin), ...of(second, found.second)])
    return isTaken(draft, values) ? values : null
  }

  /**
   * The limit between the recipe's classes that its slide's sample asks for, or one of a shape's alone (level-0 px); null where it has too few
   * nuclei. Throws as `stains`.
   */
  async classLimit(draft: Draft, within: Shape | undefined, threads: number, signal: AbortSignal): Promise<ClassLimit | null> {
    const { spec } = draft
    const { classes } = spec
    if (!classes) throw invalid('a recipe with classes', 'recipe.spec', spec.id)
    const sample = await (within ? sampleWithin(draft, within, signal) : this.sample(draft, threads, signal))
    const what = 'The limit between the classes'
    const analysis = await this.complete(draft, threads, signal)
    if (analysis.unread !== null) throw new EngineError('SLIDE_UNREADABLE', `${what} cannot be told: ${analysis.unread}`)
    // Few ask for it.
    const { limitInSample } = await import('./classLimit')
    return limitInSample(analysis, classes, wholly(sample, what), threads, signal)
  }

  private sample({ slide, grid }: Draft, threads: number, signal: AbortSignal): Promise<Sample> {
    const area = regionInGrid(grid, slide.info.bounds) ?? { x: 0, y: 0, width: grid.widthPx, height: grid.heightPx }
    return this.samples.get(slide, grid.scale, area, threads, signal)
  }

  private async adapt(draft: Draft, threads: number, signal: AbortSignal): Promise<Adapted> {
    const { spec, params } = draft
    const sample = await this.sample(draft, threads, signal)
    const { rgba, width, height } = sample
    const deep = pixelDepth in params ? sample.deep : undefined
    const values = await overview(spec.pipeline, params, rgba, width, height, threads, tokenOf(signal), deep)
    return { values, unread: Object.keys(values).length > 0 ? unreadWords(sample) : null }
  }

  forget(slideId: string): void {
    this.samples.forget(slideId)
    this.tissues.forget(slideId)
    this.grounds.forget(slideId)
    this.values.deletePrefix(`${slideId}/`)
  }
}

const keyOf = ({ slide, spec, grid, params }: Draft): string =>
  `${slide.info.slideId}/${digest([spec.pipeline, grid.scale, overviewParams(params)])}`

async function sampleWithin({ slide, grid }: Draft, shape: Shape, signal: AbortSignal): Promise<Sample> {
  const { minX, minY, maxX, maxY } = boxOf(shape)
  const area = regionInGrid(grid, { x: minX, y: minY, width: maxX - minX, height: maxY - minY })
  if (!area) throw new EngineError('INVALID_PARAMETER', 'The region lies outside the slide. Move it onto the tissue.')
  // Few ask for it.
  const { regionSample } = await import('../../slide/regionSample')
  return regionSample(slide, grid.scale, area, shape.kind === 'rectangle' ? null : holderOf(shape), signal)
}

/** Throws SLIDE_UNREADABLE where not all of it could be read. */
function wholly(sample: Sample, what: string): Sample {
  const { passedOver, holes, reason } = sample
  if (passedOver + holes === 0) return sample
  const why = reason === '' ? '' : ` (${reason})`
  throw new EngineError(
    'SLIDE_UNREADABLE',
    `${what} cannot be told, as not all of the slide’s sample could be read${why}. Try again once the file can be read, ask for a region that can be read, or set the values by hand.`,
  )
}

/** The pipeline refuses stains that no three colours can be told apart by. */
function isTaken({ spec, params }: Draft, stains: Readonly<Record<string, number>>): boolean {
  try {
    const named = Object.fromEntries(Object.entries(stains).map(([key, value]) => [`stains.${key}`, value]))
    haloPx(spec.pipeline, { ...params, ...named })
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'INVALID_PARAMETER') return false
    throw error
  }
}

/** With a sample of which not all can be read now, a run keeps the values that it was begun with: they are no worse. */
function goingOn(now: Adapted, { resolved, valuesUncertain }: Begun): Adapted {
  if (now.unread === null) return now
  const values = Object.fromEntries(Object.entries(now.values).map(([name, value]) => [name, resolved[name] ?? value]))
  return { values, unread: valuesUncertain ? now.unread : null }
}

const uncertain = 'So these values may differ from those of the intact file, and nothing of this result is certain.'
const next = 'Run again once the file can be read.'

function unreadWords({ passedOver, holes, reason }: Sample): string | null {
  if (holes > 0)
    return `The values that adapt to the slide come from a sample with ${holes} ${noun(holes, 'part')} that could not be read (${reason}). ${uncertain} ${next}`
  if (passedOver === 0) return null
  return `${passedOver} of the places where the slide is sampled for the values that adapt to it could not be read, and other places were taken. ${uncertain} ${next}`
}
