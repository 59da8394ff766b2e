// What is known of a whole slide (native/engine/window/ground.hpp): the shapes that cross between JavaScript and the native engine.
import type { Plan } from './plan'
import type { StageTiming } from './stageTiming'
import type { Slide, Unreadable } from './types'

export interface GroundOf {
  slide: Slide
  /** Level-0 px per px of the analysed image, which is widthPx × heightPx as a whole. */
  scale: number
  widthPx: number
  heightPx: number
  plan: Plan
}
/** One that another process computed, and wrote row by row (groundRows). */
export interface GroundFile extends GroundOf {
  path: string
  /** As the other's. */
  uncertain: readonly GroundRect[]
}
/** Px of the analysed image. */
export interface GroundRect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
export interface GroundRequest extends GroundOf {
  /** Px a side, 16 to 46000; absent: as suits. No result depends on it. */
  tile?: number | undefined
  /** What tiles and images may take; 0: no limit. Images that have no room lie in `scratchFolder`, one byte a px each, two at most. */
  memoryBytes: number
  scratchFolder: string
  threads: number
  /** "cpu", "gpu0", … or several, joined by commas. */
  device: string
  /** Three numbers that are written while it works: step (0: pixels, 1: reconstruction), its tiles done, and left; and one that is read: 1 holds it. */
  progress?: Int32Array
}
/** A hold of it: memory and files go when nobody has one, and no window stands on it. */
export interface Ground {
  /** One of them is 0. */
  readonly memoryBytes: number
  readonly scratchBytes: number
  readonly timings: readonly StageTiming[]
  /** Taken as the slide's background (level-0 px). */
  readonly unreadable: readonly Unreadable[]
  /** What holds all that these could change. */
  readonly uncertain: readonly GroundRect[]
  /** Devices that gave up, and why. */
  readonly notes: readonly string[]
}
