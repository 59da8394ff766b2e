// What is known of a recipe on a slide without reading a pixel.
import type { ParamValue, Recipe, RecipeSpec } from '../../../app/contract'
import type { Resolution } from '../../recipe/resolve'
import type { OpenSlide } from '../../slide/slides'
import type { Classes } from '../objects/objectClasses'
import type { Grid } from '../plan/plan'
import type { CellsOfRun } from './cells'

/** What the engine takes beside a recipe's parameters where it analyses more bits than 8: 16. */
export const pixelDepth = 'pixel.depth'

export interface Draft {
  readonly slide: OpenSlide
  readonly spec: RecipeSpec
  /** With every value, defaults included. */
  readonly recipe: Recipe
  readonly resolution: Resolution
  /** µm a px of the slide, where who asked said it. */
  readonly mpp?: number | undefined
  readonly grid: Grid
  /** Beyond a core that a window sees, cells among it. */
  readonly haloPx: number
  /** Around its objects; null: none. */
  readonly cells: CellsOfRun | null
  /** Of what it needs to know of the whole slide (grounds.ts); 0: nothing. */
  readonly groundBytes: number
  /** px and levels, without the overview's values. */
  readonly params: Readonly<Record<string, ParamValue>>
  readonly stainNames: readonly string[]
  /** Of its objects; null where the recipe has none. */
  readonly classes: Classes | null
  /** What computes the tiles: "cpu", "gpu0", … The overview is the CPU's. */
  readonly device: string
}
