// Result tiles: loads what the last frame missed, nearest first, and drops the least recently drawn.
import { LRUCache } from 'lru-cache'
import type { ResultTile } from '../../../app/contract'
import { screensOfBytes } from './cacheBudget'
import { retryAfterMs } from './retry'

export interface CachedTile<B> {
  /** null: the tile is empty. */
  bitmap: B | null
  revision: number
  bytes: number
  loadedAtMs: number
}

interface Failure {
  readonly revision: number
  readonly times: number
  /** Until then it is not asked for again. */
  readonly untilMs: number
}

interface Wanted {
  readonly key: string
  readonly url: string
  readonly revision: number
}

/** null = an empty tile. */
export type LoadTile<B> = (url: string, signal: AbortSignal) => Promise<B | null>

export interface Sized {
  readonly width: number
  readonly height: number
  close?: () => void
}

export class TileCache<B extends Sized> {
  private readonly tiles: LRUCache<string, CachedTile<B>>
  private readonly loading = new Map<string, { revision: number; abort: AbortController }>()
  private wanted: Wanted[] = []
  private readonly failed = new Map<string, Failure>()

  constructor(
    private readonly load: LoadTile<B>,
    private readonly onLoaded: () => void,
    budgetBytes = screensOfBytes(3),
    private readonly parallel = 32,
  ) {
    this.tiles = new LRUCache({
      maxSize: budgetBytes,
      sizeCalculation: ({ bytes }) => bytes,
      dispose: ({ bitmap }) => bitmap?.close?.(),
    })
  }

  get size(): number {
    return this.tiles.size
  }
  /** More is on its way, or is to be asked for. */
  get busy(): boolean {
    return this.loading.size > 0 || this.wanted.length > 0
  }

  /** Marks the tile as recently drawn. */
  get(key: string): CachedTile<B> | undefined {
    return this.tiles.get(key)
  }

  /** A frame says what it misses, most important first; what it no longer misses is not begun. */
  want(list: readonly Wanted[]): void {
    this.wanted = list.filter((w) => !this.isFailed(w.key, w.revision))
    this.pump()
  }

  /** It could not be loaded just now; after a while it may be asked for again. */
  isFailed(key: string, revision: number): boolean {
    const failure = this.failed.get(key)
    return failure?.revision === revision && performance.now() < failure.untilMs
  }

  dropWhere(test: (key: string) => boolean): void {
    for (const key of [...this.tiles.keys()]) if (test(key)) this.tiles.delete(key)
    for (const [key, job] of this.loading) {
      if (!test(key)) continue
      job.abort.abort()
      this.loading.delete(key)
    }
    for (const key of this.failed.keys()) if (test(key)) this.failed.delete(key)
    this.wanted = this.wanted.filter((w) => !test(w.key))
  }

  private pump(): void {
    while (this.loading.size < this.parallel) {
      const next = this.wanted.shift()
      if (!next) return
      // It may have come since the frame that missed it: no other cache stands behind this one.
      if (this.tiles.peek(next.key)?.revision === next.revision) continue
      // A newer revision waits for the older one's answer: showing that one is better than showing none.
      if (!this.loading.has(next.key)) void this.fetch(next)
    }
  }

  private async fetch({ key, url, revision }: Wanted): Promise<void> {
    const job = { revision, abort: new AbortController() }
    this.loading.set(key, job)
    let bitmap: B | null = null
    let failed = false
    try {
      bitmap = await this.load(url, job.abort.signal)
    } catch {
      failed = true
    }
    if (this.loading.get(key) !== job) {
      bitmap?.close?.()
      return
    }
    this.loading.delete(key)
    if (failed) this.fail(key, revision)
    else this.put(key, { bitmap, revision, bytes: bitmap ? bitmap.width * bitmap.height * 4 : 64, loadedAtMs: performance.now() })
    this.pump()
    this.onLoaded()
  }

  /** The engine may be busy, or another one by now: the next frame after the pause asks again. */
  private fail(key: string, revision: number): void {
    const before = this.failed.get(key)
    const times = before?.revision === revision ? before.times + 1 : 1
    const pauseMs = retryAfterMs(times)
    this.failed.set(key, { revision, times, untilMs: performance.now() + pauseMs })
    setTimeout(() => {
      if (this.failed.has(key)) this.onLoaded()
    }, pauseMs)
  }

  private put(key: string, tile: CachedTile<B>): void {
    this.failed.delete(key)
    this.tiles.set(key, tile)
  }
}

/** A result tile as it came, in the shape that caches and layers handle. */
export class LoadedTile implements Sized {
  readonly width: number
  readonly height: number
  /** What was made of it goes with it. */
  onClosed: (() => void) | null = null
  constructor(readonly data: ResultTile) {
    this.width = data.sidePx
    this.height = data.sidePx
  }

  close(): void {
    this.onClosed?.()
    this.onClosed = null
  }
}
