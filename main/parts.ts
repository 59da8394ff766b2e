// Wires the engine's modules to each other: who is told of what, and who frees what.
import type { AppEvent } from '../app/contract'
import { cpuThreads } from './appInfo'
import type { Log } from './base/log'
import { Exports } from './export/exports'
import { PendingExports } from './export/pending'
import { OverlayTiles } from './overlay/overlayTiles'
import { Pace } from './pace'
import { openSpecs } from './recipe/specs'
import type { SpecTable } from './recipe/specs'
import { defaultBudget } from './run/budget'
import type { Budget } from './run/budget'
import { freeMemoryShare } from './run/memory'
import { Overviews } from './run/overviews'
import { Runs } from './run/runs'
import { Scheduler } from './run/schedule'
import { Throughput } from './run/throughput'
import { TileResults } from './run/tileResults'
import { SettingsStore } from './settings'
import { SlideTiles } from './slide/slideTiles'
import { Slides } from './slide/slides'

export interface PartsOptions {
  readonly settingsDir: string
  readonly assetsDir: string
  readonly version: string
  /** What runs may hold; absent: by this machine's memory. */
  readonly budget: Partial<Budget> | undefined
  /** A command has settings for itself alone: it looks into its own folder when it exports, and learns nothing for the next. */
  readonly remembers: boolean
}

export interface Parts {
  readonly settings: SettingsStore
  readonly specs: SpecTable
  readonly slides: Slides
  readonly pictures: SlideTiles
  readonly overviews: Overviews
  readonly results: TileResults
  readonly scheduler: Scheduler
  readonly runs: Runs
  readonly overlays: OverlayTiles
  readonly exports: Exports
  readonly pending: PendingExports | null
  readonly pace: Pace | null
  /** Of the settings, where a request says nothing. */
  readonly threads: () => Promise<number>
  /** What a run that starts now may hold with all that there is, bytes. */
  readonly memory: () => Promise<number>
  /** Makes what the settings say true. */
  readonly useSettings: () => Promise<void>
}

export function makeParts(options: PartsOptions, emit: (event: AppEvent) => void, log: Log): Parts {
  const settings = new SettingsStore(options.settingsDir, log)
  const overviews = new Overviews()
  const results = new TileResults()
  const pictures = new SlideTiles()
  const overlays = new OverlayTiles(512 * 2 ** 20, results)
  const scheduler = new Scheduler(cpuThreads())
  const throughput: Throughput = new Throughput(() => pace?.keep())
  const pace = options.remembers ? new Pace(options.settingsDir, throughput, log) : null
  const pending = options.remembers ? new PendingExports(options.settingsDir, log) : null
  void pending?.recover()
  const exports = new Exports(options.version, emit, pending)
  const budget = { ...defaultBudget(), ...options.budget }
  const runs: Runs = new Runs(
    { scheduler, tiles: results, overviews, throughput, budget, emit, log },
    {
      keptBytes: budget.keptBytes,
      onForget: ({ runId }) => {
        exports.cancel(runId)
        overlays.forget(runId)
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
      for (const cache of [pictures, results, overviews]) cache.forget(slideId)
    },
    (slideId) => runs.isBusy(slideId),
    (slideId) => runs.holdsWork(slideId),
  )
  const specs = openSpecs(options.assetsDir)
  return {
    settings,
    specs,
    slides,
    pictures,
    overviews,
    results,
    scheduler,
    runs,
    overlays,
    exports,
    pending,
    pace,
    threads: async () => (await settings.get()).threads || cpuThreads(),
    memory: async () => (await settings.get()).memoryMiB * 2 ** 20 || freeMemoryShare(),
    useSettings: async () => {
      const { overlayBudgetMiB } = await settings.get()
      overlays.setBudget(overlayBudgetMiB * 2 ** 20)
    },
  }
}
