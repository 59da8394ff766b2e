// Results that the document holds, read again: those of the slides on show by themselves, also what an undo puts back; others when they are asked for.
import type { RunStatus } from '../../../app/contract'
import { toAppError } from '../../base/errors'
import type { Log } from '../../base/log'
import type { SpecTable } from '../../recipe/specs'
import { KeptObjects } from '../../run/journal/kept'
import type { Means } from '../../run/request/order'
import type { Run } from '../../run/run'
import type { Runs } from '../../run/runs'
import type { OpenSlide } from '../../slide/slides'
import type { Projects } from '../projects'
import { isStanding } from '../wholes/wholes'

export interface RestoringTools {
  readonly runs: Runs
  readonly specs: SpecTable
  readonly means: () => Promise<Means>
  /** What somebody has open. */
  readonly openSlides: () => readonly OpenSlide[]
  readonly log: Log
}

export class Restoring {
  readonly #tools: RestoringTools
  readonly #keeping: (run: Run) => Promise<string> | undefined
  readonly #onRead: () => void
  /** Being read, by id. */
  readonly #coming = new Map<string, Promise<void>>()
  /** What came back once, by id and slide: what was let go of since, to make room, does not come by itself again. */
  readonly #came = new Set<string>()
  /** By id, slides that a window shows. */
  readonly #followed = new Set<string>()

  /** `keeping`: of a run that is about to be held. `onRead`: one is there with its objects. */
  constructor(tools: RestoringTools, keeping: (run: Run) => Promise<string> | undefined, onRead: () => void) {
    this.#tools = tools
    this.#keeping = keeping
    this.#onRead = onRead
  }

  /** Those that the document does not hold any more may come back once more. */
  forget(isGone: (id: string) => boolean): void {
    for (const key of this.#came) if (isGone(key.split('/')[0]!)) this.#came.delete(key)
  }

  /** What the document holds of the slide is there from now on, also what an undo puts back, as long as it is open. */
  follow(projects: Projects, slide: OpenSlide): void {
    this.#followed.add(slide.info.slideId)
    this.#restoreSoon(projects, slide)
  }

  /** After the document's results have changed. */
  bringBack(projects: Projects): void {
    if (this.#followed.size === 0) return
    const open = new Map(this.#tools.openSlides().map((slide) => [slide.info.slideId, slide]))
    for (const slideId of this.#followed) {
      const slide = open.get(slideId)
      if (slide) this.#restoreSoon(projects, slide)
      else this.#followed.delete(slideId)
    }
  }

  #restoreSoon(projects: Projects, slide: OpenSlide): void {
    this.restore(projects, slide).catch((error: unknown) => {
      const { code, message } = toAppError(error)
      if (code !== 'ENGINE_LOST') this.#tools.log({ level: 'warn', message: `${slide.info.name}: ${message}` })
    })
  }

  /** Brings back what the document holds of a slide and is not there. Resolves when all of it has been begun; what fails is logged. */
  async restore(projects: Projects, slide: OpenSlide): Promise<void> {
    // One that is being kept is there, and is told of in a moment.
    await Promise.allSettled(this.#tools.runs.all().map(async (run) => this.#keeping(run)))
    for (const { id, name } of await projects.runsOn(slide)) {
      const key = `${id}/${slide.info.slideId}`
      await this.#coming.get(id)
      // The one before took a while.
      const { runs } = projects.content
      const held = runs.get(id)
      if (!held || !isStanding(runs, held) || this.#came.has(key) || this.#runOf(id, slide)) {
        // Another caller may have begun it in between.
        await this.#coming.get(id)
        continue
      }
      this.#came.add(key)
      const coming = this.#bring(projects, id, slide).catch((error: unknown) => {
        this.#tools.log({ level: 'warn', message: `The objects of ${name} could not be read: ${toAppError(error).message}` })
      })
      this.#coming.set(id, coming)
      await coming
      this.#coming.delete(id)
    }
  }

  /** Those that came back, or were there, when all are at their end. */
  async restored(projects: Projects, slide: OpenSlide): Promise<RunStatus[]> {
    await this.restore(projects, slide)
    const held = await projects.runsOn(slide)
    const runs = held.flatMap(({ id }) => this.#runOf(id, slide) ?? [])
    await Promise.all(runs.map((run) => run.ended))
    return runs.map((run) => run.status())
  }

  /** One of them, whether it came before or not; undefined: it has no objects here. */
  async one(projects: Projects, id: string, slide: OpenSlide): Promise<Run | undefined> {
    for (let coming = this.#coming.get(id); coming; coming = this.#coming.get(id)) await coming
    if (this.#runOf(id, slide)) return this.#runOf(id, slide)
    // Who brings all of the slide back meanwhile must not read it too.
    this.#came.add(`${id}/${slide.info.slideId}`)
    const coming = this.#bring(projects, id, slide)
    this.#coming.set(
      id,
      coming.catch(() => undefined),
    )
    await coming.finally(() => this.#coming.delete(id))
    return this.#runOf(id, slide)
  }

  async #bring(projects: Projects, id: string, slide: OpenSlide): Promise<void> {
    const path = projects.fileOf(id)
    if (path === null) return
    const kept = await KeptObjects.open(path, id)
    const spec = await this.#tools.specs.get(kept.head.request.recipe.spec)
    const run = this.#tools.runs.restore(kept, slide, spec, await this.#tools.means())
    void run.ended.then(() => this.#onRead())
  }

  #runOf(keptId: string, slide: OpenSlide): Run | undefined {
    return this.#tools.runs.all().find((run) => run.keptId === keptId && run.draft.slide.info.slideId === slide.info.slideId)
  }
}
