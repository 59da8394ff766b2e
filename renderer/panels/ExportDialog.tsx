// Exports a run: which files, where to, what came of it.
import { Alert, Button, Checkbox, Group, Modal, NumberInput, TextInput } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { useState } from 'react'
import { exportFiles, type ExportFile, type RunStatus } from '../../app/contract'
import { cancelExport, chooseDirectory, startExport } from '../store/exportActions'
import { advice, headlines } from '../store/notify'
import { exportableRuns } from '../store/runSlice'
import { patch, update, useStore } from '../store/store'
import { noExport } from '../store/uiSlice'
import { formatBytes, formatCount } from '../viewer/format'

const about: Record<ExportFile, string> = {
  'objects.geojson': 'outlines for QuPath, level-0 pixels',
  'objects.csv': 'one row an object, units in the header',
  'labels.ome.tif': 'label image, 32 bit, pyramid',
  'overlay.png': 'a picture of the result',
  'run.json': 'recipe, versions, device, timings',
}

const states = {
  done: '',
  cancelled: ' (cancelled: the part that was done)',
  queued: ' (queued)',
  running: ' (still running)',
  failed: '',
} as const
const nameOf = (run: RunStatus): string =>
  `${run.purpose === 'run' ? 'Segmented region' : 'Preview of the visible field'}, ${run.region.width} × ${run.region.height} px${states[run.state]}`

function Outcome() {
  const { running, file, fraction, result, error } = useStore((state) => state.exporting)
  if (running) {
    return (
      <div className="progress running" role="status">
        <div className="progress-line">
          <span>{file ? `Writing ${file}` : 'Starting…'}</span>
          <span className="num">{Math.round(fraction * 100)} %</span>
        </div>
        <div className="bar">
          <span style={{ transform: `scaleX(${fraction})` }} />
        </div>
      </div>
    )
  }
  if (error) {
    return (
      <Alert color="red" variant="light" title={headlines[error.code]} data-testid="export-error">
        {error.message} {advice[error.code]}
      </Alert>
    )
  }
  if (!result) return null
  if (result.cancelled)
    return (
      <div className="export-result" data-testid="export-result" role="status">
        <b>Cancelled: no file was written.</b>
      </div>
    )
  return (
    <div className="export-result" data-testid="export-result" role="status">
      <b>Written to {result.directory}</b>
      <ul>
        {result.files.map(({ name, path, bytes }) => (
          <li key={name} title={path}>
            <span>{name}</span>
            <i className="num">{formatBytes(bytes)}</i>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Form({ runs }: { readonly runs: readonly RunStatus[] }) {
  const settings = useStore((state) => state.ui.settings)
  const dialogs = useStore((state) => state.ui.app?.dialogs ?? false)
  const { running, result } = useStore((state) => state.exporting)
  const asked = useStore((state) => state.ui.exportRunId)
  const [runId, setRunId] = useState(asked ?? runs[0]?.runId ?? '')
  const [files, setFiles] = useState<readonly ExportFile[]>(exportFiles)
  const [directory, setDirectory] = useState(settings?.exportDirectory ?? '')
  const [simplify, setSimplify] = useState(0)
  const run = runs.find((r) => r.runId === runId) ?? runs[0]
  const ready = run !== undefined && files.length > 0 && directory.trim() !== ''
  const toggle = (file: ExportFile, on: boolean) => setFiles(exportFiles.filter((f) => (f === file ? on : files.includes(f))))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) void startExport(run.runId, directory.trim(), [...files], simplify)
      }}
    >
      <fieldset className="plain" disabled={running}>
        {runs.length > 1 && (
          <div className="choices" role="radiogroup" aria-label="Which result">
            {runs.map((r) => (
              <label key={r.runId}>
                <input type="radio" name="run" checked={r.runId === run?.runId} onChange={() => setRunId(r.runId)} />
                {nameOf(r)}, {formatCount(r.objects)} objects
              </label>
            ))}
          </div>
        )}
        {runs.length === 1 && run && (
          <p className="note">
            {nameOf(run)}: {formatCount(run.objects)} objects.
          </p>
        )}
        <div className="choices">
          {exportFiles.map((file) => (
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
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            className="grow"
            size="xs"
            label={dialogs ? 'Folder' : 'Folder on the server'}
            placeholder="/path/to/folder"
            value={directory}
            onChange={(event) => setDirectory(event.currentTarget.value)}
            data-testid="export-directory"
            data-autofocus
          />
          {dialogs && (
            <Button
              variant="default"
              leftSection={<IconFolder size={14} />}
              onClick={() => void chooseDirectory().then((chosen) => chosen !== null && setDirectory(chosen))}
            >
              Choose…
            </Button>
          )}
        </Group>
        <NumberInput
          mt="xs"
          size="xs"
          w={260}
          label="Simplify outlines by up to, px (0 = exact)"
          min={0}
          max={100}
          step={0.5}
          value={simplify}
          onChange={(value) => setSimplify(typeof value === 'number' ? value : 0)}
          data-testid="export-simplify"
        />
      </fieldset>
      <div className="export-outcome">
        <Outcome />
      </div>
      <Group justify="flex-end">
        {running ? (
          <Button variant="default" onClick={() => void cancelExport()}>
            Cancel
          </Button>
        ) : (
          <>
            <Button variant="default" onClick={() => patch('ui', { dialog: null })}>
              {result ? 'Close' : 'Cancel'}
            </Button>
            <Button type="submit" disabled={!ready} data-testid="export-run">
              Export
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
  const close = () => {
    patch('ui', { dialog: null })
    update('exporting', (exporting) => (exporting.running ? exporting : noExport))
  }
  return (
    <Modal opened={opened} onClose={close} title="Export" size="lg">
      {runs.length > 0 ? (
        <Form runs={runs} />
      ) : (
        <p className="nothing">There is no result yet. Segment the visible field, a rectangle or the whole slide first.</p>
      )}
    </Modal>
  )
}
