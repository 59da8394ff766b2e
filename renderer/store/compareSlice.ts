// Two results held against each other: which, what the engine found, and that as a file. Pure.
import { unitSymbols, type ComparedValue, type RunComparison, type RunStatus } from '../../app/contract'
import { keptRuns, type RunState } from './runSlice'

export interface CompareState {
  readonly on: boolean
  readonly a: string | null
  readonly b: string | null
  readonly busy: boolean
  readonly found: RunComparison | null
  /** Why the two cannot be compared, in words. */
  readonly refused: string | null
}
export const noCompare: CompareState = { on: false, a: null, b: null, busy: false, found: null, refused: null }

/** The oldest first. */
export const comparable = (runs: RunState): RunStatus[] => keptRuns(runs).filter(({ state }) => state === 'done')

/** The chosen result against the newest of the others that saw the same part, or else any. */
export function firstSides(runs: RunState): { a: string; b: string } | null {
  const all = comparable(runs)
  const chosen = all.find(({ runId }) => runId === runs.activeId) ?? all.at(-1)
  const others = all.filter((run) => run !== chosen)
  const key = ({ region }: RunStatus) => [region.x, region.y, region.width, region.height].join()
  const other = others.findLast((run) => chosen && key(run) === key(chosen)) ?? others.at(-1)
  if (!chosen || !other) return null
  // As they came: what was first is A.
  return all.indexOf(other) < all.indexOf(chosen) ? { a: other.runId, b: chosen.runId } : { a: chosen.runId, b: other.runId }
}

/** "0.55 µm", "on", "–". */
export function valueWords(value: ComparedValue['a'], unit: ComparedValue['unit']): string {
  if (value === null) return '–'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  const symbol = unitSymbols[unit]
  return symbol === '' || typeof value === 'string' ? String(value) : `${value} ${symbol}`
}

const quoted = (value: string | number): string => {
  const text = String(value)
  // What a spreadsheet would run gets an apostrophe, as in objects.csv.
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** RFC 4180: a row a figure, then a row a value that differs. */
export function comparisonCsv(found: RunComparison): string {
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
  ]
  return rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')
}
