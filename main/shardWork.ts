// A slide's run in shards, as the command line has it: what only the whole slide decides, one shard's end, and all of them as one run.
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { cpuUsage } from 'node:process'
import type { RunRequest, RunStatus, ShardRef } from '../app/contract'
import { requireDevice } from '../native/index'
import { digest } from './base/digest'
import { EngineError } from './base/errors'
import type { Parts } from './parts'
import type { GroundProgress } from './run/analysis/grounds'
import { groundRoom, peakRssBytes } from './run/analysis/memory'
import { KeptObjects } from './run/journal/kept'
import { requireVersion } from './run/journal/journal'
import type { JournalHead } from './run/journal/journal'
import { MergedShards } from './shards/merged'
import { prepare, readPrepared, takePrepared } from './shards/prepared'
import type { Prepared } from './shards/prepared'
import { shardFolder, shardResult, shardsIn } from './shards/shardFiles'

export interface PrepareRequest {
  readonly request: RunRequest
  readonly folder: string
  readonly nameless: boolean
}

/** What of a shard's folder a command asks, and does. */
export interface ShardWork {
  /** Throws as a run's beginning, OUTPUT_FAILED, CANCELLED. */
  prepare(asked: PrepareRequest, onProgress: (progress: GroundProgress) => void, signal: AbortSignal): Promise<Prepared>
  /** null where nothing is prepared. Throws INVALID_PARAMETER. */
  prepared(folder: string): Promise<Prepared | null>
  /** What was prepared counts for runs of the slide from now on. Throws INVALID_PARAMETER, NOT_FOUND. */
  take(prepared: Prepared, folder: string, slideId: string): Promise<void>
  /** Whether the shard is finished: null where it is not. Throws INVALID_PARAMETER where it is another run's or slide's. */
  finished(folder: string, ref: ShardRef, request: RunRequest): Promise<KeptObjects['note'] | null>
  /** A run that is done, as its shard's file. */
  keep(folder: string, ref: ShardRef, runId: string): Promise<string>
  /** What the shards of these folders are of. Throws INVALID_PARAMETER where there are none. */
  whole(folders: readonly string[]): Promise<Pick<JournalHead, 'request' | 'slide' | 'startedAt'> & { readonly of: number }>
  /** All shards of these folders as one run, which is done when this resolves. Throws INVALID_PARAMETER. */
  merge(folders: readonly string[], slideId: string): Promise<RunStatus>
}

export function shardWork(parts: Parts, version: string): ShardWork {
  const { slides, specs, overviews, runs } = parts
  return {
    async prepare({ request, folder, nameless }, onProgress, signal) {
      await requireDevice(request.device ?? 'cpu')
      const draft = await parts.draftOf(request)
      const { slideId: _slide, page: _page, shard: _shard, ...rest } = request
      const threads = request.threads ?? (await parts.threads())
      const memoryBytes = groundRoom((await parts.means()).memoryBytes)
      const what = { draft, request: { ...rest, recipe: draft.recipe }, folder, program: version, nameless }
      return prepare(what, overviews, { threads, memoryBytes, signal, onProgress })
    },
    prepared: readPrepared,
    async take(prepared, folder, slideId) {
      const { request } = prepared
      await takePrepared(prepared, folder, await parts.draftOf({ ...request, slideId }), overviews, version)
    },
    async finished(folder, ref, request) {
      const kept = await KeptObjects.open(shardResult(folder, ref), '').catch((error: unknown) => {
        if (error instanceof EngineError && error.code === 'NOT_FOUND') return null
        throw error
      })
      if (!kept) return null
      await kept.close()
      requireVersion(kept.head, version)
      const slideKey = await slides.get(request.slideId).identity.contentKey()
      const { recipe } = await parts.draftOf(request)
      const before = kept.head.request
      if (digest([kept.note.shard?.slideKey, before.recipe, before.region]) !== digest([slideKey, recipe, request.region]))
        throw new EngineError(
          'INVALID_PARAMETER',
          `${shardFolder(folder, ref)} holds this shard of a run on another slide, with another recipe or region. Name another folder, or replace it with --overwrite.`,
        )
      return kept.note
    },
    async keep(folder, ref, runId) {
      const run = runs.get(runId)
      const { startedAt, elapsedMs, tilesDone, resumedTiles, objects } = run.status()
      const { user, system } = cpuUsage()
      const path = shardResult(folder, ref)
      await run.keep(path, version, {
        ...ref,
        slideKey: await run.draft.slide.identity.contentKey(),
        ...{ node: hostname(), program: version, device: run.draft.device, threads: run.order.threads },
        ...{ startedAt, endedAt: new Date().toISOString(), elapsedMs, cpuMs: (user + system) / 1000 },
        ...{ peakRssBytes: peakRssBytes(), tiles: tilesDone, resumedTiles, objects },
      })
      return path
    },
    async whole(folders) {
      const { request, slide, startedAt } = await MergedShards.look(await resultsIn(folders))
      return { request, slide, startedAt, of: request.shard?.of ?? 0 }
    },
    async merge(folders, slideId) {
      const slide = slides.get(slideId)
      const merged = await MergedShards.open(await resultsIn(folders), version, await slide.identity.contentKey())
      const spec = await specs.get(merged.head.request.recipe.spec)
      const run = runs.restore(merged, slide, spec, await parts.means())
      await run.ended
      return run.status()
    },
  }
}

/** Of the shards that are finished. */
async function resultsIn(folders: readonly string[]): Promise<string[]> {
  const all = await Promise.all(folders.map(async (folder) => (await shardsIn(folder)).map((ref) => shardResult(folder, ref))))
  return all.flat().filter((path) => existsSync(path))
}
