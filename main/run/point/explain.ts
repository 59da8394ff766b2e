// Why a point is in an object or in none, in the words of its recipe; and values that would put it into one, each tried before it is offered.
import { performance } from 'node:perf_hooks'
import type { Explanation, Offer, Recipe, RecipeSpec, Rule, RuleKind } from '../../../app/contract'
import { RuleKind as RuleKinds } from '../../../app/contract'
import { explain, isInside, planOf, tokenOf, traceOutlines } from '../../../native/index'
import type { Explanation as NativeExplanation } from '../../../native/index'
import { numberAt } from '../../recipe/validate'
import type { NumberSpec } from '../../recipe/validate'
import type { OpenSlide } from '../../slide/slides'
import { draftAnalysis } from '../analysis/analysis'
import type { Analysis } from '../analysis/analysis'
import { lookedAt } from '../analysis/previewReach'
import { ringsOf } from './objectDetails'
import type { Overviews } from '../analysis/overviews'

/** Which way a rule's value keeps more. */
const ways: Readonly<Record<RuleKind, readonly ('lower' | 'raise')[]>> = {
  above: ['lower'],
  peak: ['lower'],
  mean: ['lower'],
  minArea: ['lower'],
  contrast: ['lower'],
  level: ['lower'],
  ellipticity: ['lower'],
  endArea: ['raise'],
  holeArea: ['raise'],
  elongation: ['raise'],
  marker: ['lower'],
  opened: ['lower'],
  border: ['raise'],
  excluded: ['raise'],
  curved: ['lower', 'raise'],
  rival: ['lower', 'raise'],
  tissue: [],
}
/** A measured value is not enough by itself: it must be passed. */
const strict: readonly RuleKind[] = ['above', 'peak', 'mean', 'endArea', 'holeArea']
/** Rules that are made right one after the other until the point is kept. */
const mostTogether = 4

interface WhyRequest {
  readonly x: number
  readonly y: number
  readonly mpp: number | undefined
  readonly offers: boolean
}

/** `x`, `y` in level-0 px; null off the slide. Some 15 ms of computing; each value that is tried costs what its stages and those after cost. */
export async function explainAt(
  slide: OpenSlide,
  spec: RecipeSpec,
  recipe: Recipe,
  asked: WhyRequest,
  overviews: Overviews,
  threads: number,
  signal?: AbortSignal,
): Promise<Explanation | null> {
  const started = performance.now()
  const why = new Why(slide, spec, asked, overviews, threads, signal)
  const analysis = await why.analysisOf(recipe)
  const { grid } = analysis
  const pixel = { x: Math.floor(asked.x / grid.scale), y: Math.floor(asked.y / grid.scale) }
  if (pixel.x < 0 || pixel.y < 0 || pixel.x >= grid.widthPx || pixel.y >= grid.heightPx) return null
  const found = await why.explain(analysis, pixel)
  const t = grid.tileSizePx
  const tile = { x: Math.floor(pixel.x / t), y: Math.floor(pixel.y / t) }
  const onTissue = analysis.tissue?.has(tile) ?? true
  const glass: Rule = { stage: 'tissue', param: 'only', kind: 'tissue', measured: null, limit: null, kept: false }
  const inside = onTissue && found.inside
  const isRead = found.read && analysis.unread === null && !analysis.tissue?.isUnknown(tile)
  let offers: Offer[] = []
  if (asked.offers && !inside) {
    offers = onTissue
      ? await why.offers(analysis, pixel, found)
      : found.inside
        ? [{ changes: [{ stage: 'tissue', param: 'only', value: false }] }]
        : []
  }
  const outlines = found.shape.length > 0 ? await traceOutlines(found.shape, Int32Array.of(0, found.shape.length / 3), 0) : null
  return {
    inside,
    certain: found.certain && isRead,
    ...(!isRead && { unread: true as const }),
    values: found.values.map(({ plane, value, binary }) => ({ layer: plane, value, binary })),
    rules: [...(onTissue ? [] : [glass]), ...why.rulesOf(analysis, found)],
    outline: outlines ? ringsOf(outlines, grid.scale) : [],
    offers,
    elapsedMs: performance.now() - started,
  }
}

