// Asks how two results differ, again when their objects are changed, and saves the answer.
import { comparisonCsv } from '../../../app/contract'
import { api } from '../../api'
import { latest } from '../base/latest'
import { words } from '../../words'
import { comparable, firstSides, noCompare } from '../slices/compareSlice'
import { tellError } from '../base/notify'
import { saveText } from '../base/saveText'
import { getState, patch, update, useStore } from '../store'

const newest = latest()

async function ask(): Promise<void> {
  const { a, b } = getState().compare
  if (a === null || b === null) return
  const signal = newest.begin()
  patch('compare', { busy: true, refused: null })
  const result = await api().call('run:compare', { a, b })
  if (signal.aborted || !getState().compare.on) return
  if (result.ok) return patch('compare', { busy: false, found: result.value })
  patch('compare', { busy: false, found: null, refused: result.error.message })
  if (result.error.code !== 'INVALID_PARAMETER' && result.error.code !== 'ENGINE_LOST')
    tellError(result.error, words.compare.title)
}

export function toggleCompare(): void {
  if (leaveCompare() || !getState().slide.info) return
  patch('compare', { ...noCompare, on: true, ...firstSides(getState().runs) })
  patch('overlay', { visible: true })
  void ask()
}

/** Returns whether there was something to leave. */
export function leaveCompare(): boolean {
  if (!getState().compare.on) return false
  update('compare', () => noCompare)
  return true
}

export function chooseSide(side: 'a' | 'b', runId: string): void {
  const { a, b } = getState().compare
  const other = side === 'a' ? b : a
  // The same run on both sides is nothing to compare: they change places.
  const swapped = runId === other ? { a: b, b: a } : { a, b, [side]: runId }
  patch('compare', { ...swapped, found: null })
  void ask()
}

/** "sample-comparison.csv", of what is on the screen. */
export function saveComparison(as: 'csv' | 'json'): void {
  const { compare, slide } = getState()
  if (!compare.found || !slide.info) return
  const { comparison: _number, ...found } = compare.found
  const text = as === 'csv' ? comparisonCsv(compare.found) : `${JSON.stringify(found, null, 2)}\n`
  void saveText(`comparison.${as}`, as === 'csv' ? 'text/csv' : 'application/json', text)
}

useStore.subscribe((state, before) => {
  const { on, a, b } = state.compare
  if (!on) return
  if (state.slide.info?.slideId !== before.slide.info?.slideId) return void leaveCompare()
  if (state.runs === before.runs) return
  const there = new Set(comparable(state.runs).map(({ runId }) => runId))
  // One was deleted, or a second has come.
  if (a === null || b === null || !there.has(a) || !there.has(b)) {
    const sides = firstSides(state.runs)
    if (sides?.a === a && sides?.b === b) return
    if (!sides && a === null) return
    patch('compare', { a: null, b: null, found: null, ...sides })
    return void ask()
  }
  const edits = (runs: typeof state.runs, id: string) => runs.byId[id]?.edits
  if ([a, b].some((id) => edits(state.runs, id) !== edits(before.runs, id))) void ask()
})
