// What parts the classes of objects: cut-offs on one measurement, the figures that stand on them, and both in words.
import { isMeasurement, measurements, stainStatisticKeys, stainStatistics, unitsOf } from '../results/measurements'
import type { LengthUnit } from '../results/measurements'
import { cellFigures, groupKind, isCellFigure, partsAreStains } from '../results/cells'
import { areaChoice, areaColumn, classParamsOf, gradesChoice, stainSets, stainTitle } from '../recipes'
import type { ClassRule, ParamValue, Recipe, RecipeSpec, StainSetId, ObjectClass } from '../recipes'
import * as z from '../zod'

/** By one cut-off, and by three, the weakest first: colours that colour-blind people tell apart, on any stain. */
export const positiveClasses: readonly ObjectClass[] = [
  { id: 'negative', label: 'Negative', color: [112, 112, 225] },
  { id: 'positive', label: 'Positive', color: [250, 62, 62] },
]
export const intensityClasses: readonly ObjectClass[] = [
  { id: 'negative', label: 'Negative', color: [112, 112, 225] },
  { id: 'weak', label: 'Weak 1+', color: [254, 204, 92] },
  { id: 'moderate', label: 'Moderate 2+', color: [253, 141, 60] },
  { id: 'strong', label: 'Strong 3+', color: [227, 26, 28] },
]

/** Cut-offs on one measurement. Every share and every H-score is told with them. */
export const ClassCuts = z.object({
  /** A column of the objects table. */
  column: z.string(),
  /** "DAB mean". */
  title: z.string(),
  /** '' where the measurement has none. */
  unit: z.string(),
  /** Rising. One: negative, positive. Three: negative, 1+, 2+, 3+. A value at a cut-off is below it. */
  limits: z.array(z.number()),
  /** The measurement is how densely a stain lies in an object: only this has an H-score. */
  ofStain: z.boolean(),
  /** Each of other measurements with its one cut-off: classes are of all of them together. Absent: there are none. */
  and: z.array(z.object({ column: z.string(), title: z.string(), unit: z.string(), limit: z.number() })).optional(),
})
export type ClassCuts = z.infer<typeof ClassCuts>

/** Where three cut-offs on an optical density start: QuPath's convention for H-scores, OD. */
export const usualCuts = [0.2, 0.4, 0.6] as const
/** Cut-offs that are dragged or pushed lie this far apart at least, OD. */
export const leastCutStep = 0.01
const cutStep = 0.2

const hundredth = (value: number): number => Math.round(100 * value) / 100

/** Three cut-offs that start with the recipe's limit of positive. The others are the convention's, or 0.2 apart where those would not rise. */
export function startingCuts(positiveAbove: number = usualCuts[0]): readonly [number, number, number] {
  const [, second, third] = usualCuts
  if (positiveAbove < second) return [positiveAbove, second, third]
  return [positiveAbove, hundredth(positiveAbove + cutStep), hundredth(positiveAbove + 2 * cutStep)]
}

/** One cut-off is at `value` now: those that are in its way are pushed, so that all rise. `step`: how far apart they stay. */
export function movedCut(cuts: readonly number[], at: number, value: number, step: number = leastCutStep): number[] {
  const moved = cuts.map((cut, i) => (i === at ? value : cut))
  // Sums of hundredths have binary noise.
  const plain = (cut: number): number => Number(cut.toPrecision(12))
  for (let i = at + 1; i < moved.length; i++) moved[i] = Math.max(moved[i]!, plain(moved[i - 1]! + step))
  for (let i = at - 1; i >= 0; i--) moved[i] = Math.min(moved[i]!, plain(moved[i + 1]! - step))
  return moved
}

export const rises = (limits: readonly number[]): boolean => limits.every((limit, i) => i === 0 || limit > limits[i - 1]!)

/** A number as it is told beside a figure: 0.2, 0.35, 41.27. */
const told = (value: number): string => String(Number(value.toPrecision(4)))

/** "DAB mean above 0.2 OD", "CD3 mean above 700, CD8 mean above 1200", "DAB mean: 1+ above 0.2, 2+ above 0.4, 3+ above 0.6 OD". */
export function cutWords({ title, unit, limits, and = [] }: ClassCuts): string {
  const after = unit === '' ? '' : ` ${unit}`
  const others = and.map((each) => `, ${cutWords({ ...each, limits: [each.limit], ofStain: false })}`).join('')
  if (limits.length === 1) return `${title} above ${told(limits[0]!)}${after}${others}`
  return `${title}: ${limits.map((limit, i) => `${i + 1}+ above ${told(limit)}`).join(', ')}${after}`
}

