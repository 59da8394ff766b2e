// Which class an object is of: a function of its figures and of a limit, so that it is nowhere kept and the same whatever the tiling.
import type { MeasurementField } from '../../native/index'
import type { ObjectClass, ParamValue, RecipeSpec } from '../../app/contract'
import { stainField } from './packedObjects'

/** A recipe's rule with its limit. */
export interface Classes {
  readonly field: MeasurementField
  readonly channel: number
  /** OD. */
  readonly limit: number
  readonly below: ObjectClass
  /** Of objects whose mean is above the limit. */
  readonly above: ObjectClass
}

/** By its pipeline's parameters; null where the recipe has no classes. */
export function classesOf(spec: Pick<RecipeSpec, 'classes'>, params: Readonly<Record<string, ParamValue>>): Classes | null {
  if (!spec.classes) return null
  const { channel, limit, below, above } = spec.classes
  return { field: stainField('mean', channel), channel, limit: Number(params[limit]), below, above }
}

export const isAbove = ({ limit }: Classes, mean: number): boolean => mean > limit

export function classOf(classes: Classes, object: { stain(statistic: 'mean', channel: number): number }): ObjectClass {
  return isAbove(classes, object.stain('mean', classes.channel)) ? classes.above : classes.below
}

/** How many of a run's objects are of which class. */
export class ClassCount {
  private readonly classes: Classes
  private below = 0
  private above = 0

  constructor(classes: Classes) {
    this.classes = classes
  }

  /** Rows of a tile, or those of them that `keep` wants. */
  add(
    rows: { readonly count: number; value(row: number, field: MeasurementField): number },
    keep: ((row: number) => boolean) | null,
  ): void {
    for (let row = 0; row < rows.count; row++) {
      if (keep && !keep(row)) continue
      if (isAbove(this.classes, rows.value(row, this.classes.field))) this.above += 1
      else this.below += 1
    }
  }

  counts(): (ObjectClass & { objects: number })[] {
    const { below, above } = this.classes
    return [
      { ...above, objects: this.above },
      { ...below, objects: this.below },
    ]
  }
}
