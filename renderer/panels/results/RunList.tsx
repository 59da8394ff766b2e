// The results of the slide, the topmost first, each to be looked at, hidden, exported, ended or deleted; and what goes on elsewhere.
import {
  IconBookmark,
  IconBookmarkFilled,
  IconDownload,
  IconEye,
  IconEyeOff,
  IconFolderOpen,
  IconPlayerPlay,
  IconPlayerStop,
  IconTrash,
} from '@tabler/icons-react'
import { memo, useState, type KeyboardEvent } from 'react'
import { isOver, lookedAtPx, runMm2, type RunEntry, type RunStatus } from '../../../app/contract'
import { goOnWith } from '../../store/engine/interruptedActions'
import { cancelRun, chooseRun, deleteRun, exportRun, showRun } from '../../store/runs/runList'
import { keepRun } from '../../store/objects/objectActions'
import { chosenRun, resultRows, shownElsewhere, waitsFor } from '../../store/slices/runSlice'
import { openSlide } from '../../store/slide/slideActions'
import { runSize } from '../../store/slices/slideSlice'
import { useStore } from '../../store/store'
import { formatArea, formatCount } from '../../arithmetic/format'
import { viewer } from '../../store/base/viewerHandle'
import { IconButton } from '../../widgets/IconButton'
import { words } from '../../words'

const percentOf = ({ tilesDone, tilesTotal }: RunStatus): string =>
  `${tilesTotal > 0 ? Math.floor((100 * tilesDone) / tilesTotal) : 0} %`

const areaOf = (run: RunStatus): string => formatArea(runMm2(run), lookedAtPx(run) / 1e6)

/** How it stands, in as many words as a row has room for. */
function stateOf(run: RunStatus, waits: string | null): string {
  switch (run.state) {
    case 'queued':
      return waits ? words.runList.queuedAfter(waits) : words.runStates.queued
    case 'running':
      return run.etaMs === null ? percentOf(run) : words.runList.running(percentOf(run), run.etaMs)
    case 'paused':
      return run.settling ? words.runList.pausing(percentOf(run)) : words.runList.paused(percentOf(run))
    case 'done':
      return words.runList.done(areaOf(run), run.elapsedMs)
    case 'cancelled':
      return words.runList.cancelled(percentOf(run), run.elapsedMs)
    case 'failed':
      return words.runList.failed(percentOf(run))
  }
}

const asTime = (iso: string): string => new Date(iso).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })

function Bar({ run }: { readonly run: RunStatus }) {
  const part = run.tilesTotal > 0 ? run.tilesDone / run.tilesTotal : 0
  return (
    <span className="run-bar" aria-hidden>
      <span style={{ transform: `scaleX(${part})` }} />
    </span>
  )
}

/** Up and down go from row to row; Delete asks where it matters. */
function onKey(event: KeyboardEvent<HTMLButtonElement>, runId: string): void {
  const rows = [...(event.currentTarget.closest('ul')?.querySelectorAll<HTMLButtonElement>('.run-main') ?? [])]
  const at = rows.indexOf(event.currentTarget)
  if (event.key === 'Delete' || event.key === 'Backspace') {
    event.preventDefault()
    // The focus stays in the list.
    ;(rows[at + 1] ?? rows[at - 1])?.focus()
    return deleteRun(runId)
  }
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  rows[at + step]?.focus()
}

interface RowProps {
  readonly run: RunStatus
  readonly chosen: boolean
  readonly shown: boolean
}

