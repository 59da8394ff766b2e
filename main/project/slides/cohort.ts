// One recipe over slides of the document, one after the other in turn with other runs; what each finds is kept, why one failed is noted.
import { choiceOf, unfitWords } from '../../../app/contract'
import type {
  AppEvent,
  CohortRequest,
  CohortSlide,
  CohortState,
  DocumentSlide,
  KeptRun,
  Recipe,
  RecipeSpec,
  RunRequest,
} from '../../../app/contract'
import { EngineError, invalid, toAppError } from '../../base/errors'
import type { Log } from '../../base/log'
import { completeRecipe } from '../../recipe/validate'
import type { SpecTable } from '../../recipe/specs'
import type { Means } from '../../run/request/order'
import type { Run } from '../../run/run'
import type { Runs } from '../../run/runs'
import type { OpenSlide, Slides } from '../../slide/slides'
import type { KeptRuns } from '../kept/keptRuns'
import type { Projects } from '../projects'
import { lacksOf } from '../regions/regionResults'
import { noteStain } from './stains'
import { ruleFor, runLike } from './standing'

export interface CohortTools {
  readonly projects: Projects
  readonly keptRuns: KeptRuns
  readonly runs: Runs
  readonly slides: Slides
  readonly specs: SpecTable
  readonly means: () => Promise<Means>
  /** Of one that was opened here. */
  readonly closeSlide: (slideId: string) => void
  /** Hears of each slide that is open now. */
  readonly onOpened?: (slide: OpenSlide) => void
  readonly emit: (event: AppEvent) => void
  readonly log: Log
}

const tellEveryMs = 500
const maxWhy = 4000

type Entry = { -readonly [K in keyof CohortSlide]: CohortSlide[K] } & { readonly slide: DocumentSlide; readonly path: string }

/** One at a time. */
export class Cohorts {
  readonly #tools: CohortTools
  #current: Cohort | null = null
  #beginning = false

  constructor(tools: CohortTools) {
    this.#tools = tools
  }

  get state(): CohortState | null {
    return this.#current?.state() ?? null
  }

