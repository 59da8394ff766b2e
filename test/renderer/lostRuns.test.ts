// What the banner offers after the engine's death: each run that was asked for once, from its newest journal, else anew.
import { expect, it } from 'vitest'
import { lostRuns, type JournalEntry } from '../../renderer/store/slices/interruptedSlice'
import type { RequestedRun } from '../../renderer/store/slices/requestSlice'

const region = { x: 10, y: 20, width: 300, height: 400 }
const asked = (name: string, where: RequestedRun['region'] = region): RequestedRun => ({
  region: where,
  purpose: 'run',
  name,
  slidePath: 'a.svs',
})
const entry = (journalId: string, tilesDone: number, more: Partial<JournalEntry> = {}): JournalEntry =>
  ({ journalId, slidePath: 'a.svs', region, tilesDone, tilesTotal: 10, ...more }) as JournalEntry
const ids = (cut: readonly JournalEntry[]): string[] => cut.map(({ journalId }) => journalId)

it('goes on with what was asked for, not with an earlier run of the same region that was ended by hand', () => {
  const { cut, again } = lostRuns([asked('Rectangle 2')], [entry('running', 3), entry('ended', 2)], 'a.svs')
  expect([ids(cut), again]).toEqual([['running'], []])
})

it('two of the same region go on, each with its own', () => {
  const { cut, again } = lostRuns([asked('A'), asked('B')], [entry('2', 3), entry('1', 2)], 'a.svs')
  expect([ids(cut), again]).toEqual([['2', '1'], []])
})

it('begins anew where no journal has the run: of another region, another slide, or finished', () => {
  const other = { ...region, x: 11 }
  const entries = [entry('done', 10), entry('elsewhere', 4, { slidePath: 'b.svs' }), entry('beside', 4, { region: other })]
  const runs = [asked('A'), asked('whole', 'whole')]
  expect(lostRuns(runs, entries, 'a.svs')).toEqual({ cut: [], again: runs })
})
