// Wires the engine's modules to each other: who is told of what, and who frees what.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { AppEvent, RunRequest } from '../app/contract'
import { cpuThreads } from './appInfo'
import { Afterwards } from './base/afterwards'
import type { Log } from './base/log'
import { Comparisons } from './compare/comparisons'
import type { ExportTools } from './export/exporter'
import { Exports } from './export/exports'
import { PendingExports } from './export/output/pending'
import { OverlayTiles } from './overlay/overlayTiles'
import { Pace } from './pace'
import type { Opening } from './project/adoption'
import type { Cohorts } from './project/slides/cohort'
import type { KeptRuns } from './project/kept/keptRuns'
import type { Projects } from './project/projects'
import { openSpecs } from './recipe/specs'
import type { SpecTable } from './recipe/specs'
import type { RecipeVersions } from './recipe/versions'
import { draftAnalysis } from './run/analysis/analysis'
import type { Draft } from './run/analysis/analysis'
import type { Means } from './run/request/order'
import { defaultBudget } from './run/schedule/budget'
import { CutFields } from './run/point/cuts'
import type { Budget } from './run/schedule/budget'
import { Journals } from './run/journal/journals'
import type { JournalPlace } from './run/journal/journals'
import { freeMemoryShare } from './run/analysis/memory'
import { Overviews } from './run/analysis/overviews'
import { Runs } from './run/runs'
import { Scheduler } from './run/schedule/schedule'
import { Throughput } from './run/request/throughput'
import { TileResults } from './run/tiles/tileResults'
import type { Recents } from './recents'
import type { SlidePictures } from './slidePictures'
import { defaultSettings, SettingsStore } from './settings'
import { SlideTiles } from './slide/slideTiles'
import { DensityMaps } from './spatial/maps'
import { Spatial } from './spatial/spatial'
import type { Roots } from './base/reach'
import { Slides } from './slide/slides'
import type { OpenSlide } from './slide/slides'
import { Tables } from './table/tables'

export interface PartsOptions {
  readonly settingsDir: string
  /** Of recipes that people keep under names. */
  readonly recipesDir: string
  readonly assetsDir: string
  readonly version: string
  /** What runs may hold; absent: by this machine's memory. */
  readonly budget: Partial<Budget> | undefined
  /** A command has settings for itself alone: it looks into its own folder when it exports, and learns nothing for the next. */
  readonly remembers: boolean
  /** Absent: below the settings where those are kept. */
  readonly journal: JournalPlace | null | undefined
  /** Real paths of the only folders whose files are opened; null: everywhere. */
  readonly roots: Roots
  /** How other processes are told who has a project. */
  readonly program: string
  /** Makes report.pdf; absent where the shell cannot. */
  readonly print: ExportTools['print']
  /** Who hears of the project that is opened next. */
  readonly opening: Opening | undefined
}

export interface Parts {
  readonly settings: SettingsStore
  readonly recents: () => Promise<Recents>
  /** Of projects' slides; loaded with the first that is asked for, or made. */
  readonly slidePictures: () => Promise<SlidePictures>
  readonly specs: SpecTable
  readonly versions: () => Promise<RecipeVersions>
  readonly slides: Slides
  readonly pictures: SlideTiles
  readonly overviews: Overviews
  readonly results: TileResults
  readonly scheduler: Scheduler
  readonly runs: Runs
  readonly overlays: OverlayTiles
  readonly cutFields: CutFields
  readonly tables: Tables
  readonly spatial: Spatial
  readonly maps: DensityMaps
  readonly comparisons: Comparisons
  readonly exports: Exports
  readonly pending: PendingExports | null
  readonly pace: Pace | null
  /** null where runs leave none. */
  readonly journals: Journals | null
  /** Loaded when the first call needs it: most commands need none. */
  readonly projects: () => Promise<Projects>
  /** Those that an earlier call has needed; nothing is loaded or opened. */
  readonly projectsIfOpen: () => Promise<Projects | undefined>
  /** Keeps a picture of a slide of the document: now, while the caller has it open, or a moment later. Nothing on a command line. Never reject. */
  readonly picture: (slide: OpenSlide) => Promise<void>
  readonly pictureSoon: (slide: OpenSlide) => void
  /** Of those, the runs; loaded with them. */
  readonly keptRuns: () => Promise<KeptRuns>
  /** Of those, recipes over many slides; loaded with them. */
  readonly cohorts: () => Promise<Cohorts>
  /** Of one of those who opened it. */
  readonly closeSlide: (slideId: string) => void
  /** Throws INVALID_PARAMETER, NOT_FOUND. */
  readonly draftOf: (asked: Pick<RunRequest, 'slideId' | 'recipe' | 'mpp' | 'device'>) => Promise<Draft>
  /** No slide of it is begun any more. */
  readonly endCohort: () => Promise<void>
  readonly afterwards: Afterwards
  readonly emit: (event: AppEvent) => void
  /** Where a document was opened. */
  readonly closeProjects: () => Promise<void>
  /** Of the settings, where a request says nothing: threads, and what a run that starts now may hold with all that there is, bytes. */
  readonly means: () => Promise<Means>
  readonly threads: () => Promise<number>
  /** Makes what the settings say true. */
  readonly useSettings: () => Promise<void>
}

