// Starting, watching and cancelling runs.
import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconPlayerPause, IconPlayerPlay, IconPlayerStop, IconRectangle, IconWorld } from '@tabler/icons-react'
import { isOver, type RunStatus } from '../../../app/contract'
import { tip } from '../../store/base/commandKeys'
import { runCommand } from '../../store/commands/commands'
import { cancelRun } from '../../store/runs/runList'
import { activeRun, figuresPreview, chosenRun, isStarting, runningRun, waitsFor } from '../../store/slices/runSlice'
import { patch, useStore, type State } from '../../store/store'
import { formatDuration } from '../../arithmetic/format'
import { IconButton } from '../../widgets/IconButton'
import { words } from '../../words'

/** What Esc and the button end. A preview under a result is nobody's headline. */
function goingRun(runs: State['runs']): RunStatus | null {
  const running = runningRun(runs)
  const isUnder = running?.purpose === 'preview' && !runs.tuning && chosenRun(runs) !== null
  return isUnder ? null : running
}

/** That, but for a preview that has just begun; without it, how the run of the headline ended. */
function shownRun(runs: State['runs']): RunStatus | null {
  const going = goingRun(runs)
  const isNew = going?.purpose === 'preview' && going.runId !== figuresPreview(runs)?.runId
  return going && !isNew ? going : activeRun(runs)
}

/** At the right end of the last line. */
function remainder(run: RunStatus | null, waits: string | null): string {
  if (run?.state === 'running' && run.ground)
    return run.ground.etaMs === null ? '' : words.runControls.backgroundLeft(run.ground.etaMs)
  if (run?.state === 'running' && run.etaMs !== null) return words.runControls.left(run.etaMs)
  if (run?.state === 'paused') return words.runControls.keyGoesOn(tip('pause').shortcut)
  if (run?.state === 'queued') return waits ? words.runControls.after(waits) : words.runControls.waits
  return run?.state === 'cancelled' ? words.runControls.finishedPartKept : ''
}

/** Windows wait for what they stand on: said, as no tile is done meanwhile. */
function stateWords(run: RunStatus): string {
  if (run.settling) return words.runControls.pausing
  if (run.ground && run.state === 'running') return words.runControls.background
  return words.runStates[run.state]
}

function Progress() {
  const run = useStore((state) => shownRun(state.runs))
  const waits = useStore((state) => {
    const shown = shownRun(state.runs)
    return shown?.state === 'queued' ? waitsFor(state.runs, shown) : null
  })
  const going = useStore((state) => goingRun(state.runs)?.state)
  const starting = useStore((state) => isStarting(state.runs, 'run'))
  const isBeginning = starting && (run === null || isOver(run))
  const ground = run && !isOver(run) ? run.ground : undefined
  const fraction = ground
    ? ground.share
    : run && run.tilesTotal > 0
      ? run.tilesDone / run.tilesTotal
      : run?.state === 'done'
        ? 1
        : 0
  // As the list has it: 100 % is the end.
  const percent = Math.floor(fraction * 100)
  const what = run?.purpose === 'preview' ? words.names.preview : run?.name
  return (
    <div
      className={`progress ${run?.state ?? 'idle'}`}
      data-testid="progress"
      data-state={isBeginning ? 'running' : (going ?? run?.state ?? 'idle')}
      data-purpose={run?.purpose}
    >
      <div className="progress-line">
        <span className="progress-what" role="status">
          {isBeginning
            ? words.states.starting
            : run
              ? words.runControls.runAndState(what ?? '', stateWords(run))
              : words.states.nothingRanYet}
        </span>
        <span className="num">
          {run?.state === 'running' || run?.state === 'paused'
            ? `${percent} %`
            : run && isOver(run)
              ? formatDuration(run.elapsedMs)
              : ''}
        </span>
      </div>
      <div
        className="bar"
        role="progressbar"
        aria-label={words.runControls.progress}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <span style={{ transform: `scaleX(${fraction})` }} />
      </div>
      <div className="progress-line dim">
        <span className="num">
          {run ? words.runControls.tiles(run.tilesDone, run.tilesTotal) : '–'}
          {run && run.megapixelsPerSecond > 0 ? words.runControls.speed(run.megapixelsPerSecond) : ''}
        </span>
        <span className="num progress-what">{remainder(run, waits)}</span>
      </div>
    </div>
  )
}

export function RunControls() {
  const hasSlide = useStore((state) => state.slide.info !== null && state.recipe.specs.length > 0)
  // Not the run: with each of its tiles these buttons would be made anew.
  const busy = useStore((state) => {
    const run = runningRun(state.runs)
    return run?.purpose === 'run' ? run.state : null
  })
  const tool = useStore((state) => state.ui.tool)
  return (
    <div className="run-controls" role="group" aria-label={words.buttons.segment}>
      {/* The same place starts and stops: nothing moves under the pointer. */}
      {busy ? (
        <div className="run-row">
          <Button
            className="grow"
            size="sm"
            color="red"
            variant="light"
            leftSection={<IconPlayerStop size={16} />}
            onClick={() => cancelRun()}
            data-testid="cancel"
          >
            {busy === 'queued' ? words.runControls.cancelQueued : words.runControls.cancelKeeping}
          </Button>
          <IconButton
            {...tip('pause')}
            size={30}
            label={busy === 'paused' ? words.runControls.continue : words.runControls.pause}
            pressed={busy === 'paused'}
            onClick={() => runCommand('pause')}
            testId="pause"
          >
            {busy === 'paused' ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
          </IconButton>
        </div>
      ) : (
        // Its key stands in it: wherever a tip is put, it covers the other ways to segment or the view's controls.
        <Button
          fullWidth
          size="sm"
          className="main-action"
          leftSection={<IconPlayerPlay size={16} />}
          rightSection={<kbd aria-hidden>{tip('segmentVisible').shortcut}</kbd>}
          disabled={!hasSlide}
          onClick={() => runCommand('segmentVisible')}
          data-testid="segment-visible"
        >
          {words.runControls.visibleField}
        </Button>
      )}
      <div className="run-row">
        <div className="split">
          <Button
            variant={tool === 'rectangle' ? 'light' : 'default'}
            leftSection={<IconRectangle size={15} />}
            disabled={!hasSlide}
            aria-pressed={tool === 'rectangle'}
            onClick={() => runCommand('rectangle')}
            data-testid="run-region"
          >
            {words.names.rectangle}
          </Button>
          <Menu position="bottom-start">
            <Menu.Target>
              <Button variant="default" px={5} disabled={!hasSlide} aria-label={words.runControls.moreWays}>
                <IconChevronDown size={14} />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => runCommand('rectangle')}>{words.runControls.drawRectangle}</Menu.Item>
              <Menu.Item onClick={() => patch('ui', { dialog: 'region' })}>{words.runControls.typeCoordinates}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
        <Button
          variant="default"
          className="grow"
          leftSection={<IconWorld size={15} />}
          disabled={!hasSlide}
          onClick={() => runCommand('segmentWhole')}
          data-testid="run-whole"
        >
          {words.names.wholeSlide}
        </Button>
      </div>
      <Progress />
    </div>
  )
}
