// What a run may hold of the machine's memory: the need is computed before it starts, from what its windows take, and held to while it goes on.
import { freemem } from 'node:os'
import { memoryUsage, resourceUsage } from 'node:process'
import { keepDecodedTiles, pipelines, trimMemory } from '../../../native/index'
import type { RunMemory } from '../../../app/contract'
import { pixelDepth } from './draft'
import type { Draft } from './draft'
import { blockPixels, blockSizes, hasLargeBlocks } from '../plan/plan'
import type { BlockSize } from '../plan/plan'

const MiB = 2 ** 20
/** Of what is free when a run starts: the rest is the system's cache of the slide's file, and other programs'. */
export const shareOfFree = 0.6
/** Below, not one window of any recipe has room beside the program itself. */
export const leastMiB = 512

/** What a window's pixels take, and its result on the way to JavaScript's columns and images: bytes a px (measured on tissue). */
const pixelBytes = 4
/** And the samples at 16 bits, where they are analysed. */
const deepBytes = 2
/** For what of it is certain. */
const doubtBytes = 3
const resultBytes = 6
/** What caches may take of a budget, at most: decoded tiles of slides (native/slide), what was computed of tiles, and the same with intermediate images. */
const shareOfCache = { decoded: 1 / 8, results: 1 / 16, looks: 3 / 16 }
const mostOfCache = { decoded: 192 * MiB, results: 96 * MiB, looks: 416 * MiB }
/** Memory for the next tiles beside those that are kept. */
const nextTilesBytes = 12 * MiB
/** What an engine at work takes of JavaScript's memory. */
const scriptBytes = 96 * MiB
/** Tiles of a background that are computed at once, about. */
const bytesOfTiles = 128 * MiB
/** Objects of tissue at 0.25 to 0.5 µm/px, what one takes with its outline, and what its places in lists do. */
const objectsPerMegapixel = 400
const bytesPerObject = 300
const placesPerObject = 80

/** Without a wish. Containers have less than their machines. */
export function freeMemoryShare(): number {
  const { availableMemory } = process as { availableMemory?: () => number }
  return Math.max(leastMiB * MiB, Math.floor((availableMemory?.() ?? freemem()) * shareOfFree))
}

/** With less decoded, neighbouring windows decode tiles again; with fewer results, looking back computes again. */
export function cachesOf(budgetBytes: number): Record<keyof typeof mostOfCache, number> {
  const of = (which: keyof typeof mostOfCache): number =>
    Math.floor(Math.min(mostOfCache[which], budgetBytes * shareOfCache[which]))
  return { decoded: of('decoded'), results: of('results'), looks: of('looks') }
}

/** What a run's objects may take of a budget before they go to a file (objectStore.ts), and again while they are read from it. */
export function objectsRoom(budgetBytes: number): number {
  return Math.max(leastMiB * MiB, budgetBytes) / 8
}

/** What the background of a whole slide may take while it is computed, before any window is; beyond, it lies in working files (grounds.ts). */
export function groundRoom(budgetBytes: number): number {
  return Math.floor(Math.max(leastMiB * MiB, budgetBytes) / 2)
}

/** Makes it so, for a run that begins. */
export function fitCaches(budgetBytes: number, results: { setBudget(bytes: ReturnType<typeof cachesOf>): void }): void {
  const caches = cachesOf(budgetBytes)
  keepDecodedTiles(caches.decoded)
  results.setBudget(caches)
}

/** What runs have left idle goes back where it is much of the budget of the one that has ended: its files are yet to be written. */
export function giveBackIdle(budgetBytes: number, heldBytes: number = memoryUsage.rss()): void {
  if (heldBytes < budgetBytes / 2) return
  keepDecodedTiles(0)
  keepDecodedTiles(cachesOf(budgetBytes).decoded)
  trimMemory()
}

interface MemoryPlan {
  readonly memory: RunMemory
  /** Of windows that grow larger than they were, one at least: half of what is free beyond the need is theirs. */
  readonly largerAtOnce: number
  readonly blockSize: BlockSize
}

/**
 * How a run of `pixels` analysed px keeps to `budgetBytes`: in large blocks, if it may and every thread has room for one, else in usual
 * ones, and with fewer windows at once, one at least. O(1).
 */
export function planMemory(draft: Draft, pixels: number, threads: number, budgetBytes: number, mayBeLarge = true): MemoryPlan {
  const plan = (blockSize: BlockSize): MemoryPlan => ({
    ...memoryWith(blockSize, draft, pixels, threads, budgetBytes),
    blockSize,
  })
  if (!mayBeLarge || !hasLargeBlocks(pixels, threads)) return plan(blockSizes.usual)
  const large = plan(blockSizes.large)
  const { windowsAtOnce, needBytes } = large.memory
  return windowsAtOnce === threads && needBytes <= budgetBytes ? large : plan(blockSizes.usual)
}

