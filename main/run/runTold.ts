// How one run stands, as others are told: its status at any time, and its result with all that was done to its objects since.
import { withCuts } from '../../app/contract'
import type { AppError, ObjectRule, Region, RunStatus, RunVerification } from '../../app/contract'
import { groupsOf } from '../slide/measuredChannels'
import type { Analysis } from './analysis/analysis'
import { channelNamed, slideOfRun } from './analysis/channel'
import { pixelDepth } from './analysis/draft'
import { peakRssBytes } from './analysis/memory'
import { Workload } from './analysis/workload'
import { gradedMarks } from './objects/marks'
import { cutsIn } from './objects/objectClasses'
import type { RunResult } from './objects/result'
import { regionOnSlide } from './plan/plan'
import type { Plan } from './plan/plan'
import type { RunOrder } from './request/order'
import type { GroundWait } from './result/groundWait'
import type { ResultCollector } from './result/resultCollector'
import { shardTimeline } from './result/shardTimeline'
import type { RunState } from './schedule/runState'
import { Stopwatch } from './schedule/stopwatch'

export class RunTold {
  readonly askedAt = new Date().toISOString()
  readonly elapsed = new Stopwatch()
  readonly computing = new Stopwatch()
  readonly workload = new Workload()
  readonly notes = new Set<string>()
  /** With the overview's values: undefined until they are known. */
  analysis: Analysis | undefined
  error: AppError | null = null
  /** In the document, where that holds its objects. */
  keptId: string | null
  rule: ObjectRule | null = null
  edits = 0
  verification: RunVerification | null = null
  peakRssBytes: number | undefined
  readonly #order: RunOrder
  readonly #plan: Plan
  readonly #found: ResultCollector
  readonly #state: RunState
  readonly #ground: Pick<GroundWait, 'progress'>
  #areas: ReturnType<ResultCollector['areas']> | undefined

  constructor(order: RunOrder, plan: Plan, found: ResultCollector, state: RunState, ground: Pick<GroundWait, 'progress'>) {
    this.#order = order
    this.#plan = plan
    this.#found = found
    this.#state = state
    this.#ground = ground
    this.keptId = order.kept?.keptId ?? null
  }

  get region(): Region {
    return regionOnSlide(this.#order.draft.grid, this.#order.region)
  }

  /** What the native pipeline is given: px and levels, with the slide's "overview.*" values once they are known. */
  get resolved(): RunResult['resolved'] {
    return this.#order.kept?.head.resolved ?? this.analysis?.params ?? this.#order.draft.params
  }

  status(): RunStatus {
    const order = this.#order
    const { draft } = order
    const { grid, resolution } = draft
    const [found, state] = [this.#found, this.#state]
    const { over } = state
    const computingMs = this.computing.ms
    return {
      runId: order.runId,
      slideId: draft.slide.info.slideId,
      purpose: order.purpose,
      name: order.name,
      state: state.told,
      startedAt: order.kept?.head.startedAt ?? this.askedAt,
      ...(order.layers && { layers: true }),
      ...(this.keptId !== null && { keptId: this.keptId }),
      ...(order.kept?.head.imported && { imported: order.kept.head.imported }),
      ...(this.edits > 0 && { edits: this.edits }),
      ...(this.rule && { rule: this.rule }),
      ...cutsIn(draft, this.rule),
      ...channelNamed(draft.slide.info, order.request),
      region: this.region,
      ...(order.withinPx === undefined ? {} : { withinPx: order.withinPx }),
      ...(order.withinBox && { withinBox: order.withinBox }),
      grid: { tileSizePx: grid.tileSizePx, scale: grid.scale, maxLevel: grid.maxLevel },
      analysedMpp: resolution.analysedMpp,
      nominalMpp: resolution.nominalMpp,
      ...(this.resolved[pixelDepth] === 16 && { analysedBits: 16 }),
      tilesTotal: this.#plan.tileCount,
      ...found.counts(),
      ...(this.#areas ??= over ? found.areas() : undefined),
      ...(this.#ground.progress && !over && { ground: this.#ground.progress }),
      settling: state.settling,
      elapsedMs: order.kept?.note.elapsedMs ?? this.elapsed.ms,
      etaMs: over ? 0 : state.paused ? null : this.workload.etaMs(computingMs),
      megapixelsPerSecond: computingMs > 0 ? (found.pixelsDone - found.pixelsResumed) / 1000 / computingMs : 0,
      warnings: order.kept?.note.warnings ?? [...order.warnings, ...this.notes, ...found.doubts()],
      error: this.error,
    }
  }

  result(): RunResult {
    const order = this.#order
    const { draft } = order
    const { objects, unreadable, uncertain, timeline } = this.#found
    return {
      status: this.status(),
      slide: slideOfRun(draft.slide.info, order.request),
      spec: draft.spec,
      recipe: withCuts(draft.recipe, draft.spec, this.rule) ?? draft.recipe,
      resolved: this.resolved,
      stainNames: draft.stainNames,
      ...groupsOf(draft.slide.info, draft.stainNames, draft.cells),
      cellReach: Math.ceil(draft.cells?.reachPx ?? 0),
      classes: draft.classes,
      shapes: order.shapes,
      marks: gradedMarks(objects, draft.classes),
      scale: draft.grid.scale,
      unreadable: [...unreadable],
      uncertain: [...uncertain],
      objects: objects.left(),
      timeline: order.kept?.shards ? shardTimeline(order.kept.shards) : timeline.get(),
      shards: order.kept?.shards,
      verification: this.verification,
      memory: { ...order.memory, peakRssBytes: this.peakRssBytes ?? peakRssBytes() },
    }
  }
}
