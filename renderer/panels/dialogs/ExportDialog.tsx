// Exports a run: which files, where to, what came of it.
import { Alert, Button, Checkbox, Group, Modal, TextInput } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import {
  isArea,
  isLaser,
  writableExportFiles,
  type ExportFile,
  type ExportResult,
  type RunState,
  type RunStatus,
} from '../../../app/contract'
import {
  cancelExport,
  chooseDirectory,
  closeExport,
  filesInTheWay,
  replaceFiles,
  setDeidentify,
  startExport,
  stepsAfter,
} from '../../store/runs/exportActions'
import { advice, headlines } from '../../store/base/notify'
import { askForImages, picturedOf } from '../../store/document/imageActions'
import { regionsOf } from '../../store/slices/projectSlice'
import { activeRun, exportableRuns } from '../../store/slices/runSlice'
import { patch, useStore } from '../../store/store'
import type { ExportDraft } from '../../store/slices/uiSlice'
import { formatBytes } from '../../arithmetic/format'
import { isCropped, runSize } from '../../store/slices/slideSlice'
import { entryProblem, NumberEntry } from '../../widgets/NumberEntry'
import { words } from '../../words'
import { laserRequestOf, LaserFields } from './LaserFields'
import { said } from '../../words/named'
import { Said } from '../../widgets/Said'

const about: Record<ExportFile, string> = words.exportDialog.files
const simplifyRange = { min: 0, max: 100 }

const states: Record<RunState, string> = words.exportDialog.states
const nameOf = (run: RunStatus): string => words.exportDialog.run(run.name, runSize(run), states[run.state])

function Progress() {
  const { file, fraction, fileLeftMs, cancelling } = useStore((state) => state.exporting)
  return (
    <div className="progress running" role="status" data-testid="export-progress">
      <div className="progress-line">
        <span>
          {cancelling ? words.exportDialog.cancelling : file ? words.exportDialog.writing(file) : words.exportDialog.gathering}
        </span>
        <span className="num">{words.exportDialog.done(Math.round(fraction * 100), fileLeftMs)}</span>
      </div>
      <div className="bar">
        <span style={{ transform: `scaleX(${fraction})` }} />
      </div>
    </div>
  )
}

/** Nothing was written: which files are there, and the one button that goes on. */
function InTheWay({ message, files }: { readonly message: string; readonly files: readonly string[] }) {
  return (
    <Alert color="yellow" variant="light" title={words.exportDialog.inTheWay} data-testid="export-exists">
      <span>{message}</span>
      {files.length > 0 && (
        <ul>
          {files.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      )}
      <Button size="compact-sm" variant="default" mt={8} onClick={replaceFiles} data-testid="export-replace">
        {words.exportDialog.replace(files.length)}
      </Button>
    </Alert>
  )
}

/** The first has the keyboard: whoever exported by Enter opens the report by Enter. */
function NextSteps({ result }: { readonly result: ExportResult }) {
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [result])
  const steps = stepsAfter(result)
  if (steps.length === 0) return null
  return (
    <Group gap="xs" mt={8}>
      {steps.map(({ label, testId, act }, i) => (
        <Button key={testId} ref={i === 0 ? first : null} size="compact-sm" variant="light" onClick={act} data-testid={testId}>
          {label}
        </Button>
      ))}
    </Group>
  )
}

