// The summary of the project's slides: asked of the engine while its panel is open, copied and saved.
import { isOver, type ProjectSummary, type Result } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { copyText } from '../base/copyText'
import { chosenRun, fullRuns } from '../slices/runSlice'
import { saveText } from '../base/saveText'
import { getState } from '../store'
import { summaryTabs } from './summaryWords'

/** `chosen`: the result that is looked at, which other slides follow too. */
export type SummaryResult = 'chosen' | 'own' | 'imported' | 'newest'

/** Each slide is opened for it: taken back, that ends with the slide that is read. */
export function summaryOf(result: SummaryResult, signal: AbortSignal): Promise<Result<ProjectSummary>> {
  const { runs } = getState()
  if (result === 'imported') return api().call('project:summary', { from: result }, signal)
  // A result of this window need not be kept in the project.
  const over = fullRuns(runs).filter((run) => isOver(run) && (result !== 'own' || !run.imported))
  const newestFirst = over.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1))
  const chosen = chosenRun(runs)
  const first = result !== 'chosen' ? newestFirst : chosen && isOver(chosen) ? [chosen] : []
  const runIds = first.map(({ runId }) => runId)
  return api().call('project:summary', { runIds, ...(result !== 'chosen' && { from: result }) }, signal)
}

export const copySummary = ({ rows }: ProjectSummary): Promise<void> =>
  copyText(summaryTabs(rows), words.counts.copiedRows(rows.length), words.summary.about)

/** "Study-classes.csv", as `project summary --by-class --csv` prints it. */
export const saveGroups = ({ groupsCsv }: ProjectSummary): Promise<void> =>
  saveText('classes.csv', 'text/csv', groupsCsv, getState().project.doc?.name ?? 'project')

/** "Study-cores.csv", as `project summary --by-core --csv` prints it. */
export const saveCores = ({ coresCsv }: ProjectSummary): Promise<void> =>
  saveText('cores.csv', 'text/csv', coresCsv, getState().project.doc?.name ?? 'project')

/** "Study-summary.csv", as the command line prints it. */
export const saveSummary = ({ csv }: ProjectSummary): Promise<void> =>
  saveText('summary.csv', 'text/csv', csv, getState().project.doc?.name ?? 'project')
