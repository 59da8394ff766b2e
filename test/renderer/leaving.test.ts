// Whether the program's end would lose anything follows what runs tell, although nobody asks for their list again.
import { expect, it, vi } from 'vitest'
import type { RunEntry, RunStatus } from '../../app/contract'
import { wouldLose } from '../../renderer/store/engine/leaving'
import { listen } from '../../renderer/store/events'
import { listedRuns, refreshRuns } from '../../renderer/store/runs/runList'
import { setUpWindow, status } from './windowFixture'

it('a run that has ended since the list was asked for is none that would be ended, and one that is kept is not lost', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  const entry: RunEntry = {
    status: status({ state: 'running' }),
    recipe: { format: 'morphoscope-recipe', version: 1, spec: 'plain', name: 'Plain', params: {} },
    ...{ recipeName: 'Plain', slideName: 'b.svs', slidePath: '/b.svs' },
  }
  const window = setUpWindow({ 'run:list': () => ({ ok: true, value: [entry] }) })
  const off = listen()
  await refreshRuns()
  const loses = (part: Partial<RunStatus>): boolean => {
    const now = { ...entry.status, ...part }
    window.happens(part.state === 'done' ? { type: 'run:end', status: now } : { type: 'run:progress', status: now })
    return wouldLose(listedRuns(), new Set())
  }
  expect(loses({ elapsedMs: 3000 })).toBe(true)
  expect(loses({ state: 'done', objects: 5, elapsedMs: 4000 })).toBe(false)
  const hour = { state: 'done' as const, objects: 5, elapsedMs: 3_600_000 }
  expect(loses(hour)).toBe(true)
  expect(loses({ ...hour, keptId: 'k0123456789abcdef' })).toBe(false)
  off()
})
