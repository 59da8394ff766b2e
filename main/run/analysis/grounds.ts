// What recipes with a reconstruction without limit know of the whole slide: computed once for all who stand on it, and kept for the next.
import { tmpdir } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { ParamValue } from '../../../app/contract'
import { computeGround, planOf, tokenOf } from '../../../native/index'
import type { Ground } from '../../../native/index'
import { ByteCache } from '../../base/byteCache'
import { freeMemoryShare } from './memory'
import type { Draft } from './draft'

/** What stays in memory for the next who ask, and of those in working files so many bytes. */
const keptBytes = 512 * 2 ** 20
const keptScratchBytes = 4 * 2 ** 30
/** Before anything was measured: reading and computing, of one thread. */
const usualMsPerMegapixel = 60
const lookEveryMs = 100
/** Of the time it takes, about: pixels are read and decoded in the first step. */
const shareOfReading = 0.8

export interface GroundProgress {
  /** 0 … 1 */
  readonly share: number
  readonly etaMs: number | null
}
/** Whoever wants one. */
export interface GroundAsk {
  readonly threads: number
  /** What its images and tiles may take; absent: a share of what is free. */
  readonly memoryBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: GroundProgress) => void) | undefined
  /** Asked while it goes on: whether it is to stand still. */
  readonly isHeld?: (() => boolean) | undefined
  /** One that could not read all of the slide is computed again: what it could not read may be readable now. */
  readonly anew?: boolean | undefined
}
/** Of one analysis. */
export interface GroundSource {
  /** It is there: nobody waits for it. */
  readonly ready: boolean
  /** And all of the slide was read for it. */
  readonly isWhole: boolean
  /** Once; what several want is computed once, and stopped when all their signals have aborted. Rejects as computeGround. */
  get(ask: GroundAsk): Promise<Ground>
  /** Of this machine with so many threads; 0 where it is there. */
  estimateMs(threads: number): number
}

interface Teller {
  readonly onProgress: GroundAsk['onProgress']
  readonly isHeld: GroundAsk['isHeld']
}

export class Grounds {
  private readonly inMemory = new ByteCache<Ground>(keptBytes, ({ memoryBytes }) => memoryBytes + 1000)
  private readonly inFiles = new ByteCache<Ground>(keptScratchBytes, ({ scratchBytes }) => scratchBytes + 1000)
  /** Also of those that are not kept: as long as somebody stands on one it is not computed again. */
  private readonly alive = new Map<string, WeakRef<Ground>>()
  private readonly tellers = new Map<string, Set<Teller>>()
  private msPerMegapixel = usualMsPerMegapixel

  /** null where the recipe has no reconstruction without limit. `params`: with the slide's own values. */
  of(draft: Draft, params: Readonly<Record<string, ParamValue>>): GroundSource | null {
    const key = keyOf(draft, params)
    if (key === null) return null
    const { grid } = draft
    const megapixels = (grid.widthPx * grid.heightPx) / 1e6
    const known = (): Ground | undefined => this.known(key)
    const estimate = (threads: number): number => (megapixels * this.msPerMegapixel) / threads
    return {
      get ready() {
        return known() !== undefined
      },
      get isWhole() {
        return known()?.unreadable.length === 0
      },
      get: (ask) => this.get(key, draft, params, ask),
      estimateMs: (threads) => (known() ? 0 : estimate(threads)),
    }
  }

  /** As another process computed it, and read from its file. */
  take(draft: Draft, params: Readonly<Record<string, ParamValue>>, ground: Ground): void {
    const key = keyOf(draft, params)
    if (key !== null) this.inFiles.set(key, ground)
  }

  forget(slideId: string): void {
    this.inMemory.deletePrefix(`${slideId}/`)
    this.inFiles.deletePrefix(`${slideId}/`)
    for (const key of [...this.alive.keys()]) if (key.startsWith(`${slideId}/`)) this.alive.delete(key)
  }

  private known(key: string): Ground | undefined {
    return this.inMemory.get(key) ?? this.inFiles.get(key) ?? this.alive.get(key)?.deref()
  }

  private async get(key: string, draft: Draft, params: Draft['params'], ask: GroundAsk): Promise<Ground> {
    const known = this.known(key)
    if (known && !(ask.anew && known.unreadable.length > 0)) return known
    const teller = { onProgress: ask.onProgress, isHeld: ask.isHeld }
    const tellers = this.tellers.get(key) ?? new Set()
    this.tellers.set(key, tellers.add(teller))
    try {
      return await this.inMemory.getOrCompute(key, (signal) => this.compute(key, draft, params, ask, tellers, signal), {
        signal: ask.signal,
        // What could not be read may be readable the next time.
        isKept: ({ unreadable, memoryBytes }) => unreadable.length === 0 && memoryBytes > 0,
      })
    } finally {
      tellers.delete(teller)
      if (tellers.size === 0 && this.tellers.get(key) === tellers) this.tellers.delete(key)
    }
  }

  private async compute(
    key: string,
    { slide, grid, spec, device }: Draft,
    params: Draft['params'],
    { threads, memoryBytes }: GroundAsk,
    tellers: ReadonlySet<Teller>,
    signal: AbortSignal,
  ): Promise<Ground> {
    const started = performance.now()
    const words = new Int32Array(4)
    let heldMs = 0
    const look = (): void => {
      const share = shareOf(words)
      const tookMs = performance.now() - started - heldMs
      const etaMs = share > 0.02 ? (tookMs / share) * (1 - share) : null
      for (const { onProgress } of tellers) onProgress?.({ share, etaMs })
      // After they were told: who pauses at that is heeded now. Who does not say lets it go on.
      const held = tellers.size > 0 && [...tellers].every(({ isHeld }) => isHeld?.() ?? false)
      Atomics.store(words, 3, held ? 1 : 0)
      if (held) heldMs += lookEveryMs
    }
    const looking = setInterval(look, lookEveryMs)
    look()
    try {
      const ground = await computeGround(
        {
          slide: slide.native,
          scale: grid.scale,
          widthPx: grid.widthPx,
          heightPx: grid.heightPx,
          plan: planOf(spec.pipeline, params),
          memoryBytes: memoryBytes ?? Math.floor(freeMemoryShare() / 2),
          scratchFolder: tmpdir(),
          threads,
          device,
          progress: words,
        },
        tokenOf(signal),
      )
      const megapixels = (grid.widthPx * grid.heightPx) / 1e6
      this.msPerMegapixel = ((performance.now() - started - heldMs) * threads) / Math.max(megapixels, 0.1)
      this.alive.set(key, new WeakRef(ground))
      if (ground.scratchBytes > 0 && ground.unreadable.length === 0) this.inFiles.set(key, ground)
      return ground
    } finally {
      clearInterval(looking)
    }
  }
}

function keyOf({ spec, slide, grid }: Draft, params: Readonly<Record<string, ParamValue>>): string | null {
  const steps = planOf(spec.pipeline, params).ground
  return steps === null ? null : `${slide.info.slideId}/${grid.scale}/${steps}`
}

function shareOf(words: Int32Array): number {
  const [step, done, left] = [0, 1, 2].map((k) => Atomics.load(words, k)) as [number, number, number]
  const ofStep = done + left > 0 ? done / (done + left) : 0
  return step === 0 ? ofStep * shareOfReading : shareOfReading + ofStep * (1 - shareOfReading)
}
