// What a run did when: its windows by device and time, coloured by stage; what is idle shows as gaps. For hands, keys and ears.
import { Button, Modal } from '@mantine/core'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { isOver, type RunStatus, type RunTimeline } from '../../../app/contract'
import {
  barsOf,
  entryAt,
  neighbour,
  rest,
  restColour,
  shortMs,
  stageLooks,
  standsOf,
  stepOf,
  type StageLook,
} from '../../arithmetic/timeline'
import { activeRun } from '../../store/slices/runSlice'
import { patch, useStore } from '../../store/store'
import { saveTimeline, timelineOf } from '../../store/runs/timelineActions'
import { busyWords, stageName, standWords } from '../../store/runs/timelineWords'
import { Swatch } from '../../widgets/Swatch'
import { words } from '../../words'
import { WorkTable } from '../table/WorkTable'

const saved = [
  ['csv', words.timeline.windowsAsCsv],
  ['stages', words.timeline.stagesAsCsv],
  ['json', words.timeline.allAsJson],
  ['svg', words.timeline.picture],
] as const
const laneHeight = 18
const gapHeight = 4
const labelWidth = 54
const axisHeight = 18

function draw(canvas: HTMLCanvasElement, timeline: RunTimeline, looks: readonly StageLook[], chosen: number | null): void {
  const ratio = window.devicePixelRatio || 1
  const width = canvas.clientWidth
  const height = canvas.clientHeight
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  const pen = canvas.getContext('2d')
  if (!pen) return
  pen.scale(ratio, ratio)
  const style = getComputedStyle(canvas)
  const themed = (name: string): string => style.getPropertyValue(name)
  const px = (ms: number): number => labelWidth + (ms / Math.max(1, timeline.endedMs)) * (width - labelWidth - 8)
  pen.font = `11px ${style.fontFamily}`
  pen.textBaseline = 'middle'
  const step = stepOf(timeline.endedMs)
  for (let ms = 0; ms <= timeline.endedMs; ms += step) {
    pen.fillStyle = themed('--line')
    pen.fillRect(px(ms), 0, 1, height - axisHeight)
    pen.fillStyle = style.color
    const text = shortMs(ms)
    pen.fillText(text, Math.min(px(ms), width - pen.measureText(text).width), height - axisHeight / 2)
  }
  const colours = new Map(looks.map(({ name, colour }) => [name, colour]))
  timeline.lanes.forEach(({ device }, lane) => {
    const first = lane === 0 || timeline.lanes[lane - 1]!.device !== device
    pen.fillStyle = style.color
    if (first) pen.fillText(device, 0, lane * (laneHeight + gapHeight) + laneHeight / 2)
    pen.fillStyle = themed('--lane')
    pen.fillRect(labelWidth, lane * (laneHeight + gapHeight), width - labelWidth - 8, laneHeight)
  })
  for (const { from, to, why } of standsOf(timeline)) {
    const wide = px(to) - px(from)
    pen.fillStyle = themed(why === 'paused' ? '--lane-paused' : '--line')
    pen.fillRect(px(from), 0, Math.max(1, wide), height - axisHeight)
    pen.fillStyle = why === 'paused' ? themed('--warn') : style.color
    if (wide > pen.measureText(standWords(why)).width + 12) pen.fillText(standWords(why), px(from) + 6, laneHeight / 2)
  }
  timeline.lane.forEach((lane, entry) => {
    const top = lane * (laneHeight + gapHeight)
    for (const { from, to, colour } of barsOf(timeline, entry, colours)) {
      pen.fillStyle = colour
      pen.fillRect(px(from), top + 1, Math.max(0.5, px(to) - px(from)), laneHeight - 2)
    }
    // Where one window ends and the next begins.
    pen.fillStyle = themed('--bg')
    pen.fillRect(px(timeline.to[entry]!) - 0.5, top + 1, 1, laneHeight - 2)
  })
  if (chosen !== null && timeline.lane[chosen] !== undefined) {
    const top = timeline.lane[chosen] * (laneHeight + gapHeight)
    pen.strokeStyle = themed('--text-strong')
    pen.lineWidth = 2
    pen.strokeRect(
      px(timeline.from[chosen]!),
      top + 1,
      Math.max(2, px(timeline.to[chosen]!) - px(timeline.from[chosen]!)),
      laneHeight - 2,
    )
  }
}

