// Beside the objects table: two of its columns against each other, on which a box is drawn. The engine sends points, or of very many how many lie where.
import { ActionIcon, Checkbox, RangeSlider, Select } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState, type PointerEvent } from 'react'
import { type Scatter, type TableBox, type TableView } from '../../../app/contract'
import { formatMeasure } from '../../arithmetic/format'
import { nearestPoint, paintScatter, placeOfNumber, valueOn } from '../../arithmetic/scatterPicture'
import { choosePoint, plotOf, setAxis, setBox } from '../../store/selection/scatterActions'
import type { ScatterAxisName } from '../../store/slices/tableSlice'
import { useStore } from '../../store/store'
import { words } from '../../words'
import { headingOf } from '../../words/named'

/** Shares of the axes, from the lower left corner. */
interface Box {
  readonly x: readonly [number, number]
  readonly y: readonly [number, number]
}
const whole: Box = { x: [0, 1], y: [0, 1] }
const plotPx = { width: 288, height: 192 } as const
/** A click is no box. */
const slipPx = 4
const steps = 200

function usePlot(view: TableView): Scatter | null {
  const { x, y, xLog, yLog } = useStore((state) => state.table.scatter)
  const [plot, setPlot] = useState<Scatter | null>(null)
  useEffect(() => {
    const asked = new AbortController()
    void plotOf(view, asked.signal).then((found) => !asked.signal.aborted && setPlot(found))
    return () => asked.abort()
  }, [view, x, y, xLog, yLog])
  return plot
}

function Picture({ plot, view }: { readonly plot: Scatter; readonly view: TableView }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const colours = useMemo(() => {
    // Seen on light and on dark.
    const none = view.classes.length > 0 ? ([140, 140, 140] as const) : ([26, 152, 128] as const)
    return [...view.classes.map(({ color }) => color), none]
  }, [view.classes])
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context || !canvas.current) return
    const { width, height } = canvas.current
    context.putImageData(new ImageData(paintScatter(plot, width, height, colours), width, height), 0, 0)
  }, [plot, colours])
  return <canvas ref={canvas} width={2 * plotPx.width} height={2 * plotPx.height} aria-hidden data-testid="scatter-canvas" />
}

function AxisChoice({ name, view }: { readonly name: ScatterAxisName; readonly view: TableView }) {
  const scatter = useStore((state) => state.table.scatter)
  const upper = name.toUpperCase()
  return (
    <div className="scatter-axis">
      <Select
        size="xs"
        aria-label={words.scatter.axis(upper)}
        leftSection={<b aria-hidden>{upper}</b>}
        data={view.columns.flatMap((column) =>
          column.key === 'id' || column.key === 'class' ? [] : [{ value: column.key, label: headingOf(column) }],
        )}
        value={scatter[name]}
        onChange={(key) => key !== null && setAxis(name, { key })}
        allowDeselect={false}
        comboboxProps={{ position: 'top' }}
        data-testid={`scatter-${name}`}
      />
      <Checkbox
        size="xs"
        label={words.tableFigures.log}
        aria-label={words.scatter.logAxis(upper)}
        checked={scatter[`${name}Log`]}
        onChange={(event) => setAxis(name, { log: event.currentTarget.checked })}
        data-testid={`scatter-${name}-log`}
      />
    </div>
  )
}

/** A box's ends where the axes end are none: what lies beyond is drawn there. */
function boxOf(
  view: { readonly x: string; readonly y: string },
  plot: Scatter,
  logs: readonly [boolean, boolean],
  box: Box,
): TableBox | null {
  if (box.x[0] <= 0 && box.x[1] >= 1 && box.y[0] <= 0 && box.y[1] >= 1) return null
  const end = (axis: 'x' | 'y', at: 0 | 1): number | null =>
    box[axis][at] <= 0 || box[axis][at] >= 1 ? null : valueOn(plot[axis], logs[axis === 'x' ? 0 : 1], box[axis][at])
  return { x: view.x, y: view.y, xLow: end('x', 0), xHigh: end('x', 1), yLow: end('y', 0), yHigh: end('y', 1) }
}