export const sameCuts = (a: ClassCuts | null | undefined, b: ClassCuts | null | undefined): boolean =>
  a && b
    ? a.column === b.column && a.unit === b.unit && a.limits.join() === b.limits.join() && othersOf(a) === othersOf(b)
    : !a && !b

const othersOf = ({ and = [] }: ClassCuts): string => and.map(({ column, limit }) => `${column} ${limit}`).join()

/** As two cells of a file have them: "DAB mean (OD)" and "0.2; 0.4; 0.6", or "CD3 mean; CD8 mean" and "700; 1200". */
export function cutCells({ title, unit, limits, and = [] }: ClassCuts): [string, string] {
  const headings = [{ title, unit }, ...and].map((each) => (each.unit === '' ? each.title : `${each.title} (${each.unit})`))
  return [headings.join('; '), [...limits, ...and.map(({ limit }) => limit)].join('; ')]
}

/** The classes that cut-offs part, the weakest first. Of several measurements together: one for each way to be above and below them. */
export function classesOfCuts({ title, limits, and = [] }: Pick<ClassCuts, 'title' | 'limits' | 'and'>): readonly ObjectClass[] {
  if (limits.length === 3) return intensityClasses
  if (and.length === 0) return positiveClasses
  // "CD8 mean": what is told of a cell is its marker.
  const names = [title, ...and.map((each) => each.title)].map((each) => each.replace(/ mean$/, ''))
  return Array.from({ length: 2 ** names.length }, (_, place) => {
    const isAbove = names.map((_name, i) => ((place >> i) & 1) === 1)
    return {
      id: `together-${isAbove.map((above) => (above ? 'p' : 'n')).join('')}`,
      label: names.map((name, i) => `${name}${isAbove[i] ? '+' : '-'}`).join(' '),
      color: rgbOf(togetherColours[place]!),
    }
  })
}

const rgbOf = (number: number): ObjectClass['color'] => [number >> 16, (number >> 8) & 255, number & 255]

/** Of what is above none, the first, the second, both, … (Okabe and Ito; then others that differ from these). */
const togetherColours = [
  0x7070e1, 0xfa3e3e, 0x009e73, 0xf0e442, 0x56b4e9, 0xcc79a7, 0xe69f00, 0xffffff, 0x828282, 0x800000, 0x00553c, 0x967800,
  0x00468c, 0x8c1478, 0x964b00, 0xbebebe,
]

/** Of a column of the objects table, "stain2Mean": its channel from 0, and which statistic. null: it is of no stain. */
export function stainColumnOf(key: string): { channel: number; statistic: (typeof stainStatisticKeys)[number] } | null {
  const [, stain, name = ''] = /^stain([123])([A-Z][a-z]+)$/.exec(key) ?? []
  const statistic = stainStatisticKeys.find((each) => each === name.toLowerCase())
  return stain !== undefined && statistic ? { channel: Number(stain) - 1, statistic } : null
}

/** "channel2Std": its channel from 0, and its figure as tables say it. null: it is of no channel. */
export function channelColumnOf(key: string): { channel: number; figure: string } | null {
  const [, channel, figure] = /^channel([1-9]\d*)(Mean|Std|Min|Max|Sum)$/.exec(key) ?? []
  if (channel === undefined || figure === undefined) return null
  return { channel: Number(channel) - 1, figure: figure === 'Std' ? stainStatistics.std.title : figure.toLowerCase() }
}

/** What is known of a run's columns. */
export interface ColumnPlace {
  readonly stainSet: StainSetId
  /** Of its channels. */
  readonly stainNames: readonly string[]
  /** Of its slide's, those that objects are measured in; absent: none. */
  readonly channels?: readonly string[]
  /** app/contract/results/cells.ts. */
  readonly cellsAt?: number | undefined
  readonly length: LengthUnit
}

/** Cut-offs on a column, with what it is called and measures. */
export function cutsOn(
  column: string,
  limits: readonly number[],
  { stainSet, stainNames, channels, cellsAt, length }: ColumnPlace,
): ClassCuts {
  const stain = stainColumnOf(column)
  if (stain) {
    const { unit } = stainSets[stainSet]
    const name = stainNames[stain.channel] ?? 'stain'
    // How evenly a stain lies says nothing of how much there is, and what no stain explains is none.
    const ofStain = unit === 'OD' && stain.statistic !== 'std' && name.toLowerCase() !== 'residual'
    return { column, title: `${stainTitle(name)} ${stainStatistics[stain.statistic].title}`, unit, limits: [...limits], ofStain }
  }
  const ofChannel = channelColumnOf(column)
  if (ofChannel) {
    const figure = column.replace(/^channel\d+/, '')
    if (ofChannel.channel === cellsAt && isCellFigure(figure)) {
      const { title, dimension, ...of } = cellFigures[figure]
      const unit = 'unit' in of ? of.unit : unitsOf(dimension, length).screen
      return { column, title, unit, limits: [...limits], ofStain: false }
    }
    const title = `${channels?.[ofChannel.channel] ?? `Channel ${ofChannel.channel + 1}`} ${ofChannel.figure}`
    const isOfStain = groupKind(ofChannel.channel, { cellsAt }) === 'part' && partsAreStains({ cellsAt })
    return { column, title, unit: isOfStain ? stainSets[stainSet].unit : '', limits: [...limits], ofStain: false }
  }
  const place = { x: 'Centre x', y: 'Centre y' }[column]
  if (place !== undefined) return { column, title: place, unit: 'px', limits: [...limits], ofStain: false }
  if (!isMeasurement(column)) return { column, title: column, unit: '', limits: [...limits], ofStain: false }
  const { title, dimension } = measurements[column]
  return { column, title, unit: unitsOf(dimension, length).screen, limits: [...limits], ofStain: false }
}

