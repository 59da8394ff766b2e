// Exports a run's files, remembers where to, and never leaves the dialog waiting for an answer that does not come.
import { reportFiles, type AppError, type ExportRequest, type ExportResult } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { copyText } from '../base/copyText'
import { tell, tellError, tellWithSteps } from '../base/notify'
import { saveSettings } from '../base/settingsActions'
import { getState, patch, update } from '../store'
import { noExport } from '../slices/uiSlice'
import { said } from '../../words/named'

/** An engine that is busy answers a cancel within a second or two; after this the dialog is free whatever it does. */
export const cancelPatienceMs = 5000

/** Counts exports: the answer to one that nobody waits for any more must not be shown as another's. */
let count = 0
let giveUp: ReturnType<typeof setTimeout> | undefined

export async function startExport(request: ExportRequest): Promise<void> {
  const mine = ++count
  clearTimeout(giveUp)
  update('exporting', () => ({ ...noExport, running: true, runId: request.runId, asked: request }))
  const result = await api().call('export:start', request)
  if (result.ok && !result.value.cancelled) void saveSettings({ exportDirectory: request.directory })
  const { exporting, ui } = getState()
  const awaited = mine === count && exporting.running && exporting.runId === request.runId
  if (awaited) {
    clearTimeout(giveUp)
    patch('exporting', {
      running: false,
      cancelling: false,
      file: null,
      ...(result.ok ? { result: result.value, fraction: 1 } : { error: result.error }),
    })
  }
  // Nobody sees the dialog, or it shows something else by now.
  if (!awaited || ui.dialog !== 'export') tellOutcome(result.ok ? result.value : result.error)
}

function tellOutcome(outcome: ExportResult | AppError): void {
  if ('code' in outcome) return tellError(outcome, words.buttons.export)
  if (outcome.cancelled) return
  const text = [words.exported.writtenTo(outcome.directory), ...outcome.warnings.map(said)].join(' ')
  const steps = stepsAfter(outcome)
  if (steps.length === 0) tell(text, words.buttons.export, 12_000)
  else tellWithSteps(text, words.buttons.export, steps)
}

/** What a person does next with what was written. */
export interface ExportStep {
  readonly label: string
  readonly testId: string
  readonly act: () => void
}

/** Of the files that were written the first report, if there is one. */
const reportOf = ({ files }: ExportResult): ExportResult['files'][number] | undefined =>
  reportFiles.flatMap((name) => files.filter((file) => file.name === name))[0]

/** On the desktop the system opens it; a browser opens no file of the computer, so there the report's path is copied. */
export function stepsAfter(result: ExportResult): ExportStep[] {
  const report = reportOf(result)
  const [first] = result.files
  if (!getState().ui.app?.dialogs) {
    if (!report) return []
    const done = words.exported.pathCopied
    const act = () => void copyText(report.path, done, words.buttons.export)
    return [{ label: words.exported.copyPath, testId: 'export-copy-path', act }]
  }
  return [
    ...(report ? [{ label: words.exported.openReport, testId: 'export-open-report', act: () => void open(report.path) }] : []),
    ...(first
      ? [{ label: words.exported.showInFolder, testId: 'export-show', act: () => void show((report ?? first).path) }]
      : []),
  ]
}

async function open(path: string): Promise<void> {
  const result = await api().call('export:open', { path })
  if (!result.ok) tellError(result.error, words.exported.report)
}

async function show(path: string): Promise<void> {
  const result = await api().call('export:show', { path })
  if (!result.ok) tellError(result.error, words.names.folder)
}

/** A pseudonym in place of the slide's name, in this export and the next ones. */
export async function setDeidentify(deidentify: boolean): Promise<void> {
  const result = await saveSettings({ deidentify })
  if (!result.ok) tellError(result.error, words.exported.pseudonym)
}

export async function cancelExport(): Promise<void> {
  const { runId, cancelling } = getState().exporting
  if (runId === null || cancelling) return
  const mine = count
  patch('exporting', { cancelling: true })
  clearTimeout(giveUp)
  giveUp = setTimeout(() => {
    if (mine !== count || !getState().exporting.running) return
    count++
    patch('exporting', {
      running: false,
      cancelling: false,
      error: {
        code: 'OUTPUT_FAILED',
        message: words.exported.noAnswer(cancelPatienceMs / 1000),
      },
    })
  }, cancelPatienceMs)
  const result = await api().call('export:cancel', { runId })
  if (!result.ok && mine === count) tellError(result.error, words.buttons.export)
}

/** The files that are in the way, of an export that was refused for them. */
export const filesInTheWay = (error: AppError | null): readonly string[] =>
  error?.code === 'OUTPUT_EXISTS' ? (error.files ?? []) : []

/** The user has read which files are there, and wants them replaced. */
export function replaceFiles(): void {
  const { asked } = getState().exporting
  if (asked) void startExport({ ...asked, overwrite: true })
}

/** What came of an export belongs to its dialog: the next look at it starts afresh. */
export function closeExport(): void {
  patch('ui', { dialog: null })
  update('exporting', (exporting) => (exporting.running ? exporting : noExport))
}

export async function chooseDirectory(): Promise<string | null> {
  const result = await api().call('dialog:directory', { title: words.exported.chooseFolder })
  if (result.ok) return result.value
  tellError(result.error, words.buttons.export)
  return null
}
