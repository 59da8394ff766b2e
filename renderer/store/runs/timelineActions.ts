// What a run did when, asked of the engine for as long as somebody looks at it, and saved as a file.
import { timingsCsv, type RunStatus, type RunTimeline } from '../../../app/contract'
import { api } from '../../api'
import { saveText } from '../base/saveText'
import { timelineCsv, timelineJson, timelineSvg } from './timelineFile'

/** null: the run is gone. */
export async function timelineOf(runId: string): Promise<RunTimeline | null> {
  const result = await api().call('run:timeline', { runId })
  return result.ok ? result.value : null
}

/** "sample-timeline.csv", of what is on the screen; `stages`: "sample-timings.csv", with the algorithms that ran. */
export function saveTimeline(run: RunStatus, timeline: RunTimeline, as: 'csv' | 'stages' | 'json' | 'svg'): Promise<void> {
  if (as === 'stages') return saveText('timings.csv', 'text/csv', timingsCsv(run.timings))
  const types = { csv: 'text/csv', json: 'application/json', svg: 'image/svg+xml' } as const
  const text = as === 'csv' ? timelineCsv(timeline) : as === 'json' ? timelineJson(run, timeline) : timelineSvg(run, timeline)
  return saveText(`timeline.${as}`, types[as], text)
}
