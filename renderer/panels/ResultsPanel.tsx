// What came out: counts, the selected object, timings, warnings.
import { IconAlertTriangle, IconEraser } from '@tabler/icons-react'
import { isOver } from '../../app/contract'
import { clearResults } from '../store/runList'
import { activeRun, keptRun, keptRuns, shownElsewhere } from '../store/runSlice'
import { runMm2 } from '../store/slideSlice'
import { useStore } from '../store/store'
import { formatCount, formatDuration, formatMeasure } from '../arithmetic/format'
import { IconButton } from '../widgets/IconButton'
import { Section } from '../widgets/Section'
import { NoObjects } from './NoObjects'
import { RunControls } from './RunControls'
import { RunList, RunsElsewhere } from './RunList'
import { SelectedObject } from './SelectedObject'
import { Timings } from './Timings'

function Counts() {
  // Figures of an older run must not be read as those of the one that is just starting.
  const run = useStore((state) => (state.runs.starting === 'run' ? null : activeRun(state.runs)))
  const kept = useStore((state) => keptRun(state.runs))
  const mm2 = run && runMm2(run)
  const isPreview = run?.purpose === 'preview'
  return (
    <div className="counts" aria-live="polite">
      <div className="count">
        <b className="num" data-testid="object-count">
          {run && run.state !== 'queued' ? formatCount(run.objects) : '–'}
        </b>
        <span data-testid="object-count-of">
          objects{isPreview ? ' in the ' : run ? ` in ${run.name}` : ''}
          {isPreview && <i className="preview-mark">Preview</i>}
        </span>
      </div>
      {run && <NoObjects run={run} />}
      <dl className="facts">
        {isPreview && kept && (
          <div>
            <dt>{kept.name}</dt>
            <dd className="num" data-testid="kept-count">
              <b>{formatCount(kept.objects)}</b> objects
            </dd>
          </div>
        )}
        <div>
          <dt>Region</dt>
          <dd className="num">
            {run
              ? mm2 === null
                ? `${formatMeasure((run.region.width * run.region.height) / 1e6)} Mpx`
                : `${formatMeasure(mm2)} mm²`
              : '–'}
          </dd>
        </div>
        <div>
          <dt>Density</dt>
          <dd className="num">{run && mm2 && run.state === 'done' ? `${formatCount(run.objects / mm2)} / mm²` : '–'}</dd>
        </div>
        <div>
          <dt>Analysed at</dt>
          <dd className="num">
            {run
              ? run.analysedMpp === null
                ? `${run.grid.scale.toFixed(2)} px, uncalibrated`
                : `${run.analysedMpp.toFixed(3)} µm/px`
              : '–'}
          </dd>
        </div>
        {run && isOver(run) && (
          <div>
            <dt>Took</dt>
            <dd className="num">{formatDuration(run.elapsedMs)}</dd>
          </div>
        )}
      </dl>
    </div>
  )
}

function Warnings() {
  const run = useStore((state) => activeRun(state.runs))
  if (!run || (run.warnings.length === 0 && run.unreadableTiles === 0 && !run.error)) return null
  return (
    <ul className="warnings" data-testid="warnings">
      {run.error && <li className="bad">{run.error.message}</li>}
      {run.unreadableTiles > 0 && (
        <li>
          {formatCount(run.unreadableTiles)} tiles of the file could not be read. They are marked on the overlay and are not in
          the counts.
        </li>
      )}
      {run.warnings.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  )
}

export function ResultsPanel() {
  const active = useStore((state) => activeRun(state.runs))
  const kept = useStore((state) => keptRuns(state.runs).length)
  const hasRun = useStore((state) => state.runs.stack.length > 0)
  const elsewhere = useStore((state) => shownElsewhere(state.runs).length)
  const warned = useStore((state) => {
    const run = activeRun(state.runs)
    return run ? run.warnings.length + (run.unreadableTiles > 0 ? 1 : 0) + (run.error ? 1 : 0) : 0
  })
  return (
    <aside className="panel right" aria-label="Results">
      <div className="panel-top">
        <RunControls />
      </div>
      <div className="panel-scroll" tabIndex={-1}>
        {elsewhere > 0 && (
          <Section title={`Going on elsewhere (${elsewhere})`}>
            <RunsElsewhere />
          </Section>
        )}
        <Section
          title={kept > 0 ? `Results (${kept})` : 'Results'}
          aside={
            <IconButton
              size={22}
              label="Delete all results of this slide"
              disabled={!hasRun}
              onClick={clearResults}
              testId="clear-results"
            >
              <IconEraser size={14} />
            </IconButton>
          }
        >
          <RunList />
        </Section>
        <Section title="Figures">
          <Counts />
        </Section>
        {warned > 0 && (
          <Section title={`Warnings (${warned})`} aside={<IconAlertTriangle size={14} className="warn-icon" aria-hidden />}>
            <Warnings />
          </Section>
        )}
        <Section title="Selected object">
          <SelectedObject />
        </Section>
        <Section title="Timings">
          <Timings run={active} />
        </Section>
      </div>
    </aside>
  )
}
