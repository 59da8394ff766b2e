// The shapes that runs ran within: asked of the engine once a run, as a status says only that there are some.
import { api } from '../../api'
import { getState, update, useStore } from '../store'

const asked = new Set<string>()

async function learn(runId: string): Promise<void> {
  asked.add(runId)
  const result = await api().call('run:within', { runId })
  if (!result.ok) return void asked.delete(runId)
  if (!getState().runs.byId[runId]) return
  update('runs', (runs) => ({ ...runs, shapesById: { ...runs.shapesById, [runId]: result.value } }))
}

/** Of all runs that the page comes to know. Returns what ends it. */
export const watchWithin = (): (() => void) =>
  useStore.subscribe(({ runs }, before) => {
    if (runs.byId === before.runs.byId) return
    for (const { runId, withinPx } of Object.values(runs.byId))
      if (withinPx !== undefined && !runs.shapesById[runId] && !asked.has(runId)) void learn(runId)
  })
