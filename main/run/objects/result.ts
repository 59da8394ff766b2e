// What a run leaves behind: its status, its recipe with every value, and its objects. Overlay, export and clicks read it.
import type {
  ParamValue,
  Recipe,
  RecipeSpec,
  RunMemory,
  RunStatus,
  RunTimeline,
  RunVerification,
  Shape,
  ShardRecord,
  SlideInfo,
} from '../../../app/contract'
import type { Classes } from './objectClasses'
import type { Marks } from './marks'
import type { ObjectList } from './objectList'

export type { RunObject } from './runObject'

export interface RunResult {
  readonly status: RunStatus
  readonly slide: SlideInfo
  readonly spec: RecipeSpec
  /** With every parameter's value, defaults included. */
  readonly recipe: Recipe
  /** What the native pipeline was given: px and levels, with the slide's "overview.*" values. */
  readonly resolved: Readonly<Record<string, ParamValue>>
  /** Names of the stain channels, in the order of `stain`'s channels. */
  readonly stainNames: readonly string[]
  /** Names of the slide's channels that its objects are measured in, in the order of their columns. */
  readonly channels: readonly string[]
  /** Which of these names are of cells: from this on (app/contract/results/cells.ts); absent: none. */
  readonly cellsAt?: number | undefined
  readonly membranes?: boolean | undefined
  /** Analysed px that cells reach beyond their nuclei; 0: there are none. */
  readonly cellReach: number
  /** Of its objects; null where the recipe has none. */
  readonly classes: Classes | null
  /** That it ran within, level-0 px; absent: within none. */
  readonly shapes?: readonly Shape[] | undefined
  /** What was done to its objects since; null: nothing. */
  readonly marks: Marks | null
  /** Level-0 px per analysed px. */
  readonly scale: number
  /** Parts of the region that the file could not give (level-0 px) and why. */
  readonly unreadable: readonly { x: number; y: number; width: number; height: number; reason: string }[]
  /** What of it these could change beside them (level-0 px): it was read, and is not to be relied on. */
  readonly uncertain: readonly { x: number; y: number; width: number; height: number; reason: string }[]
  /** In raster order of their first pixels, without those that were deleted. */
  readonly objects: ObjectList
  readonly timeline: RunTimeline
  /** What computed it; absent: this run did, alone. */
  readonly shards?: readonly ShardRecord[] | undefined
  /** What a recomputation of parts of it came to; null where nobody asked. */
  readonly verification: RunVerification | null
  /** What it was to hold, and the most that the whole process had held by its end. */
  readonly memory: RunMemory & { readonly peakRssBytes: number }
}