/** One window in words. */
function wordsOf(timeline: RunTimeline, entry: number): string {
  const { lanes, lane, x, y, tiles, windows, from, to, stages, stageMs } = timeline
  const took = stages
    .map(({ stage }, i) => ({ stage, ms: stageMs[i]![entry]! }))
    .filter(({ ms }) => ms > 0)
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 4)
    .map(({ stage, ms }) => words.timeline.stageTook(stage, shortMs(ms)))
  const device = lanes[lane[entry]!]!.device
  const [begun, ended] = [shortMs(from[entry]!), shortMs(to[entry]!)]
  return windows[entry] === 1
    ? words.timeline.oneWindow(device, tiles[entry]!, x[entry]!, y[entry]!, begun, ended, took.join(', '))
    : words.timeline.windows(device, windows[entry]!, tiles[entry]!, x[entry]!, y[entry]!, begun, ended, took.join(', '))
}

function Chart({ timeline }: { readonly timeline: RunTimeline }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const looks = stageLooks(timeline)
  const height = Math.max(1, timeline.lanes.length) * (laneHeight + gapHeight) + axisHeight
  useLayoutEffect(() => {
    const element = canvas.current
    if (!element) return
    const paint = (): void => draw(element, timeline, looks, chosen)
    paint()
    const watch = new ResizeObserver(paint)
    watch.observe(element)
    // Its colours are the theme's, which may change while it is looked at.
    const themed = new MutationObserver(paint)
    themed.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
    return () => {
      watch.disconnect()
      themed.disconnect()
    }
  })
  const under = (event: React.PointerEvent<HTMLCanvasElement>): number | null => {
    const box = event.currentTarget.getBoundingClientRect()
    const ms = ((event.clientX - box.left - labelWidth) / (box.width - labelWidth - 8)) * timeline.endedMs
    return entryAt(timeline, Math.floor((event.clientY - box.top) / (laneHeight + gapHeight)), ms)
  }
  const about = busyWords(timeline)
  const shown = chosen === null || timeline.lane[chosen] === undefined ? null : wordsOf(timeline, chosen)
  return (
    <div className="timeline" data-testid="timeline">
      <p className="note" data-testid="timeline-busy">
        {about || words.timeline.nothingComputed}
        {timeline.pauses.length > 0 && words.timeline.paused(timeline.pauses.length)}
      </p>
      <div className="timeline-lanes">
        <canvas
          ref={canvas}
          className="timeline-canvas"
          style={{ height }}
          tabIndex={0}
          role="img"
          aria-label={words.timeline.chart(about)}
          data-testid="timeline-canvas"
          onPointerMove={(event) => setChosen(under(event))}
          onPointerLeave={() => setChosen(null)}
          onKeyDown={(event) => {
            if (!event.key.startsWith('Arrow')) return
            event.preventDefault()
            setChosen(neighbour(timeline, chosen, event.key))
          }}
        />
      </div>
      <p className="timeline-window num" role="status" data-testid="timeline-window">
        {shown ?? words.timeline.pointAtWindow}
      </p>
      <ul className="timeline-legend" aria-label={words.timeline.legend}>
        {looks.map(({ name, colour, ms }) => (
          <li key={name} className={name === rest ? 'dim' : undefined}>
            <Swatch className="stage-mark" colour={name === rest ? restColour : colour} name={stageName(name)} isSaid />
            <span>{stageName(name)}</span>
            <b className="num">{shortMs(ms)}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Body({ run }: { readonly run: RunStatus }) {
  const [timeline, setTimeline] = useState<RunTimeline | null>(null)
  const over = isOver(run)
  useEffect(() => {
    let gone = false
    const ask = async (): Promise<void> => {
      const known = await timelineOf(run.runId)
      if (!gone && known) setTimeline(known)
    }
    void ask()
    const timer = over ? undefined : setInterval(() => void ask(), 1000)
    return () => {
      gone = true
      clearInterval(timer)
    }
  }, [run.runId, over])
  return (
    <>
      <p className="note">
        {words.timeline.run(run.name, run.elapsedMs, run.tilesDone, run.tilesTotal, run.resumedTiles, run.keptMegapixels)}
      </p>
      {timeline && <Chart timeline={timeline} />}
      <WorkTable run={run} />
      {timeline && (
        <div className="timeline-save">
          {saved.map(([as, label]) => (
            <Button
              key={as}
              size="compact-xs"
              variant="light"
              onClick={() => void saveTimeline(run, timeline, as)}
              data-testid={`timeline-save-${as}`}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
    </>
  )
}

export function TimelineDialog() {
  const opened = useStore((state) => state.ui.dialog === 'timeline')
  const run = useStore((state) => activeRun(state.runs))
  return (
    <Modal opened={opened} onClose={() => patch('ui', { dialog: null })} title={words.timeline.title} size="min(1040px, 92vw)">
      {run ? <Body run={run} /> : <p className="nothing">{words.timeline.nothing}</p>}
    </Modal>
  )
}