  /** Throws INVALID_PARAMETER where one goes on, or a slide is not the document's; OUTPUT_FAILED where the document is read only. */
  async start(request: CohortRequest): Promise<CohortState> {
    if (this.#beginning || this.#current?.going)
      throw new EngineError('INVALID_PARAMETER', 'A recipe is being run over the slides already. Cancel it, or wait for its end.')
    this.#beginning = true
    try {
      const { projects, specs } = this.#tools
      // What is found is to be kept.
      await projects.requireChangeable()
      const spec = await specs.get(request.recipe.spec)
      const recipe = completeRecipe(request.recipe, spec)
      const known = new Map((await projects.slides()).map((slide) => [slide.key, slide]))
      const entries = request.slides.map(({ key, path }): Entry => {
        const slide = known.get(key)
        if (!slide) throw invalid('the key of a slide of the document', 'slides.key', key)
        return { key, state: 'queued', fraction: 0, objects: null, why: null, slide, path }
      })
      const cohort = new Cohort(this.#tools, { ...request, recipe }, spec, entries)
      this.#current = cohort
      void cohort.go()
      return cohort.state()
    } finally {
      this.#beginning = false
    }
  }

  /** Throws INVALID_PARAMETER where a recipe is still to be run over a slide, or is being run. */
  requireIdle(key: string): void {
    const at = this.#current?.state()
    if (at?.going && at.slides.some((each) => each.key === key && (each.state === 'queued' || each.state === 'running')))
      throw new EngineError('INVALID_PARAMETER', 'A recipe is being run over this slide. Stop that first, or wait for its end.')
  }

  /** What is under way ends, what is done stays. */
  cancel(): void {
    this.#current?.cancel()
  }

  /** What was begun for a document ends with it. */
  sync(): void {
    if (this.#current && this.#current.document !== this.#tools.projects.document) this.cancel()
  }
}

class Cohort {
  readonly document: number
  readonly #tools: CohortTools
  readonly #request: Omit<CohortRequest, 'slides'>
  readonly #spec: RecipeSpec
  readonly #entries: readonly Entry[]
  readonly #begun = performance.now()
  #ended: number | null = null
  #stopped = false
  #run: Run | null = null

  constructor(tools: CohortTools, request: Omit<CohortRequest, 'slides'>, spec: RecipeSpec, entries: readonly Entry[]) {
    this.#tools = tools
    this.#request = request
    this.#spec = spec
    this.#entries = entries
    this.document = tools.projects.document
  }

  get going(): boolean {
    return this.#ended === null
  }

  cancel(): void {
    this.#stopped = true
    this.#run?.cancel()
  }

  state(): CohortState {
    const elapsedMs = (this.#ended ?? performance.now()) - this.#begun
    const run = this.#run
    const slides = this.#entries.map(({ slide: _, path: __, ...entry }) => {
      if (entry.state !== 'running' || !run) return entry
      const { tilesDone, tilesTotal, objects } = run.status()
      return { ...entry, fraction: tilesDone / Math.max(1, tilesTotal), objects }
    })
    const pixels = this.#entries.map(({ slide: { widthPx, heightPx } }) => widthPx * heightPx)
    const etaMs = this.going ? etaOf(slides, pixels, elapsedMs) : 0
    return { going: this.going, recipeName: this.#spec.name, slides, elapsedMs, etaMs }
  }

  /** To the end of all of them. Never rejects. */
  async go(): Promise<void> {
    const telling = setInterval(() => this.#tell(), tellEveryMs)
    for (const entry of this.#entries) {
      if (this.#stopped) entry.state = 'cancelled'
      else await this.#one(entry)
      this.#tell()
    }
    clearInterval(telling)
    this.#ended = performance.now()
    this.#tell()
  }

  #tell(): void {
    this.#tools.emit({ type: 'cohort:changed', cohort: this.state() })
  }

  async #one(entry: Entry): Promise<void> {
    const { projects, closeSlide, log } = this.#tools
    const { recipe, again } = this.#request
    const before = again ? null : runLike(projects.content, entry.slide, recipe, this.#spec)
    // Where another file lies in the slide's place, opening that says so.
    const now = before && (await projects.keyAt(entry.path))
    if (before && (now === null || now === entry.key)) {
      const unfit = unfitWords(entry.slide.stain, this.#spec)
      const { lacks } = before
      Object.assign(entry, { state: 'there', fraction: 1, ...(lacks && { lacks }), ...(unfit !== null && { unfit }) })
      // What was in the way then is no more.
      if (now !== null) await projects.note(entry.key, { failure: undefined }, this.document).catch(() => undefined)
      return this.#classed(entry, before)
    }
    entry.state = 'running'
    this.#tell()
    let open: OpenSlide | null = null
    try {
      open = await this.#opened(entry)
      const seen = await noteStain(projects, open)
      const unfit = unfitWords(seen, this.#spec)
      if (unfit !== null) entry.unfit = unfit
      Object.assign(entry, await this.#found(open, recipe))
    } catch (error) {
      const { code, message } = toAppError(error)
      const why = message.slice(0, maxWhy)
      Object.assign(entry, { state: 'failed', why, objects: null })
      // Where nothing can be kept, more need not be computed.
      if (code === 'OUTPUT_FAILED') this.#stopped = true
      const failure = { at: new Date().toISOString(), recipeName: this.#spec.name, message: why }
      await projects.note(entry.key, { failure }, this.document).catch((cause: unknown) => {
        log({ level: 'warn', message: toAppError(cause).message })
      })
    } finally {
      this.#run = null
      if (open) closeSlide(open.info.slideId)
    }
  }

  /** What was run before has this recipe's cut-offs from now on: nothing need be computed for that. */
  async #classed(entry: Entry, before: KeptRun): Promise<void> {
    const { projects } = this.#tools
    const rule = ruleFor(projects.content, before, this.#request.recipe, this.#spec)
    if (rule === undefined || projects.document !== this.document) return
    try {
      await projects.do({ type: 'objects:rule', run: before.id, rule }, null)
      entry.reclassed = true
    } catch (error) {
      Object.assign(entry, { state: 'failed', why: toAppError(error).message.slice(0, maxWhy) })
    }
  }

  /** The file that holds what the document's slide held, in the calibration and with the channel that it has there. Throws NOT_FOUND, SLIDE_UNREADABLE. */
  async #opened(entry: Entry): Promise<OpenSlide> {
    const open = await this.#openedAt(entry)
    this.#tools.onOpened?.(open)
    return open
  }

  async #openedAt({ path, key, slide: { name, mppX, channel } }: Entry): Promise<OpenSlide> {
    const { slides, closeSlide, projects } = this.#tools
    const first = await slides.open(path)
    try {
      if ((await projects.keyOf(first)) !== key)
        throw new EngineError('NOT_FOUND', `Another slide than ${name} is at its path now: ${path}.`)
      const mpp = mppX === null || first.info.mppX === mppX ? undefined : mppX
      if (mpp === undefined && channel === undefined) return first
      const asHeld = await slides.open(path, mpp, channel === undefined ? undefined : choiceOf(channel))
      closeSlide(first.info.slideId)
      return asHeld
    } catch (error) {
      closeSlide(first.info.slideId)
      throw error
    }
  }

  async #found(
    open: OpenSlide,
    recipe: Recipe,
  ): Promise<Pick<Entry, 'state' | 'fraction' | 'objects' | 'lacks' | 'corrections'>> {
    const { projects, keptRuns, runs, specs, means } = this.#tools
    const { threads, device } = this.#request
    const request: RunRequest = {
      ...{ slideId: open.info.slideId, region: 'whole', recipe, purpose: 'run' },
      ...(threads !== undefined && { threads }),
      ...(device !== undefined && { device }),
    }
    // Cancelled while the slide was opened.
    if (this.#stopped) return { state: 'cancelled', fraction: 0, objects: null }
    const { runId } = runs.start(request, open, await specs.get(recipe.spec), await means())
    const run = runs.get(runId)
    this.#run = run
    await run.ended
    const { state, error } = run.status()
    // Its document may be another by now.
    if (state === 'done' && projects.document === this.document) {
      await keptRuns.keep(projects, run)
      const corrections = await keptRuns.carryNewest(projects, run, this.#request.carry === true)
      const status = run.status()
      const lacks = lacksOf(status)
      return {
        ...{ state: 'done', fraction: 1, objects: status.objects },
        ...(lacks !== null && { lacks }),
        ...(corrections && { corrections }),
      }
    }
    runs.delete(runId)
    if (state === 'failed') throw new EngineError(error?.code ?? 'INTERNAL', error?.message ?? 'The run failed.')
    return { state: 'cancelled', fraction: 0, objects: null }
  }
}

/** From what was computed so far, by pixels of the slides; null while that is too little to tell. */
export function etaOf(
  slides: readonly Pick<CohortSlide, 'state' | 'fraction'>[],
  pixels: readonly number[],
  elapsedMs: number,
): number | null {
  let [done, left] = [0, 0]
  slides.forEach(({ state, fraction }, i) => {
    if (state === 'done') done += pixels[i]!
    if (state === 'running') done += fraction * pixels[i]!
    if (state === 'running' || state === 'queued') left += (1 - fraction) * pixels[i]!
  })
  if (left === 0) return 0
  return done > 0 && elapsedMs >= 1000 ? (elapsedMs * left) / done : null
}
