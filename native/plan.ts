// What pipelines say of themselves, and a recipe with its values, recorded once for all windows of a run (native/engine/recipe/plan.hpp).
import type { Params } from './types'

export interface PipelineInfo {
  id: string
  /** Names of the planes it can give, in stage order. */
  planes: string[]
  /** Working memory of a window, at most, on tissue: bytes a px, and bytes a thread. Its pixels (4 bytes) and its result come beside it. */
  bytesPerPixel: number
  bytesPerThread: number
  /** As bytesPerPixel, where it analyses 16 bits; 0: it takes 8 of any slide. */
  deepBytesPerPixel: number
  /** What a window may grow to where it is not certain. So many at a time grow larger than they were: `WindowRequest.largerAtOnce`. */
  mostGrownPixels: number
}

/** A hold of it, immutable. */
export interface Plan {
  readonly pipeline: string
  /** How far beyond its core a window must see, px of the analysed image. */
  readonly haloPx: number
  /** Of its steps and values: two plans with the same have the same. */
  readonly hash: string
  /**
   * What names the steps before its reconstruction without limit; null where it has none. With one, every window but that of the whole
   * image needs the ground of these steps.
   */
  readonly ground: string | null
}

/** Plans by the parameters that they were made of, which are frozen: who has the same has the same plan, as long as there are such. */
export class Plans {
  private readonly known = new WeakMap<Params, Map<string, Plan>>()
  private readonly make: (pipeline: string, params: Params) => Plan

  constructor(make: (pipeline: string, params: Params) => Plan) {
    this.make = make
  }

  of(pipeline: string, params: Params): Plan {
    const own = this.known.get(params) ?? new Map<string, Plan>()
    const plan = own.get(pipeline) ?? this.make(pipeline, params)
    this.known.set(Object.freeze(params), own.set(pipeline, plan))
    return plan
  }
}
