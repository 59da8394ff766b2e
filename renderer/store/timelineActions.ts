// What a run did when, asked of the engine for as long as somebody looks at it, and saved as a file.
import type { RunStatus, RunTimeline } from '../../app/contract'
import { api } from '../api'
import { timelineCsv, timelineJson, timelineSvg } from '../arithmetic/timelineFile'
import { saveText } from './saveText'

/** null: the run is gone. */
export async function timelineOf(runId: string): Promise<RunTimeline | null> {
  const result = await api().call('run:timeline', { runId })
  return result.ok ? result.value : null
}

/** "sample-timeline.csv", of what is on the screen. */
export function saveTimeline(run: RunStatus, timeline: RunTimeline, as: 'csv' | 'json' | 'svg'): void {
  const types = { csv: 'text/csv', json: 'application/json', svg: 'image/svg+xml' } as const
  const text = as === 'csv' ? timelineCsv(timeline) : as === 'json' ? timelineJson(run, timeline) : timelineSvg(run, timeline)
  saveText(`timeline.${as}`, types[as], text)
}
