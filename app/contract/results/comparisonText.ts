// A comparison of two runs as text: a value in words, and all of it as a table for a file.
import type { ComparedValue, RunComparison } from './comparisons'
import { csvRows } from '../base/csvRows'
import { unitSymbols } from '../recipes'

/** "0.55 µm", "on", "–". */
export function valueWords(value: ComparedValue['a'], unit: ComparedValue['unit']): string {
  if (value === null) return '–'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  const symbol = unitSymbols[unit]
  return symbol === '' || typeof value === 'string' ? String(value) : `${value} ${symbol}`
}

/** RFC 4180: a row a figure, then a row a value that differs, then what `more` adds. */
export function comparisonCsv(
  found: Omit<RunComparison, 'comparison'>,
  more: readonly (readonly (string | number)[])[] = [],
): string {
  const { a, b } = found
  const rows: (readonly (string | number)[])[] = [
    ['what', 'A', 'B', 'both'],
    ['name', a.name, b.name, ''],
    ['recipe', a.recipeName, b.recipeName, ''],
    ['objects', a.objects, b.objects, ''],
    ['objects in both', '', '', found.both],
    ['objects in one only', found.onlyA, found.onlyB, ''],
    ['area px', a.areaPx, b.areaPx, found.overlapPx],
    ['Dice of areas', '', '', found.dice],
    ['mean IoU of pairs', '', '', found.meanIou ?? ''],
    ['time ms', a.elapsedMs, b.elapsedMs, ''],
    ...found.values.map(({ stage, param, a: own, b: other }) => [
      `${stage}.${param}`,
      ...[own, other].map((value) => (typeof value === 'boolean' ? String(value) : (value ?? ''))),
      '',
    ]),
    ...more,
  ]
  return csvRows(rows)
}
