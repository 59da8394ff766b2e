// Which class an object is of: a function of its figures and of cut-offs, so that it is nowhere kept and the same whatever the tiling.
import { noClass } from '../../../native/index'
import type { MeasurementField } from '../../../native/index'
import {
  areaChoice,
  areaColumn,
  cutsOn,
  gradesChoice,
  intensityClasses,
  membraneColumn,
  stainColumnOf,
} from '../../../app/contract'
import type {
  ClassCuts,
  ObjectClass,
  ObjectRule,
  ParamValue,
  RecipeSpec,
  SlideInfo,
  StainSetId,
  StainStatistic,
} from '../../../app/contract'
import type { CellsRequest } from '../../../native/index'
import { groupsOf } from '../../slide/measuredChannels'
import { stainField } from './packedObjects'

/** A recipe's rule with its cut-offs. */
export interface Classes {
  readonly field: MeasurementField
  /** OD or %, rising. */
  readonly limits: readonly number[]
  /** The weakest first, one more than limits. What is at a limit is below it. */
  readonly classes: readonly ObjectClass[]
}

/** By its pipeline's parameters; null where the recipe has no classes. */
export function classesOf(spec: Pick<RecipeSpec, 'classes'>, params: Readonly<Record<string, ParamValue>>): Classes | null {
  if (!spec.classes) return null
  const { channel, limit, below, above, others } = spec.classes
  const field = stainField('mean', channel)
  const choice = others && params[others.by]
  if (others && choice === areaChoice)
    return { field: areaColumn, limits: [Number(params[others.area])], classes: [below, above] }
  const first = Number(params[limit])
  return others && choice === gradesChoice
    ? { field, limits: [first, ...others.grades.map((each) => Number(params[each]))], classes: intensityClasses }
    : { field, limits: [first], classes: [below, above] }
}

/** Of cut-offs that rise, how many a value is above; `noClass` where it was not measured. */
export function gradeOf(limits: readonly number[], value: number): number {
  if (Number.isNaN(value)) return noClass
  let grade = 0
  while (grade < limits.length && value > limits[grade]!) grade += 1
  return grade
}

export const isAbove = ({ limits }: Pick<Classes, 'limits'>, mean: number): boolean => mean > limits[0]!

export function classOf(
  { classes, limits, field }: Classes,
  object: { stain(statistic: StainStatistic, channel: number): number; readonly stainedArea: number },
): ObjectClass | null {
  const stain = stainColumnOf(field)
  const value = stain ? object.stain(stain.statistic, stain.channel) : object[areaColumn]
  return classes[gradeOf(limits, value)] ?? null
}

/** Of measurements with one cut-off each, which of their classes (classesOfCuts) values are of; `noClass` where one was not measured. */
export function togetherOf(limits: readonly number[], values: readonly number[]): number {
  if (values.some((value) => Number.isNaN(value))) return noClass
  return values.reduce((place, value, i) => place + (value > limits[i]! ? 2 ** i : 0), 0)
}

/** Of a rule with one cut-off, as writers of files take it. Those with more have the class of each object in their run's marks. */
export function eitherOf({ field, limits, classes }: Classes) {
  return { of: { field, factor: 1, times: 0 as const }, limit: limits[0]!, below: classes[0]!, above: classes[1]! }
}

interface Named {
  readonly spec: { readonly stainSet: StainSetId }
  readonly stainNames: readonly string[]
  readonly slide: { readonly info: Pick<SlideInfo, 'channels'> }
  readonly cells: CellsRequest | null
  readonly classes: Classes | null
  readonly resolution: { readonly analysedMpp: number | null }
}

type Rule = Pick<ObjectRule, 'column' | 'limits' | 'and'>
type Groups = ReturnType<typeof groupsOf>

/** What a run's classes stand on: what the document says of them, else its recipe. null: on nothing but hands. */
export const cutsOf = (draft: Named, rule: Rule | null): ClassCuts | null => cutsAmong(draft, rule, groupsIn(draft))

const groupsIn = ({ slide, stainNames, cells }: Named): Groups => groupsOf(slide.info, stainNames, cells)

function cutsAmong(
  { spec: { stainSet }, stainNames, classes, resolution }: Named,
  rule: Rule | null,
  groups: Groups,
): ClassCuts | null {
  const said = rule ?? (classes && { column: classes.field, limits: classes.limits })
  const length = resolution.analysedMpp === null ? 'px' : 'um'
  const place = { stainSet, stainNames, ...groups, length } as const
  if (!said) return null
  const cuts = cutsOn(said.column, said.limits, place)
  if (!rule?.and) return cuts
  const and = rule.and.map(({ column, limit }) => {
    const { title, unit } = cutsOn(column, [limit], place)
    return { column, title, unit, limit }
  })
  return { ...cuts, and }
}

/** As a status has it, which is told several times a second. */
export function cutsIn(draft: Named, rule: Rule | null) {
  const groups = groupsIn(draft)
  const ownCuts = cutsAmong(draft, null, groups)
  const cuts = rule ? cutsAmong(draft, rule, groups) : ownCuts
  const scored = membraneColumn(groups)
  return { ...(cuts && { cuts }), ...(ownCuts && { ownCuts }), ...(scored !== null && { membraneColumn: scored }) }
}

/** How many of a run's objects are of which class. */
export class ClassCount {
  private readonly classes: Classes
  private readonly found: number[]

  constructor(classes: Classes) {
    this.classes = classes
    this.found = classes.classes.map(() => 0)
  }

  /** Rows of a tile, or those of them that `keep` wants. */
  add(
    rows: { readonly count: number; value(row: number, field: MeasurementField): number },
    keep: ((row: number) => boolean) | null,
  ): void {
    const { limits, field } = this.classes
    for (let row = 0; row < rows.count; row++)
      if (!keep || keep(row)) {
        const grade = gradeOf(limits, rows.value(row, field))
        if (grade !== noClass) this.found[grade] = this.found[grade]! + 1
      }
  }

  /** The weakest first. */
  counts(): (ObjectClass & { objects: number })[] {
    return this.classes.classes.map((each, grade) => ({ ...each, objects: this.found[grade]! }))
  }
}
