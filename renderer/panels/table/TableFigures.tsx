// Beside the objects table: the statistics of one column and its histogram, on which a range is brushed; or a plot of two.
import { Checkbox, RangeSlider, SegmentedControl, Select } from '@mantine/core'
import { useEffect, useState, type PointerEvent } from 'react'
import { histogramBins, type TableView } from '../../../app/contract'
import { binAxis } from '../../arithmetic/binAxis'
import { formatCount, formatMeasure } from '../../arithmetic/format'
import { useStore } from '../../store/store'
import { describeColumn, setBrush, setLog } from '../../store/selection/tableActions'
import { setPlot } from '../../store/selection/scatterActions'
import { words } from '../../words'
import { ClassRule } from '../classes/ClassRule'
import { GroupFigures } from './GroupFigures'
import { ScatterPlot } from './ScatterPlot'
import { headingOf } from '../../words/named'

type Bins = [number, number]
const whole: Bins = [0, histogramBins]
const heightPx = 72

function Bars({ histogram, bins }: { readonly histogram: TableView['histogram']; readonly bins: Bins }) {
  const most = Math.max(1, ...histogram.all)
  const bar = (count: number, at: number, kind: string) =>
    count > 0 && (
      <rect
        key={`${kind}${at}`}
        className={`bar-${kind}`}
        x={at}
        width={0.9}
        y={heightPx * (1 - count / most)}
        height={Math.max(1, (heightPx * count) / most)}
      />
    )
  return (
    <>
      <rect className="bar-brush" x={bins[0]} width={bins[1] - bins[0]} y={0} height={heightPx} />
      {histogram.all.map((count, at) => bar(count, at, 'all'))}
      {histogram.left.map((count, at) => bar(count, at, 'left'))}
    </>
  )
}

function Histogram({ view }: { readonly view: TableView }) {
  const brush = useStore((state) => state.table.brush)
  const describe = useStore((state) => state.table.describe)
  const { valueOf } = binAxis(view.histogram)
  const { log } = view.histogram
  const [bins, setBins] = useState<Bins>(whole)
  useEffect(() => {
    if (!brush) setBins(whole)
  }, [brush, describe, log])
  // The first and the last bin hold what lies beyond them, and a brush that reaches there does too.
  const commit = ([from, to]: Bins) =>
    setBrush(
      from <= 0 && to >= histogramBins
        ? null
        : { low: from <= 0 ? null : valueOf(from), high: to >= histogramBins ? null : valueOf(to) },
    )
  const [anchor, setAnchor] = useState<number | null>(null)
  const binAt = (event: PointerEvent<SVGSVGElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    return Math.max(0, Math.min(histogramBins, Math.round(((event.clientX - left) / width) * histogramBins)))
  }
  const dragged = (event: PointerEvent<SVGSVGElement>): Bins => {
    const at = binAt(event)
    return at === anchor ? whole : [Math.min(anchor!, at), Math.max(anchor!, at)]
  }
  const valueAt = (bin: number): string => formatMeasure(valueOf(bin))
  return (
    <div className="histogram">
      <svg
        viewBox={`0 0 ${histogramBins} ${heightPx}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.tableFigures.histogramFrom(valueAt(0), valueAt(histogramBins))}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          setAnchor(binAt(event))
        }}
        onPointerMove={(event) => anchor !== null && setBins(dragged(event))}
        onPointerUp={(event) => {
          if (anchor === null) return
          setBins(dragged(event))
          commit(dragged(event))
          setAnchor(null)
        }}
        data-testid="table-histogram"
      >
        <Bars histogram={view.histogram} bins={bins} />
      </svg>
      <RangeSlider
        size={3}
        thumbSize={12}
        min={0}
        max={histogramBins}
        minRange={1}
        value={bins}
        onChange={setBins}
        onChangeEnd={commit}
        label={valueAt}
        thumbFromLabel={words.tableFigures.lowest}
        thumbToLabel={words.tableFigures.highest}
      />
      <div className="histogram-ends num">
        <span>{valueAt(bins[0])}</span>
        <Checkbox
          size="xs"
          label={words.tableFigures.log}
          checked={log}
          onChange={(event) => setLog(event.currentTarget.checked)}
          data-testid="table-log"
        />
        <span>{valueAt(bins[1])}</span>
      </div>
    </div>
  )
}

export function TableFigures() {
  const view = useStore((state) => state.table.view)
  const plot = useStore((state) => state.table.plot)
  if (!view) return null
  return (
    <div className={`table-figures ${plot}`}>
      <SegmentedControl
        size="xs"
        aria-label={words.tableFigures.title}
        value={plot}
        onChange={(value) => setPlot(value === 'scatter' ? 'scatter' : 'histogram')}
        data={[
          { value: 'histogram', label: words.tableFigures.histogram },
          { value: 'scatter', label: words.tableFigures.scatter },
        ]}
        data-testid="table-plot"
      />
      {plot === 'scatter' ? <ScatterPlot view={view} /> : <ColumnFigures view={view} />}
    </div>
  )
}

function ColumnFigures({ view }: { readonly view: TableView }) {
  const describe = useStore((state) => state.table.describe)
  const { statistics: s, perMm2, perMm2Tissue, rows } = view
  const facts: readonly (readonly [string, string])[] = [
    ['n', formatCount(rows)],
    [words.tableFigures.mean, s ? formatMeasure(s.mean) : '–'],
    [words.tableFigures.sd, s ? formatMeasure(s.sd) : '–'],
    [words.tableFigures.median, s ? formatMeasure(s.median) : '–'],
    [words.tableFigures.quartiles, s ? words.tableFigures.fromTo(s.lowerQuartile, s.upperQuartile) : '–'],
    [words.tableFigures.range, s ? words.tableFigures.fromTo(s.min, s.max) : '–'],
    [words.names.perMm2OfArea, perMm2 === null ? '–' : formatCount(perMm2)],
    [words.names.perMm2OfTissue, perMm2Tissue === null ? '–' : formatCount(perMm2Tissue)],
  ]
  return (
    <>
      <Select
        size="xs"
        aria-label={words.tableFigures.column}
        data={view.columns.flatMap((column) =>
          column.key === 'id' || column.key === 'class' ? [] : [{ value: column.key, label: headingOf(column) }],
        )}
        value={describe}
        onChange={(value) => value !== null && describeColumn(value)}
        comboboxProps={{ position: 'top' }}
        data-testid="table-describe"
      />
      <Histogram view={view} />
      <ClassRule view={view} />
      <dl className="facts" data-testid="table-statistics">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
      <GroupFigures view={view} />
    </>
  )
}
