// Which results have a frame on the slide: not those that newer ones lie over.
import { describe, expect, it } from 'vitest'
import type { RunStatus } from '../../app/contract'
import { framed } from '../../renderer/viewer/vectors'

const run = (runId: string, x: number, width: number, more: Partial<RunStatus> = {}): RunStatus =>
  ({ runId, purpose: 'run', state: 'done', region: { x, y: 0, width, height: 100 }, ...more }) as RunStatus
const of = (runs: RunStatus[], chosen: string | null = null): string => [...framed(runs, chosen)].sort().join(' ')

describe('frames of results', () => {
  it('are those that lie side by side, or a good part beside each other', () => {
    expect(of([run('a', 0, 100), run('b', 100, 100), run('c', 125, 100)])).toBe('a b c')
  })
  it('are left out where a newer one lies over the result, but for the chosen one', () => {
    expect(of([run('a', 0, 100), run('b', 5, 100)])).toBe('b')
    expect(of([run('a', 0, 100), run('b', 5, 100)], 'a')).toBe('a b')
    expect(of([run('small', 40, 10), run('whole', 0, 1000)])).toBe('whole')
    expect(of([run('whole', 0, 1000), run('small', 40, 10)])).toBe('small whole')
  })
  it('are few where forty fields lie a few px apart, and mark the whole trail', () => {
    const trail = Array.from({ length: 40 }, (_, i) => run(String(i).padStart(2, '0'), 2 * i, 100))
    expect(of(trail)).toBe('06 17 28 39')
  })
  it('stay around what goes on or was ended, over and under others', () => {
    const ended = run('ended', 0, 100, { state: 'cancelled' })
    const goes = run('goes', 0, 100, { state: 'running' })
    expect(of([ended, run('done', 0, 100), goes, run('preview', 0, 100, { purpose: 'preview' })])).toBe('done ended goes preview')
  })
  it('count regions of interest by what lies in them alone', () => {
    expect(of([run('a', 0, 100), run('b', 0, 100, { withinPx: 30 })])).toBe('a b')
  })
})
