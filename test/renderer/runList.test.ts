// The list of runs beside what the engine tells of them: an end that is heard before a list that was made earlier stays an end.
import { expect, it } from 'vitest'
import type { AppEvent, RunEntry } from '../../app/contract'
import { listen } from '../../renderer/store/events'
import { fullRuns } from '../../renderer/store/slices/runSlice'
import { refreshRuns } from '../../renderer/store/runs/runList'
import { getState, patch } from '../../renderer/store/store'
import { setUpWindow, slide, status } from './windowFixture'

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