export function ScatterPlot({ view }: { readonly view: TableView }) {
  const axes = useStore((state) => state.table.scatter)
  const set = useStore((state) => state.table.box)
  const selected = useStore(({ selection }) => (selection.runId === view.runId ? (selection.object?.id ?? null) : null))
  const plot = usePlot(view)
  const [box, setShown] = useState<Box>(whole)
  const [from, setFrom] = useState<{ x: number; y: number } | null>(null)
  useEffect(() => {
    if (!set) setShown(whole)
  }, [set])
  if (!plot) return <p className="dim">{words.scatter.plotting}</p>
  const logs = [axes.xLog, axes.yLog] as const
  const commit = (next: Box): void => {
    setShown(next)
    setBox(boxOf(axes, plot, logs, next))
  }
  const at = (event: PointerEvent<SVGSVGElement>): { x: number; y: number } => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    const clip = (share: number): number => Math.min(1, Math.max(0, share))
    return { x: clip((event.clientX - left) / width), y: clip(1 - (event.clientY - top) / height) }
  }
  const between = (to: { x: number; y: number }): Box => ({
    x: [Math.min(from!.x, to.x), Math.max(from!.x, to.x)],
    y: [Math.min(from!.y, to.y), Math.max(from!.y, to.y)],
  })
  const isSlip = (to: { x: number; y: number }): boolean =>
    Math.hypot((to.x - from!.x) * plotPx.width, (to.y - from!.y) * plotPx.height) < slipPx
  const letGo = (to: { x: number; y: number }): void => {
    setFrom(null)
    if (!isSlip(to)) return commit(between(to))
    setShown(set ? box : whole)
    const number = plot.kind === 'points' ? nearestPoint(plot, to, plotPx.width, plotPx.height, 8) : null
    if (number !== null) void choosePoint(number)
    else commit(whole)
  }
  const mark = plot.kind === 'points' && selected !== null ? placeOfNumber(plot, selected) : null
  const points = plot.kind === 'points' ? plot.numbers.length : plot.points
  const valueAt = (axis: 'x' | 'y', share: number): string =>
    formatMeasure(valueOn(plot[axis], logs[axis === 'x' ? 0 : 1], share))
  const slider = (axis: 'x' | 'y') => (
    <RangeSlider
      size={3}
      thumbSize={12}
      min={0}
      max={steps}
      minRange={1}
      value={[Math.round(box[axis][0] * steps), Math.round(box[axis][1] * steps)]}
      onChange={([low, high]) => setShown({ ...box, [axis]: [low / steps, high / steps] })}
      onChangeEnd={([low, high]) => commit({ ...box, [axis]: [low / steps, high / steps] })}
      label={(step) => valueAt(axis, step / steps)}
      thumbFromLabel={words.scatter.lowest(axis.toUpperCase())}
      thumbToLabel={words.scatter.highest(axis.toUpperCase())}
      data-testid={`scatter-${axis}-range`}
    />
  )
  const isWhole = set === null
  return (
    <div className="scatter" data-testid="scatter" data-kind={plot.kind} data-points={points}>
      <AxisChoice name="x" view={view} />
      <AxisChoice name="y" view={view} />
      <div className="scatter-plot" style={plotPx}>
        <Picture plot={plot} view={view} />
        <svg
          viewBox="0 0 1 1"
          preserveAspectRatio="none"
          role="img"
          aria-label={words.scatter.about(
            points,
            axes.x,
            valueAt('x', 0),
            valueAt('x', 1),
            axes.y,
            valueAt('y', 0),
            valueAt('y', 1),
          )}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            setFrom(at(event))
          }}
          onPointerMove={(event) => from && !isSlip(at(event)) && setShown(between(at(event)))}
          onPointerUp={(event) => from && letGo(at(event))}
          data-testid="scatter-plot"
        >
          {(from || !isWhole) && (
            <rect
              className="scatter-box"
              x={box.x[0]}
              width={box.x[1] - box.x[0]}
              y={1 - box.y[1]}
              height={box.y[1] - box.y[0]}
              vectorEffect="non-scaling-stroke"
              data-testid="scatter-box"
            />
          )}
        </svg>
        {mark && (
          <i
            className="scatter-mark"
            style={{ left: `${mark.x * 100}%`, bottom: `${mark.y * 100}%` }}
            data-testid="scatter-mark"
            aria-hidden
          />
        )}
        <span className="scatter-end top num">{valueAt('y', 1)}</span>
        <span className="scatter-end bottom num">{valueAt('y', 0)}</span>
        {!isWhole && (
          <ActionIcon
            className="scatter-clear"
            variant="default"
            size={20}
            aria-label={words.scatter.clear}
            onClick={() => commit(whole)}
            data-testid="scatter-clear"
          >
            <IconX size={12} />
          </ActionIcon>
        )}
      </div>
      <div className="histogram-ends num">
        <span>{valueAt('x', 0)}</span>
        <span className="dim">{plot.kind === 'density' ? words.scatter.density : ''}</span>
        <span>{valueAt('x', 1)}</span>
      </div>
      {slider('x')}
      {slider('y')}
      <p className="dim">{words.scatter.help}</p>
    </div>
  )
}