type Limits = { readonly column: string; readonly limits: readonly number[]; readonly and?: unknown }
type Spec = Pick<RecipeSpec, 'classes' | 'stages'>

/** The columns on which a recipe can part its classes; the first is that of its stain. None: it has no classes. */
export const classColumnsOf = ({ classes }: Pick<RecipeSpec, 'classes'>): readonly string[] =>
  classes ? [`stain${classes.channel + 1}Mean`, ...(classes.others ? [areaColumn] : [])] : []

const valueAt = ({ stages }: Spec, params: Recipe['params'], place: string): ParamValue | undefined => {
  const [stage = '', key = ''] = place.split('.')
  return params[stage]?.[key] ?? stages.find(({ id }) => id === stage)?.params.find((each) => each.key === key)?.default
}

/** The parameters that hold a recipe's limits where its choice of a rule is this, and their column. */
function limitsBy({ limit, channel, others }: ClassRule, choice: ParamValue | undefined) {
  if (others && choice === areaChoice) return { column: areaColumn, places: [others.area] }
  const column = `stain${channel + 1}Mean` as const
  return { column, places: [limit, ...(others && choice === gradesChoice ? others.grades : [])] }
}

/** A recipe's cut-offs, as its values have them; null: its objects have no classes. */
export function cutsOfRecipe(spec: Spec, params: Recipe['params']): Limits | null {
  const { classes } = spec
  if (!classes) return null
  const { column, places } = limitsBy(classes, classes.others && valueAt(spec, params, classes.others.by))
  return { column, limits: places.map((place) => Number(valueAt(spec, params, place))) }
}

/** What a recipe says where it has these cut-offs: values by "stage.param". null: it cannot have them. */
export function cutParams({ classes, stages }: Spec, { column, limits }: Limits): Record<string, ParamValue> | null {
  if (!classes || !classColumnsOf({ classes }).includes(column)) return null
  const { others } = classes
  const plain = stages.flatMap(({ id, params }) =>
    params.flatMap((param) => (`${id}.${param.key}` === others?.by ? param : [])),
  )[0]
  const choice = column === areaColumn ? areaChoice : limits.length > 1 ? gradesChoice : plain?.default
  const { places } = limitsBy(classes, choice)
  if (places.length !== limits.length) return null
  const takes = (place: string, value: number): boolean => {
    const [stage, key] = place.split('.')
    const param = stages.find(({ id }) => id === stage)?.params.find((each) => each.key === key)
    return param?.kind === 'number' && value >= param.min && value <= param.max
  }
  if (!places.every((place, i) => takes(place, limits[i]!))) return null
  return {
    ...(others && choice !== undefined ? { [others.by]: choice } : {}),
    ...Object.fromEntries(places.map((place, i) => [place, limits[i]!])),
  }
}

/** The recipe with other cut-offs on a column of its own; null: they are on another, or it cannot have them. */
export function withCuts(recipe: Recipe, spec: Spec, cuts: Limits | null): Recipe | null {
  if (!cuts || cuts.and) return null
  const values = cutParams(spec, cuts)
  if (!values) return null
  const params = { ...recipe.params }
  for (const [place, value] of Object.entries(values)) {
    const [stage = '', key = ''] = place.split('.')
    params[stage] = { ...params[stage], [key]: value }
  }
  return { ...recipe, params }
}

/** The recipe without what parts its classes alone: what outlines and figures of objects depend on. */
export function withoutCuts({ classes }: Pick<RecipeSpec, 'classes'>, params: Recipe['params']): Recipe['params'] {
  const apart = classParamsOf(classes)
  return Object.fromEntries(
    Object.entries(params).map(([stage, values]) => [
      stage,
      Object.fromEntries(Object.entries(values).filter(([key]) => !apart.includes(`${stage}.${key}`))),
    ]),
  )
}