/**
 * Where documents and their slides' pictures are remembered. Who may reach some folders alone has a place for these folders: a browser must not be
 * shown the project that the desktop had open last.
 */
function documentsOf({ settingsDir, roots }: PartsOptions): string {
  if (roots === null) return settingsDir
  const name = createHash('sha256')
    .update(JSON.stringify([...roots].sort()))
    .digest('hex')
    .slice(0, 16)
  return join(settingsDir, 'serve', name)
}

export function makeParts(options: PartsOptions, emit: (event: AppEvent) => void, log: Log): Parts {
  const settings = new SettingsStore(options.settingsDir, log, options.remembers)
  const afterwards = new Afterwards(log)
  let recents: Promise<Recents> | undefined
  let slidePictures: Promise<SlidePictures> | undefined
  const loadSlidePictures = async (): Promise<SlidePictures> =>
    new (await import('./slidePictures')).SlidePictures(
      documentsOf(options),
      (key) => emit({ type: 'slides:pictured', key }),
      afterwards,
    )
  // A command has no start page.
  const loadRecents = async (): Promise<Recents> =>
    new (await import('./recents')).Recents(settings, options.settingsDir, afterwards)
  const overviews = new Overviews()
  const results = new TileResults()
  const pictures = new SlideTiles()
  const overlays = new OverlayTiles(defaultSettings.overlayBudgetMiB * 2 ** 20, results)
  const cutFields = new CutFields(overviews)
  const spatial = new Spatial(
    (runId) => tables.forget(runId),
    (runId, fraction) => emit({ type: 'spatial:progress', runId, fraction }),
  )
  const maps = new DensityMaps((runId, fraction) => emit({ type: 'spatial:progress', runId, fraction }))
  const tables: Tables = new Tables(spatial.columnsOf)
  const comparisons = new Comparisons()
  const scheduler = new Scheduler(cpuThreads())
  const throughput: Throughput = new Throughput(() => pace?.keep())
  const pace = options.remembers ? new Pace(options.settingsDir, throughput, log) : null
  const pending = options.remembers ? new PendingExports(options.settingsDir, log) : null
  if (pending) afterwards.now(() => pending.recover())
  const exports = new Exports({ app: options.version, print: options.print }, emit, pending)
  const place =
    options.journal === undefined && options.remembers ? { directory: join(options.settingsDir, 'runs') } : options.journal
  const journals = place ? new Journals(place, options.version, log) : null
  if (options.remembers && journals) afterwards.now(() => journals.prune())
  const documents = options.remembers ? join(documentsOf(options), 'documents') : null
  let documentsOpen: Promise<{ projects: Projects; keptRuns: KeptRuns; cohorts: Cohorts }> | undefined
  const loadDocuments = async (): Promise<{ projects: Projects; keptRuns: KeptRuns; cohorts: Cohorts }> => {
    const [loaded, kept, cohort] = await Promise.all([
      import('./project/projects'),
      import('./project/kept/keptRuns'),
      import('./project/slides/cohort'),
    ])
    const keptRuns = new kept.KeptRuns({
      ...{ runs, tables, specs, means, emit, log },
      openSlides: () => slides.inUse(),
      program: options.version,
    })
    const sync = (): void => {
      keptRuns.sync()
      cohorts.sync()
      pictureListed()
    }
    const projects = new loaded.Projects(
      { directory: documents, program: options.program, roots: options.roots, opening: options.opening },
      emit,
      log,
      sync,
    )
    const cohorts = new cohort.Cohorts({
      projects,
      keptRuns,
      runs,
      slides,
      specs,
      means,
      closeSlide,
      emit,
      log,
      onOpened: pictureSoon,
    })
    keptRuns.attach(projects)
    return { projects, keptRuns, cohorts }
  }
  const documentsOnce = () => (documentsOpen ??= loadDocuments())
  const means = async (): Promise<Means> => {
    const { threads, memoryMiB } = await settings.get()
    return { threads: threads || cpuThreads(), memoryBytes: memoryMiB * 2 ** 20 || freeMemoryShare() }
  }
  const threads = async (): Promise<number> => (await means()).threads
  const budget = { ...defaultBudget(), ...options.budget }
  const runs: Runs = new Runs(
    { scheduler, tiles: results, overviews, throughput, budget, journals, emit, log },
    {
      keptBytes: budget.keptBytes,
      onForget: ({ runId }) => {
        exports.cancel(runId)
        overlays.forget(runId)
        spatial.forget(runId)
        maps.forget(runId)
        tables.forget(runId)
        comparisons.forget(runId)
        // The slide may have been kept for this run alone; it is closed when whoever forgets has come to an end.
        setImmediate(() => slides.closeIdle())
      },
      isInUse: (runId) => exports.isExporting(runId),
      slideBytes: (slideId) => slides.idleBytes(slideId),
    },
  )
  const slides = new Slides(
    log,
    (slideId) => {
      runs.forgetSlide(slideId)
      for (const cache of [pictures, results, overviews, cutFields]) cache.forget(slideId)
    },
    (slideId) => runs.isBusy(slideId),
    (slideId) => runs.holdsWork(slideId),
    options.roots,
  )
  const closeSlide = (slideId: string): void => {
    if (!slides.release(slideId)) return
    runs.forgetPreviews(slideId)
    slides.closeIdle()
  }
  const specs = openSpecs(options.assetsDir)
  /** As the document has it that is open; null: there is none, or it does not list the slide. */
  const keyInDocument = async (slide: OpenSlide): Promise<string | null> => {
    const projects = (await documentsOpen)?.projects
    const key = await projects?.keyOf(slide)
    return key !== undefined && (await projects!.slides()).some((each) => each.key === key) ? key : null
  }
  const picturesOnce = () => (slidePictures ??= loadSlidePictures())
  const picture = async (slide: OpenSlide): Promise<void> => {
    const key = options.remembers ? await keyInDocument(slide).catch(() => null) : null
    if (key !== null) await (await picturesOnce()).keep(key, slide, pictures).catch(() => undefined)
  }
  const pictureSoon = (slide: OpenSlide): void => {
    if (options.remembers)
      afterwards.now(async () => (await picturesOnce()).keepSoon(() => keyInDocument(slide), slide, pictures))
  }
  let looksForPictures = false
  /** Of slides that the document lists since it changed: by what was drawn on them, by a result, or by another document. */
  const pictureListed = (): void => {
    if (!options.remembers || looksForPictures) return
    looksForPictures = true
    afterwards.now(async () => {
      const known = await (await picturesOnce()).keys()
      looksForPictures = false
      for (const slide of slides.inUse()) {
        const key = await keyInDocument(slide).catch(() => null)
        if (key !== null && !known.has(key)) pictureSoon(slide)
      }
    })
  }
  return {
    settings,
    recents: () => (recents ??= loadRecents()),
    slidePictures: picturesOnce,
    picture,
    pictureSoon,
    specs,
    versions: async () => new (await import('./recipe/versions')).RecipeVersions(options.recipesDir, specs, log),
    slides,
    pictures,
    overviews,
    results,
    scheduler,
    runs,
    overlays,
    cutFields,
    tables,
    spatial,
    maps,
    comparisons,
    exports,
    pending,
    pace,
    journals,
    projects: async () => (await documentsOnce()).projects,
    projectsIfOpen: async () => (await documentsOpen)?.projects,
    keptRuns: async () => (await documentsOnce()).keptRuns,
    cohorts: async () => (await documentsOnce()).cohorts,
    closeSlide,
    draftOf: async ({ slideId, recipe, mpp, device }) =>
      draftAnalysis(slides.get(slideId), await specs.get(recipe.spec), recipe, mpp, device),
    endCohort: async () => (await documentsOpen)?.cohorts.cancel(),
    afterwards,
    emit,
    closeProjects: async () => (await documentsOpen)?.projects.close(),
    means,
    threads,
    useSettings: async () => {
      const { overlayBudgetMiB } = await settings.get()
      overlays.setBudget(overlayBudgetMiB * 2 ** 20)
    },
  }
}