/** What came of the last export of this run; nothing that was said of another. */
function Outcome({ runId }: { readonly runId: string | undefined }) {
  const exporting = useStore((state) => state.exporting)
  const { running, result, error } = exporting
  if (running) return <Progress />
  if (exporting.runId !== runId) return null
  if (error) {
    if (error.code === 'OUTPUT_EXISTS') return <InTheWay message={error.message} files={filesInTheWay(error)} />
    return (
      <Alert color="red" variant="light" title={headlines[error.code]} data-testid="export-error">
        {/* No value here is marked: what is wrong is in the message. */}
        <Said text={error.message} /> {error.code === 'INVALID_PARAMETER' ? '' : advice[error.code]}
      </Alert>
    )
  }
  if (!result) return null
  if (result.cancelled)
    return (
      <div className="export-result" data-testid="export-result" role="status">
        <b>{words.exportDialog.cancelled}</b>
      </div>
    )
  return (
    <div className="export-result" data-testid="export-result" role="status">
      <b>{words.exportDialog.writtenTo(result.directory)}</b>
      <ul>
        {result.files.map(({ name, path, bytes }) => (
          <li key={name} title={path}>
            <span>{name}</span>
            <i className="num">{formatBytes(bytes)}</i>
          </li>
        ))}
      </ul>
      <NextSteps result={result} />
      {result.warnings.length > 0 && (
        <ul className="warnings" data-testid="export-warnings">
          {result.warnings.map((warning) => (
            <li key={warning}>
              <Said text={said(warning)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** On the desktop only a folder from the system's dialog may be written to: there the field shows it, and the button chooses it. */
export function Folder({ directory, onChange }: { readonly directory: string; readonly onChange: (directory: string) => void }) {
  const dialogs = useStore((state) => state.ui.app?.dialogs ?? false)
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        className="grow"
        size="xs"
        label={dialogs ? words.names.folder : words.exportDialog.folderOnServer}
        placeholder={dialogs ? words.exportDialog.chooseFolder : words.exportDialog.folderExample}
        readOnly={dialogs}
        value={directory}
        title={directory}
        onChange={(event) => onChange(event.currentTarget.value)}
        data-testid="export-directory"
        {...(dialogs ? {} : { 'data-autofocus': true })}
      />
      {dialogs && (
        <Button
          variant="default"
          leftSection={<IconFolder size={14} />}
          onClick={() => void chooseDirectory().then((chosen) => chosen !== null && onChange(chosen))}
          data-autofocus
        >
          {words.exportDialog.choose}
        </Button>
      )}
    </Group>
  )
}

function WhichRun({ runs, run, onChoose }: { runs: readonly RunStatus[]; run: RunStatus; onChoose: (runId: string) => void }) {
  if (runs.length === 1) return <p className="note">{words.exportDialog.onlyRun(nameOf(run), run.objects)}</p>
  return (
    <div className="choices runs" role="radiogroup" aria-label={words.exportDialog.which}>
      {runs.map((each) => (
        <label key={each.runId}>
          <input type="radio" name="run" checked={each.runId === run.runId} onChange={() => onChoose(each.runId)} />
          {words.exportDialog.oneRun(nameOf(each), each.objects)}
        </label>
      ))}
    </div>
  )
}

function Form({ runs }: { readonly runs: readonly RunStatus[] }) {
  const settings = useStore((state) => state.ui.settings)
  const draft = useStore((state) => state.ui.exportDraft)
  const { running, cancelling, result, runId: exported } = useStore((state) => state.exporting)
  const asked = useStore((state) => state.ui.exportRunId)
  // The result whose figures the window shows, unless a row's own button named another.
  const chosen = useStore((state) => activeRun(state.runs)?.runId)
  const [runId, setRunId] = useState(exported ?? asked ?? chosen ?? '')
  const run = runs.find((r) => r.runId === runId) ?? runs[0]!
  const directory = draft.directory ?? settings?.exportDirectory ?? ''
  const deidentify = settings?.deidentify ?? false
  // Not remembered: a report goes to other eyes.
  const [named, setNamed] = useState(false)
  const { files, simplifyPx, ownFolder } = draft
  const tables = files.filter((file) => file === 'objects.csv' || file === 'objects.parquet')
  const offersRegions = useStore(({ project }) => regionsOf(project).some(({ shape }) => isArea(shape))) && tables.length > 0
  const byRegion = draft.byRegion && offersRegions
  const hasImages = useStore(({ project }) => picturedOf(regionsOf(project)).length > 0)
  const cropped = useStore(({ slide }) => isCropped(slide, run.slideId))
  const written = files.some((file) => file.startsWith('objects.') || file === 'labels.ome.tif')
  const asInQuPath = draft.asInQuPath && cropped && written
  const writable = writableExportFiles(useStore((state) => state.ui.app?.prints ?? false))
  const laser = files.some(isLaser) ? laserRequestOf(draft.laser, files) : undefined
  const ready = laser !== null && files.length > 0 && directory.trim() !== '' && entryProblem(simplifyPx, simplifyRange) === null
  const change = (part: Partial<ExportDraft>) => patch('ui', { exportDraft: { ...draft, ...part } })
  const toggle = (file: ExportFile, on: boolean) =>
    change({ files: writable.filter((f) => (f === file ? on : files.includes(f))) })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!ready) return
        const simplified = simplifyPx > 0 ? { simplifyPx } : {}
        void startExport({
          runId: run.runId,
          directory: directory.trim(),
          files: [...files],
          ownFolder,
          deidentify,
          ...(named && !deidentify && { named }),
          ...(byRegion && { byRegion }),
          ...(laser && { laser }),
          ...(asInQuPath && { origin: 'bounds' }),
          ...simplified,
        })
      }}
    >
      <fieldset className="plain" disabled={running}>
        <WhichRun runs={runs} run={run} onChoose={setRunId} />
        <div className="choices">
          {writable.map((file) => (
            <Checkbox
              key={file}
              size="xs"
              checked={files.includes(file)}
              onChange={(event) => toggle(file, event.currentTarget.checked)}
              label={
                <>
                  <b>{file}</b> <span className="dim">{about[file]}</span>
                </>
              }
              data-testid={`export-file-${file}`}
            />
          ))}
        </div>
        {files.some(isLaser) && (
          <LaserFields draft={draft.laser} files={files} onChange={(part) => change({ laser: { ...draft.laser, ...part } })} />
        )}
        <Folder directory={directory} onChange={(chosen) => change({ directory: chosen })} />
        <div className="choices export-ways">
          {offersRegions && (
            <Checkbox
              size="xs"
              checked={byRegion}
              onChange={(event) => change({ byRegion: event.currentTarget.checked })}
              label={
                <>
                  {words.exportDialog.byRegion(tables)} <span className="dim">{words.exportDialog.byRegionNote}</span>
                </>
              }
              data-testid="export-by-region"
            />
          )}
          {cropped && written && (
            <Checkbox
              size="xs"
              checked={asInQuPath}
              onChange={(event) => change({ asInQuPath: event.currentTarget.checked })}
              label={
                <>
                  {words.exportDialog.coordinates} <span className="dim">{words.exportDialog.coordinatesNote}</span>
                </>
              }
              data-testid="export-coordinates"
            />
          )}
          <Checkbox
            size="xs"
            checked={ownFolder}
            onChange={(event) => change({ ownFolder: event.currentTarget.checked })}
            label={
              <>
                {words.exportDialog.ownFolder} <span className="dim">{words.exportDialog.ownFolderNote}</span>
              </>
            }
            data-testid="export-own-folder"
          />
          <Checkbox
            size="xs"
            checked={deidentify}
            onChange={(event) => void setDeidentify(event.currentTarget.checked)}
            label={
              <>
                {words.exportDialog.pseudonym} <span className="dim">{words.exportDialog.pseudonymNote}</span>
              </>
            }
            data-testid="export-deidentify"
          />
          {files.some((file) => file.startsWith('report.')) && !deidentify && (
            <Checkbox
              size="xs"
              checked={named}
              onChange={(event) => setNamed(event.currentTarget.checked)}
              label={
                <>
                  {words.exportDialog.nameSlide} <span className="dim">{words.exportDialog.nameSlideNote}</span>
                </>
              }
              data-testid="export-named"
            />
          )}
        </div>
        <NumberEntry
          label={words.exportDialog.simplify}
          width={260}
          {...simplifyRange}
          step={0.5}
          value={simplifyPx}
          onChange={(value) => change({ simplifyPx: value ?? 0 })}
          testId="export-simplify"
        />
      </fieldset>
      <div className="export-outcome">
        <Outcome runId={run.runId} />
      </div>
      <Group justify="flex-end" className="dialog-buttons">
        {running ? (
          <Button variant="default" disabled={cancelling} onClick={() => void cancelExport()} data-testid="export-cancel">
            {words.buttons.cancel}
          </Button>
        ) : (
          <>
            {hasImages && (
              <Button variant="subtle" onClick={askForImages} data-testid="export-images">
                {words.regionImages.fromExport}
              </Button>
            )}
            <Button variant="default" onClick={closeExport}>
              {result ? words.buttons.close : words.buttons.cancel}
            </Button>
            <Button type="submit" disabled={!ready} data-testid="export-run">
              {words.buttons.export}
            </Button>
          </>
        )}
      </Group>
    </form>
  )
}

export function ExportDialog() {
  const opened = useStore((state) => state.ui.dialog === 'export')
  const runState = useStore((state) => state.runs)
  const runs = exportableRuns(runState)
  return (
    <Modal opened={opened} onClose={closeExport} title={words.buttons.export} size="lg">
      {runs.length > 0 ? <Form runs={runs} /> : <p className="nothing">{words.exportDialog.nothing}</p>}
    </Modal>
  )
}