/** Each has five buttons with tips: made anew where its own run has changed, not with every other's. */
const Row = memo(function Row({ run, chosen, shown }: RowProps) {
  const waits = useStore((state) => (run.state === 'queued' ? waitsFor(state.runs, run) : null))
  const recipe = useStore((state) => state.runs.recipeById[run.runId])
  const state = stateOf(run, waits)
  const about = words.runList.about(run.name, recipe, runSize(run), asTime(run.startedAt), state)
  return (
    <li
      className={`run ${run.state} ${chosen ? 'chosen' : ''} ${shown ? '' : 'off'}`}
      data-testid="run-row"
      data-run={run.runId}
      data-state={run.state}
    >
      <IconButton
        size={22}
        label={shown ? words.runList.hide(run.name) : words.runList.show(run.name)}
        pressed={shown}
        onClick={() => showRun(run.runId, !shown)}
        testId="run-show"
      >
        {shown ? <IconEye size={14} /> : <IconEyeOff size={14} />}
      </IconButton>
      <button
        type="button"
        className="run-main"
        data-keys="delete"
        aria-pressed={chosen}
        title={about}
        onClick={() => chooseRun(run.runId)}
        onDoubleClick={() => viewer()?.fitRegion(run.withinBox ?? run.region)}
        onKeyDown={(event) => onKey(event, run.runId)}
        data-testid="run-choose"
      >
        <span className="run-name">{run.name}</span>
        <b className="num" data-testid="run-objects">
          {run.state === 'queued' ? '–' : formatCount(run.objects)}
        </b>
        <span className="run-state num" data-testid="run-state">
          {run.channelName === undefined ? state : `${run.channelName} · ${state}`}
        </span>
      </button>
      {run.state === 'cancelled' && run.tilesDone > 0 && (
        <IconButton size={22} label={words.runList.goOn(run.name)} onClick={() => void goOnWith(run.runId)} testId="run-go-on">
          <IconPlayerPlay size={14} />
        </IconButton>
      )}
      {(run.state === 'done' || (run.state === 'cancelled' && run.tilesDone > 0)) && (
        <IconButton
          size={22}
          label={run.keptId ? words.runList.isKept(run.name) : words.runList.keep(run.name)}
          pressed={run.keptId !== undefined}
          onClick={() => run.keptId === undefined && void keepRun(run.runId)}
          testId="run-keep"
        >
          {run.keptId ? <IconBookmarkFilled size={14} /> : <IconBookmark size={14} />}
        </IconButton>
      )}
      {isOver(run) ? (
        <IconButton
          size={22}
          label={words.runList.export(run.name)}
          disabled={run.tilesDone === 0}
          onClick={() => exportRun(run.runId)}
          testId="run-export"
        >
          <IconDownload size={14} />
        </IconButton>
      ) : (
        <IconButton size={22} label={words.runList.end(run.name)} onClick={() => cancelRun(run)} testId="run-cancel">
          <IconPlayerStop size={14} />
        </IconButton>
      )}
      <IconButton
        size={22}
        label={words.runList.delete(run.name)}
        shortcut={words.keys.delete}
        onClick={() => deleteRun(run.runId)}
        testId="run-delete"
      >
        <IconTrash size={14} />
      </IconButton>
      {!isOver(run) && <Bar run={run} />}
    </li>
  )
})

export function RunList() {
  const runs = useStore((state) => state.runs)
  const [isWhole, setWhole] = useState(false)
  const { rows, older } = resultRows(runs, isWhole)
  const chosen = chosenRun(runs)?.runId
  if (rows.length === 0) return <p className="nothing">{words.runList.nothing}</p>
  return (
    <>
      <ul className="run-list" aria-label={words.runList.title}>
        {rows.map((run) => (
          <Row key={run.runId} run={run} chosen={run.runId === chosen} shown={!runs.hidden.includes(run.runId)} />
        ))}
      </ul>
      {older > 0 && (
        <button type="button" className="more" onClick={() => setWhole(true)} data-testid="run-older">
          {words.runList.showOlder(older)}
        </button>
      )}
    </>
  )
}

function Elsewhere({ entry }: { readonly entry: RunEntry }) {
  const { status, slideName, slidePath } = entry
  const here = useStore((state) => state.slide.info?.path === slidePath)
  const waits = useStore((state) => (status.state === 'queued' ? waitsFor(state.runs, status) : null))
  return (
    <li className={`run ${status.state}`} data-testid="elsewhere-row" data-run={status.runId}>
      <IconButton
        size={22}
        label={words.elsewhere.open(slideName)}
        disabled={here}
        onClick={() => void openSlide(slidePath)}
        testId="elsewhere-open"
      >
        <IconFolderOpen size={14} />
      </IconButton>
      <span className="run-main" title={slidePath}>
        <span className="run-name">{slideName}</span>
        <b className="num">{status.state === 'queued' ? '–' : formatCount(status.objects)}</b>
        <span className="run-state num">{words.elsewhere.state(status.name, stateOf(status, waits))}</span>
      </span>
      <IconButton
        size={22}
        label={words.elsewhere.end(status.name, slideName)}
        onClick={() => cancelRun(status, undefined, slideName)}
        testId="elsewhere-cancel"
      >
        <IconPlayerStop size={14} />
      </IconButton>
      <Bar run={status} />
    </li>
  )
}

/** Whatever the engine is busy with and this slide does not show: of other slides, and of other windows. */
export function RunsElsewhere() {
  const runs = useStore((state) => state.runs)
  const entries = shownElsewhere(runs)
  return (
    <ul className="run-list" aria-label={words.elsewhere.list} data-testid="elsewhere">
      {entries.map((entry) => (
        <Elsewhere key={entry.status.runId} entry={entry} />
      ))}
    </ul>
  )
}