function memoryWith(
  size: BlockSize,
  draft: Draft,
  pixels: number,
  threads: number,
  budgetBytes: number,
): Omit<MemoryPlan, 'blockSize'> {
  const windowPixels = Math.min(blockPixels(draft.haloPx, size), pixels + 4 * draft.haloPx ** 2)
  const windowBytes = bytesOfWindow(draft, windowPixels, 1)
  // One window at least grows larger than it was, inside the slide (native/engine/window/window.hpp).
  const grownPixels = Math.min(mostGrownPixels(draft), draft.grid.widthPx * draft.grid.heightPx)
  const grownBytes = Math.max(0, bytesOfWindow(draft, grownPixels, 1) - windowBytes)
  const objects = (pixels / 1e6) * objectsPerMegapixel
  const objectBytes = Math.min(objects * bytesPerObject, 2 * objectsRoom(budgetBytes)) + objects * placesPerObject
  const decodedBytes = Math.min(
    cachesOf(budgetBytes).decoded + nextTilesBytes,
    pixels * tilePixelBytes(draft) * draft.grid.scale ** 2,
  )
  const groundBytes = draft.groundBytes <= groundRoom(budgetBytes) - bytesOfTiles ? draft.groundBytes : 0
  const steadyBytes = memoryUsage.rss() + decodedBytes + scriptBytes + objectBytes + grownBytes + groundBytes
  const room = Math.floor((budgetBytes - steadyBytes) / windowBytes)
  const windowsAtOnce = Math.max(1, Math.min(threads, room))
  const leastBytes = steadyBytes + windowsAtOnce * windowBytes
  const free = Math.max(0, budgetBytes - leastBytes)
  const moreLarger = grownBytes === 0 ? Infinity : Math.floor(free / 2 / grownBytes)
  const largerAtOnce = Math.min(windowsAtOnce, 1 + moreLarger)
  const needBytes = Math.round(leastBytes + (largerAtOnce - 1) * grownBytes)
  return { memory: { budgetBytes, needBytes, windowsAtOnce }, largerAtOnce }
}

function mostGrownPixels({ spec }: Draft): number {
  return pipelines().find(({ id }) => id === spec.pipeline)?.mostGrownPixels ?? 0
}

/** Of a decoded tile of the slide. */
const tilePixelBytes = ({ slide }: Draft): number => pixelBytes + (slide.info.depth === undefined ? 0 : deepBytes)

/** Owners, parts, distances of columns and pixels, while cells are measured (native/engine/query/cells.cpp). */
const cellBytes = 24

function bytesOfWindow({ spec, params, cells }: Draft, pixels: number, threads: number): number {
  const stated = pipelines().find(({ id }) => id === spec.pipeline)
  const isDeep = pixelDepth in params
  const working = (isDeep ? stated?.deepBytesPerPixel : stated?.bytesPerPixel) ?? 0
  const each = pixelBytes + (isDeep ? deepBytes : 0) + doubtBytes + resultBytes + working + (cells ? cellBytes : 0)
  return pixels * each + (stated?.bytesPerThread ?? 0) * threads
}

/** The most that the process has held since it started. */
export function peakRssBytes(): number {
  return resourceUsage().maxRSS * 1024
}

const lookEveryMs = 50
/** What is given back is got again by who needs it next, on a GPU in seconds. */
const giveBackEveryMs = 1000

/**
 * Keeps what a run holds at its budget: looks at what the process holds whenever a window is done, gives back what lies idle where that is
 * too much, and lets one window fewer go on at once; one more again where there is room.
 */
export class MemoryWatch {
  private readonly plan: RunMemory
  private readonly limit: (windows: number) => void
  private readonly heldBytes: () => number
  private readonly giveBack: () => void
  private windows: number
  private lookedAt = -Infinity
  private gaveAt = -Infinity

  /** `heldBytes` and `giveBack`: of this process, unless a test says otherwise. */
  constructor(
    plan: RunMemory,
    limit: (windows: number) => void,
    heldBytes: () => number = () => memoryUsage.rss(),
    giveBack: () => void = trimMemory,
  ) {
    this.plan = plan
    this.limit = limit
    this.heldBytes = heldBytes
    this.giveBack = giveBack
    this.windows = plan.windowsAtOnce
  }

  /** Somebody else says from now on how many. */
  stop(): void {
    this.lookedAt = Infinity
  }

  /** A window is done. */
  look(now = performance.now()): void {
    if (now - this.lookedAt < lookEveryMs) return
    this.lookedAt = now
    const { budgetBytes, windowsAtOnce } = this.plan
    const held = this.heldBytes()
    if (held > 0.95 * budgetBytes) {
      if (now - this.gaveAt >= giveBackEveryMs) {
        this.gaveAt = now
        this.giveBack()
      }
      this.change(Math.max(1, this.windows - 1))
    } else if (held < 0.8 * budgetBytes) this.change(Math.min(windowsAtOnce, this.windows + 1))
  }

  private change(windows: number): void {
    if (windows === this.windows) return
    this.windows = windows
    this.limit(windows)
  }
}