interface Pixel {
  readonly x: number
  readonly y: number
}

class Why {
  constructor(
    private readonly slide: OpenSlide,
    private readonly spec: RecipeSpec,
    private readonly asked: WhyRequest,
    private readonly overviews: Overviews,
    private readonly threads: number,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async analysisOf(recipe: Recipe): Promise<Analysis> {
    const draft = draftAnalysis(this.slide, this.spec, recipe, this.asked.mpp)
    return lookedAt(this.overviews, draft, this.threads, this.signal)
  }

  async explain(analysis: Analysis, pixel: Pixel): Promise<NativeExplanation> {
    return explain(await this.request(analysis, pixel), tokenOf(this.signal))
  }

  rulesOf(analysis: Analysis, found: NativeExplanation): Rule[] {
    return found.judgements.flatMap(({ what, param, measured, kept }): Rule[] => {
      const [stage = '', key = ''] = param.split('.')
      const number = numberAt(this.spec, stage, key)
      const limit = analysis.recipe.params[stage]?.[key]
      // A switch has no number, and was on.
      if (limit === true) return [{ stage, param: key, kind: RuleKinds.parse(what), measured: null, limit: null, kept }]
      if (!number || typeof limit !== 'number') return []
      const inUnits = measured === null ? null : measured * unitPx(number, analysis)
      return [{ stage, param: key, kind: RuleKinds.parse(what), measured: inUnits, limit, kept }]
    })
  }

  /** One value alone where that is enough, of each rule that dropped the point; else several together. */
  async offers(analysis: Analysis, pixel: Pixel, found: NativeExplanation): Promise<Offer[]> {
    const rules = this.rulesOf(analysis, found).filter(({ kept }) => !kept)
    const offers: Offer[] = []
    const tried = new Set<string>()
    for (const rule of rules) {
      const name = `${rule.stage}.${rule.param}`
      if (tried.has(name)) continue
      tried.add(name)
      const value = isOn(analysis.recipe, rule)
        ? (await this.keeps(analysis.recipe, pixel, rule, false))
          ? false
          : null
        : await this.nearest(analysis.recipe, pixel, rule)
      if (value !== null) offers.push({ changes: [{ stage: rule.stage, param: rule.param, value }] })
    }
    return offers.length > 0 ? offers : this.together(analysis, pixel, rules)
  }

  /** The value nearest to the recipe's, of those that the slider has, with which an object holds the point; null: none was found. */
  private async nearest(recipe: Recipe, pixel: Pixel, rule: Rule): Promise<number | null> {
    const number = numberAt(this.spec, rule.stage, rule.param)
    if (!number || rule.limit === null) return null
    const keeps = async (k: number): Promise<boolean> => this.keeps(recipe, pixel, rule, atStep(number, k))
    for (const way of ways[rule.kind]) {
      const first = nextStep(number, rule.limit, way)
      const last = way === 'lower' ? 0 : stepsOf(number)
      if (way === 'lower' ? first < last : first > last) continue
      const guess = this.guessOf(number, rule, way) ?? first
      if (await keeps(guess)) return atStep(number, guess)
      // Not by this rule alone: farther, if the end of the scale does it.
      let [no, yes] = [guess, last]
      if (no === yes || !(await keeps(yes))) continue
      while (Math.abs(yes - no) > 1) {
        const middle = Math.round((no + yes) / 2)
        if (await keeps(middle)) yes = middle
        else no = middle
      }
      return atStep(number, yes)
    }
    return null
  }

  /** Rule after rule is given the value that it measured, or turned off, until the point is kept or a rule has none. */
  private async together(analysis: Analysis, pixel: Pixel, failed: readonly Rule[]): Promise<Offer[]> {
    const changes: Offer['changes'] = []
    let recipe = analysis.recipe
    let rules = failed
    for (let round = 0; round < mostTogether; round++) {
      const rule = rules.find(
        (each) =>
          (each.measured !== null || isOn(recipe, each)) &&
          !changes.some(({ stage, param }) => stage === each.stage && param === each.param),
      )
      const value = rule && (isOn(recipe, rule) ? false : this.guessed(rule))
      if (!rule || value === undefined || value === null) return []
      const change = { stage: rule.stage, param: rule.param, value }
      changes.push(change)
      recipe = changed(recipe, change)
      const next = await this.analysisOf(recipe)
      const found = await this.explain(next, pixel)
      if (found.inside && found.read) return [{ changes }]
      rules = this.rulesOf(next, found).filter(({ kept }) => !kept)
    }
    return []
  }

  /** The value at that step; null where there is none. */
  private guessed(rule: Rule): number | null {
    const number = numberAt(this.spec, rule.stage, rule.param)
    const way = ways[rule.kind][0]
    const step = number && way ? this.guessOf(number, rule, way) : null
    return number && step !== null ? atStep(number, step) : null
  }

  /** The slider's step at which the rule, as it was measured, would keep; null where it was not, or the scale ends before. */
  private guessOf(number: NumberSpec, { measured, kind, limit }: Rule, way: 'lower' | 'raise'): number | null {
    if (measured === null || limit === null) return null
    const exact = (measured - number.min) / number.step
    const hair = strict.includes(kind) ? 1e-9 : -1e-9
    const step = way === 'lower' ? Math.floor(exact - hair) : Math.ceil(exact + hair)
    const first = nextStep(number, limit, way)
    const nearest = way === 'lower' ? Math.min(step, first) : Math.max(step, first)
    return nearest < 0 || nearest > stepsOf(number) ? null : nearest
  }

  private async keeps(recipe: Recipe, pixel: Pixel, { stage, param }: Rule, value: number | boolean): Promise<boolean> {
    let analysis: Analysis
    try {
      analysis = await this.analysisOf(changed(recipe, { stage, param, value }))
    } catch {
      this.signal?.throwIfAborted()
      return false // not a value together with the others
    }
    try {
      const found = await isInside(await this.request(analysis, pixel), tokenOf(this.signal))
      return found.inside && found.read
    } catch (error) {
      if ((error as { code?: string }).code === 'INVALID_PARAMETER') return false
      throw error
    }
  }

  private async request(analysis: Analysis, { x, y }: Pixel) {
    const { grid, params, slide, spec } = analysis
    const { scale, widthPx, heightPx } = grid
    const { threads, signal } = this
    const ground = await analysis.ground?.get({ threads, signal })
    return { slide: slide.native, scale, widthPx, heightPx, x, y, plan: planOf(spec.pipeline, params), ground, threads }
  }
}

const changed = (recipe: Recipe, { stage, param, value }: Offer['changes'][number]): Recipe => ({
  ...recipe,
  params: { ...recipe.params, [stage]: { ...recipe.params[stage], [param]: value } },
})

/** A switch that is on: it has no value to move, and is turned off. */
const isOn = ({ params }: Recipe, { stage, param }: Rule): boolean => params[stage]?.[param] === true

/** Of the pipeline's px in the parameter's unit. */
function unitPx({ unit }: NumberSpec, { resolution: { nominalMpp } }: Analysis): number {
  return unit === 'um' ? nominalMpp : unit === 'um2' ? nominalMpp * nominalMpp : 1
}

const stepsOf = ({ min, max, step }: NumberSpec): number => Math.floor((max - min) / step + 1e-6)
/** As a slider gives it: 0.3 + 3 × 0.05 is 0.45. */
const atStep = ({ min, step }: NumberSpec, k: number): number => Number((min + k * step).toFixed(6))
/** The first step beyond a value. */
function nextStep({ min, step }: NumberSpec, value: number, way: 'lower' | 'raise'): number {
  const exact = (value - min) / step
  return way === 'lower' ? Math.ceil(exact - 1e-6) - 1 : Math.floor(exact + 1e-6) + 1
}
