// The list of runs beside what the engine tells of them: what overtakes what, an end above all, leaves nothing that seems to go on.
import { expect, it, vi } from 'vitest'
import type { AppEvent, RunEntry, RunStatus } from '../../app/contract'
import { engineState } from '../../renderer/store/engine/engineState'
import { listen } from '../../renderer/store/events'
import { answered, asking, fullRuns } from '../../renderer/store/slices/runSlice'
import { previewNow } from '../../renderer/store/runs/previewActions'
import { segment } from '../../renderer/store/runs/runActions'
import { refreshRuns } from '../../renderer/store/runs/runList'
import { getState, patch, update } from '../../renderer/store/store'
import { cpu, machine, setUpSlide, setUpWindow, slide, status } from './windowFixture'

it('the end of a listed preview that nobody here waits for is heard while another run is asked for', async () => {
  const preview = status({ purpose: 'preview' })
  const entry = { status: preview, recipe: { spec: 'plain', params: {} }, slideName: 'a.svs' } as unknown as RunEntry
  const { happens } = setUpWindow({ 'run:list': () => ({ ok: true, value: [entry] }) })
  const leave = listen()
  try {
    patch('slide', { info: slide })
    patch('ui', { connection: 'online', app: machine([cpu]) })
    await refreshRuns()
    update('runs', (runs) => asking(runs, { id: 1, purpose: 'preview' }))
    happens({ type: 'run:end', status: { ...preview, state: 'cancelled' } })
    update('runs', (runs) => answered(runs, 1))
    expect(engineState(getState())).toBe('ready')
  } finally {
    leave()
  }
})

it('a preview that is answered when a full run has been asked for is ended, and not shown', async () => {
  const answers: (() => void)[] = []
  const asked = setUpSlide(machine([cpu]), {
    'run:start': (arg) => {
      const { purpose } = arg as RunStatus
      const value = status({ runId: purpose, purpose })
      return new Promise((resolve) => answers.push(() => resolve({ ok: true, value }))) as never
    },
    'run:cancel': () => ({ ok: true, value: status({ state: 'cancelled' }) }),
  })
  previewNow()
  segment({ x: 0, y: 0, width: 500, height: 500 })
  for (const answer of answers) answer()
  await vi.waitFor(() => expect(asked.at(-1)).toEqual({ name: 'run:cancel', arg: { runId: 'preview' } }))
  expect(getState().runs.stack).toEqual(['run'])
})

it.each(['run:progress', 'run:end'] as const)(
  'a run whose end overtakes the list (%s) is not taken for running',
  async (type) => {
    const ended = status({ state: 'done', tilesDone: 4, objects: 7 })
    const entry = {
      status: status({ tilesDone: 4 }),
      recipe: { spec: 'plain', params: {} },
      slideName: 'a.svs',
    } as unknown as RunEntry
    let tell: (event: AppEvent) => void = () => undefined
    const { happens } = setUpWindow({
      'run:list': () => {
        tell({ type, status: ended })
        tell = () => undefined
        return { ok: true, value: [entry] }
      },
      'run:tiles': () => ({ ok: true, value: [] }),
    })
    const leave = listen()
    try {
      patch('slide', { info: slide })
      tell = happens
      await refreshRuns()
      expect(fullRuns(getState().runs)).toMatchObject([{ runId: 'r1', state: 'done', objects: 7 }])
    } finally {
      leave()
    }
  },
)
