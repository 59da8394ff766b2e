// The document that is open: commands, undo and redo, one after the other; where it lies; who is told.
import { rm } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { basename, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type {
  AppEvent,
  DocumentCommand,
  DocumentSlide,
  DocumentState,
  KeptRun,
  ProjectSlide,
  RegionMeasure,
} from '../../app/contract'
import { breather, inSteps } from '../base/breather'
import type { Heard, Waiting } from '../base/breather'
import { EngineError, invalid } from '../base/errors'
import type { Log } from '../base/log'
import type { OpenSlide } from '../slide/slides'
import { adopted, noted, rememberProject } from './adoption'
import type { ProjectsOptions } from './adoption'
import { applying, emptyContent } from './document'
import type { Content, Placed } from './document'
import type { FurtherParts } from './regions/furtherParts'
import { measuring } from './regions/measure'
import type { Results } from './regions/regionResults'
import { runFile } from './kept/runFiles'
import { requireRunsFolder } from './disk/look'
import { placedOn, regionsAmong, regionsOfSlide, requireOnSlides } from './regions/placed'
import { isSameFolder, isUnnamed, Places } from './slides/places'
import { SlideKeys, type SlideNote } from './slides/slideKeys'
import { listedSlides, oldestFirst, removable, slideList, slidesAmong, standing } from './slides/standing'
import { ProjectStore, projectSuffix } from './store'
import type { Loaded, Step } from './store'
import type { OpenDocument } from './unnamed'
import { changeOf } from './told'
import { standingRuns, withParts } from './wholes/wholes'

type Taking = Generator<Waiting, { revision: number; name: string }, void>
const nothing: Loaded = { content: emptyContent, slides: new Map(), steps: [], revision: 0 }

export class Projects {
  readonly #options: ProjectsOptions
  readonly #emit: (event: AppEvent) => void
  readonly #log: Log
  readonly #onChange: () => void
  #store: ProjectStore | null = null
  #content: Content = emptyContent
  #slides = new Map<string, DocumentSlide>()
  #steps: Step[] = []
  #revision = 0
  #trouble: string | null = null
  #recovered = false
  #closed = false
  #document = 0
  /** One after the other: each begins where the last one ended. */
  #tail: Promise<unknown> | null = null
  readonly #keys: SlideKeys
  readonly #places: Places

  /** `onChange` is called before the event. */
  constructor(options: ProjectsOptions, emit: (event: AppEvent) => void, log: Log, onChange: () => void = () => undefined) {
    this.#options = options
    this.#keys = new SlideKeys(options.roots ?? null)
    this.#places = new Places(options.roots ?? null)
    this.#emit = emit
    this.#log = log
    this.#onChange = onChange
  }

  get content(): Content {
    return this.#content
  }
  /** Another number is another document. A name given to it makes it no other. */
  get document(): number {
    return this.#document
  }

  slides(): Promise<DocumentSlide[]> {
    return this.#inTurn(() => listedSlides(this.#content, this.#slides))
  }

  /** With what was found on each. Looks for their files; `seen`: not for those that it has found before. `keys`: these alone. */
  async slideList(seen?: boolean, keys?: readonly string[]): Promise<ProjectSlide[]> {
    const slides = slidesAmong(await this.slides(), keys)
    return slideList(this.#content, slides, await this.#places.of(slides, this.#store?.folder ?? null, seen))
  }

  /** Its own from now on: no step of history. On the disk when it resolves. `knownAs`: where the same slide was added from already. */
  addSlide(slide: OpenSlide): Promise<{ key: string; isNew: boolean; knownAs?: { name: string; path: string } }> {
    return this.#inTurn(async () => {
      const about = await this.#about(slide)
      const { key, name, path } = about
      const isNew = !listedSlides(this.#content, this.#slides).some((each) => each.key === key)
      this.#putSlide(about)
      return { key, isNew, ...(path !== slide.info.path && { knownAs: { name, path } }) }
    })
  }

  /** What is said of a slide: by its key where it is (still) the document's; one that is open in any case, which lists it nowhere. */
  note(of: string | OpenSlide, what: SlideNote, document?: number): Promise<void> {
    return this.#inTurn(async () => {
      const slide = typeof of === 'string' ? this.#slides.get(of) : await this.#keys.noted(of, this.#slides)
      if (!slide || (document ?? this.#document) !== this.#document) return
      const now = { ...slide, ...what }
      if (JSON.stringify(now) !== JSON.stringify(this.#slides.get(slide.key))) this.#putSlide(now)
    })
  }

  /** `parts`: who holds what is too much for one answer. */
  async state(slide: OpenSlide | null, parts?: FurtherParts): Promise<DocumentState> {
    const key = slide && (await this.keyOf(slide))
    return this.#inTurn(async () => ({
      ...standing(this.#content, this.#slides, this.#steps, this.#named(), this.#store),
      ...{ revision: this.#revision, slide: key, recovered: this.#recovered, trouble: this.#trouble },
      ...(await inSteps(regionsOfSlide(this.#content, key, parts), breather())),
    }))
  }

  /** The lowest first. */
  regionsOn(key: string): Placed[] {
    return placedOn(this.#content, key)
  }

  do(command: DocumentCommand, slide: OpenSlide | null): Promise<{ revision: number; name: string }> {
    return this.#inTurn(async () => inSteps(this.#taking(command, slide && (await this.#about(slide))), breather()))
  }

  /**
   * Holds a run's objects from now on: `write` makes their file at the path that it is given, on the disk when it resolves. Who is killed
   * between leaves a file of no run, which goes at the next opening.
   */
  keep(about: Omit<KeptRun, 'id' | 'slide'>, slide: OpenSlide, write: (path: string) => Promise<void>): Promise<string> {
    return this.#inTurn(async () => {
      const known = await this.#about(slide)
      const store = this.#kept()
      const run: KeptRun = { ...about, id: `k${randomBytes(8).toString('hex')}`, slide: known.key }
      requireRunsFolder(store.folder)
      await write(runFile(store.folder, run.id))
      const revision = this.#revision + 1
      store.keep(run, known, revision)
      this.#changed({ ...this.#content, runs: new Map([...this.#content.runs, [run.id, run]]) }, revision, known)
      return run.id
    })
  }

  /** Lets go of a run: its objects, and the steps that are about them. Throws NOT_FOUND. */
  drop(id: string): Promise<void> {
    return this.#inTurn(() => {
      if (!this.#content.runs.has(id)) throw new EngineError('NOT_FOUND', 'The document does not hold that run any more.')
      return this.#letGo(withParts(this.#content.runs, [id]), null)
    })
  }

  /** Takes a slide out, with its runs: nobody corrected any. Throws NOT_FOUND, INVALID_PARAMETER where something of a person's is on it. */
  removeSlide(key: string): Promise<void> {
    return this.#inTurn(() => {
      const { slide, runs } = removable(this.#content, this.#slides, key)
      return this.#letGo(runs, { ...slide, removed: true })
    })
  }

  /** Where a run's objects lie; null: there is no such run. */
  fileOf(id: string): string | null {
    if (!this.#store || !this.#content.runs.has(id)) return null
    requireRunsFolder(this.#store.folder)
    return runFile(this.#store.folder, id)
  }

  /** Whose objects it holds of a slide, the oldest first. */
  async runsOn(slide: OpenSlide): Promise<KeptRun[]> {
    const key = await this.keyOf(slide)
    return this.#inTurn(() => oldestFirst(standingRuns(this.#content.runs).filter((run) => run.slide === key)))
  }

  /** The name of the step that was taken back; null: there was none. */
  undo(): Promise<string | null> {
    return this.#inTurn(() =>
      this.#move(
        this.#steps.findLast((step) => !step.undone),
        true,
      ),
    )
  }

  redo(): Promise<string | null> {
    return this.#inTurn(() =>
      this.#move(
        this.#steps.find((step) => step.undone),
        false,
      ),
    )
  }

  /** The one that is open already stays as it is: after a crash it was taken up at the start, and a person opens it from a list. */
  open(path: string): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#store && isSameFolder(path, this.#store.folder)) return
      const { directory, program, opening } = this.#options
      const { store, loaded } = await noted(directory, resolve(path), () => ProjectStore.open(path, program), opening)
      this.#leave()
      this.#document += 1
      this.#use(store, loaded)
      await this.#remember()
    })
  }

  /** With the document that is open as it stands, before whatever is asked next. */
  now<T>(work: (open: OpenDocument) => T | Promise<T>): Promise<T> {
    return this.#inTurn(() =>
      work({ ...this.#options, folder: this.#store?.folder ?? null, content: this.#content, slides: this.#slides }),
    )
  }

  /** All that there is under a name of the user's, from now on. */
  save(path: string): Promise<void> {
    return this.#inTurn(async () => {
      const folder = resolve(path)
      if (!folder.endsWith(projectSuffix) || basename(folder) === projectSuffix)
        throw invalid(`a folder’s path that ends with NAME${projectSuffix}`, 'path', path)
      const loaded: Loaded = { content: this.#content, slides: this.#slides, steps: this.#steps, revision: this.#revision }
      const { folder: from = null } = this.#store ?? {}
      const made = ProjectStore.create(folder, this.#options.program, loaded, this.#store?.steps() ?? [], from)
      const unnamed = this.#named() === null ? (this.#store?.folder ?? null) : null
      this.#leave()
      this.#use(made.store, made.loaded)
      await this.#remember()
      // It lies under its name now.
      if (unnamed !== null) await rm(unnamed, { recursive: true, force: true }).catch(() => undefined)
    })
  }

  /** An empty one. What was there stays on the disk: a document without a name is found again where it has something in it. */
  startAnew(): Promise<void> {
    return this.#inTurn(async () => {
      this.#leave()
      this.#document += 1
      this.#use(null, { ...nothing, revision: this.#revision })
      await this.#remember()
    })
  }

  /** A command checked for regions and classes as they were, in steps; false: they are others by now. `signal` ends it until it is on the disk. */
  async doOn({ regions, classes }: Content, command: DocumentCommand, slide: OpenSlide, how: Heard = {}): Promise<boolean> {
    return this.#inTurn(async () => {
      const about = await this.#about(slide)
      const isSame = regions === this.#content.regions && classes === this.#content.classes
      if (isSame) await inSteps(this.#taking(command, about, true), breather(how.signal), how.each)
      return isSame
    })
  }

  /** In each region of a slide, of the run that is its own. `results`: null: sizes alone. In steps, between which others have the thread. */
  async measured(key: string, results: Results | null, ids?: readonly string[], signal?: AbortSignal): Promise<RegionMeasure[]> {
    const [slide, breathe] = [this.#slides.get(key) ?? null, breather(signal)]
    return inSteps(measuring(await inSteps(regionsAmong(this.#content, key, ids), breathe), slide, results), breathe)
  }

  readonly keyOf = (slide: OpenSlide): Promise<string> => this.#keys.of(slide)
  readonly heldOf = (slide: OpenSlide) => this.#inTurn(async () => this.#slides.get(await this.keyOf(slide)))
  /** Which slide the file there is; null: there is none. */
  readonly keyAt = (path: string): Promise<string | null> => this.#keys.at(path)

  /** All that was acknowledged is on the disk already. */
  async close(): Promise<void> {
    await this.#tail
    this.#closed = true
    this.#leave()
  }

  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const next = (this.#tail ?? this.#adopt()).then(() => {
      if (this.#closed) throw new EngineError('ENGINE_LOST', 'Morphoscope is closing.')
      return work()
    })
    this.#tail = next.then(
      () => undefined,
      () => undefined,
    )
    return next
  }

  #named(): string | null {
    const folder = this.#store?.folder ?? null
    return folder !== null && isUnnamed(folder, this.#options.directory) ? null : folder
  }

  readonly #about = (slide: OpenSlide): Promise<DocumentSlide> => this.#keys.about(slide, this.#slides)

  #putSlide(slide: DocumentSlide): void {
    const revision = this.#revision + 1
    this.#kept().putSlide(slide, revision)
    this.#changed(this.#content, revision, slide)
  }

  async #letGo(runs: readonly string[], slide: DocumentSlide | null): Promise<void> {
    const store = this.#kept()
    const revision = this.#revision + 1
    this.#steps = store.drop(runs, slide, revision)
    const { content } = this
    const isLeft = ([id]: [string, unknown]): boolean => !runs.includes(id)
    this.#changed(
      { ...content, runs: new Map([...content.runs].filter(isLeft)), edits: new Map([...content.edits].filter(isLeft)) },
      revision,
      slide,
    )
    requireRunsFolder(store.folder)
    for (const id of runs) await rm(runFile(store.folder, id), { force: true }).catch(() => undefined)
  }

  *#taking(command: DocumentCommand, about: DocumentSlide | null, asIs = false): Taking {
    requireOnSlides(command, (key) => key === about?.key || this.#slides.has(key))
    const { next, forward, inverse, name, written } = yield* applying(this.#content, command, asIs)
    const at = Date.now()
    const revision = this.#revision + 1
    const step = yield* this.#kept().committing(written, about, { at, name, forward, inverse }, revision, true)
    this.#steps = [...this.#steps.filter(({ undone }) => !undone), step]
    this.#changed(next, revision, about)
    return { revision, name }
  }

  async #move(step: Step | undefined, undone: boolean): Promise<string | null> {
    return step ? inSteps(this.#moving(step, undone), breather()) : null
  }

  *#moving(step: Step, undone: boolean): Generator<Waiting, string, void> {
    const store = this.#kept()
    const { next, written } = yield* applying(
      this.#content,
      yield* store.commanding(step.seq, undone ? 'inverse' : 'forward'),
      true,
    )
    const revision = this.#revision + 1
    yield* store.moving(written, step.seq, undone, revision, true)
    this.#steps = this.#steps.map((each) => (each === step ? { ...step, undone } : each))
    this.#changed(next, revision)
    return step.name
  }

  /** It is on the disk. `slide`: what is said of one from now on. */
  #changed(content: Content, revision: number, slide: DocumentSlide | null = null): void {
    const before = this.#content
    const isSameSlide = slide === null || isDeepStrictEqual(this.#slides.get(slide.key), slide)
    if (slide) this.#slides.set(slide.key, slide)
    this.#content = content
    this.#revision = revision
    this.#onChange()
    const { slides, store } = { slides: this.#slides, store: this.#store }
    const change = isSameSlide && store ? changeOf(before, { content, slides, steps: this.#steps }, store) : undefined
    this.#emit({ type: 'document:changed', revision, ...(change && { change }) })
  }

  /** Asked before what takes long is begun for it. Throws OUTPUT_FAILED where the project that is open is read only. */
  requireChangeable(): Promise<void> {
    return this.#inTurn(() => this.#store?.requireChangeable())
  }

  /** The store, made with the first change. */
  #kept(): ProjectStore {
    this.#store?.requireChangeable()
    if (this.#store) return this.#store
    const { directory, program } = this.#options
    if (directory === null)
      throw new EngineError('INVALID_PARAMETER', 'No project is open here that could hold a change. Open one first.')
    const name = `${new Date().toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}${projectSuffix}`
    this.#store = ProjectStore.create(join(directory, name), program, { ...nothing, revision: this.#revision }).store
    return this.#store
  }

  #use(store: ProjectStore | null, { content, slides, steps, revision }: Loaded): void {
    this.#store = store
    this.#content = content
    this.#slides = new Map(slides)
    this.#steps = [...steps]
    this.#recovered = store?.recovered ?? false
    this.#trouble = store?.readOnly ?? null
    // Above what pages have heard of, whichever document that was.
    this.#revision = Math.max(revision, this.#revision + 1)
    this.#onChange()
    this.#emit({ type: 'document:changed', revision: this.#revision })
  }

  #leave(): void {
    this.#store?.close()
    this.#store = null
  }

  async #remember(): Promise<void> {
    const { directory } = this.#options
    if (directory !== null) await rememberProject(directory, this.#named())
  }

  async #adopt(): Promise<void> {
    const { directory, program, opening } = this.#options
    if (directory === null) return
    const { opened, trouble } = await adopted(directory, program, this.#log, opening)
    if (opened) this.#use(opened.store, opened.loaded)
    else this.#trouble = trouble
  }
}
