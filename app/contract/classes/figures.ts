// What is reported of objects in classes: the positive share with its interval, the H-score, the Allred score.
import { intensityClasses } from './cuts'
import type { ClassCuts } from './cuts'

type Counted = readonly { readonly id: string; readonly objects: number }[]

/** Of objects in the classes by three cut-offs on a stain, how many are in each, the weakest first; null: they are not in such, or there are none. Those of other classes do not count. */
function gradesOf(classes: Counted, cuts: ClassCuts | null | undefined): readonly number[] | null {
  if (!cuts?.ofStain || cuts.limits.length !== 3) return null
  const counts = intensityClasses.map(({ id }) => classes.find((each) => each.id === id)?.objects ?? 0)
  return counts.some((each) => each > 0) ? counts : null
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
/** 1+ once, 2+ twice, 3+ three times. */
const weighted = (grades: readonly number[]): number => sum(grades.map((each, strength) => strength * each))

/** 0 to 300. */
export function hScoreOf(classes: Counted, cuts: ClassCuts | null | undefined): number | null {
  const grades = gradesOf(classes, cuts)
  return grades && (100 * weighted(grades)) / sum(grades)
}

/** Each share up to which the proportion of positive cells scores so much, from 1 on. */
const allredShares = [1 / 100, 1 / 10, 1 / 3, 2 / 3, 1] as const
/** How many cells are positive (0 to 5), how strongly on average (0 to 3), and both together (0, or 2 to 8). */
export interface Allred {
  readonly proportion: number
  readonly intensity: number
  readonly score: number
}
/** Source: Harvey, Clark, Osborne, Allred 1999 (J Clin Oncol 17:1474). The intensity is the mean grade of the positive cells, rounded, halves up. */
export function allredOf(classes: Counted, cuts: ClassCuts | null | undefined): Allred | null {
  const grades = gradesOf(classes, cuts)
  if (!grades) return null
  const positive = sum(grades.slice(1))
  if (positive === 0) return { proportion: 0, intensity: 0, score: 0 }
  const share = positive / sum(grades)
  const proportion = 1 + allredShares.findIndex((upTo) => share <= upTo)
  const intensity = Math.floor(weighted(grades) / positive + 0.5)
  return { proportion, intensity, score: proportion + intensity }
}

const positiveIds = ['positive', 'weak', 'moderate', 'strong']
/** Whether objects of the class count as positive or as negative; null: they count as neither. */
export const isPositive = (id: string): boolean | null => (positiveIds.includes(id) ? true : id === 'negative' ? false : null)

function positivesOf(classes: Counted): { positive: number; all: number } | null {
  const count = (sign: boolean): number => sum(classes.map(({ id, objects }) => (isPositive(id) === sign ? objects : 0)))
  const positive = count(true)
  const all = positive + count(false)
  return all === 0 ? null : { positive, all }
}

/** From 0 to 1, of objects that are positive or negative; null: none is either. Those of other classes do not count. */
export function positiveShareOf(classes: Counted): number | null {
  const counted = positivesOf(classes)
  return counted && counted.positive / counted.all
}

type Interval = readonly [low: number, high: number]
/** How many standard deviations 95 % of a normal distribution lie within. */
const z95 = 1.959963984540054
/**
 * Between which shares the true one lies with 95 % confidence, where `some` of `all` cells were counted; null of no cell. It knows nothing of cells
 * that were missed, or classed wrongly. Source: Wilson 1927 (J Am Stat Assoc 22:209), without continuity correction.
 */
export function wilsonInterval(some: number, all: number): Interval | null {
  if (all === 0) return null
  const share = some / all
  const square = z95 ** 2 / all
  const middle = (share + square / 2) / (1 + square)
  const half = (z95 / (1 + square)) * Math.sqrt((share * (1 - share)) / all + square / (4 * all))
  // Of none and of all the interval ends at 0 and 1, which rounding misses.
  return [some === 0 ? 0 : middle - half, some === all ? 1 : middle + half]
}

/** Of the positive share; null as positiveShareOf. */
export function shareIntervalOf(classes: Counted): Interval | null {
  const counted = positivesOf(classes)
  return counted && wilsonInterval(counted.positive, counted.all)
}

/** "36.6 to 47.9 %". */
export const intervalText = ([low, high]: Interval): string => `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} %`
