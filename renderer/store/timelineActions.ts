// What a run did when, asked of the engine for as long as somebody looks at it.
import type { RunTimeline } from '../../app/contract'
import { api } from '../api'

/** null: the run is gone. */
export async function timelineOf(runId: string): Promise<RunTimeline | null> {
  const result = await api().call('run:timeline', { runId })
  return result.ok ? result.value : null
}
