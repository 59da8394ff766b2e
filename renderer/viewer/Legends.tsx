// What the colours on the slide mean: of objects, of density from afar, of the layer on show with its value under the pointer.
import { tissueLayer } from '../../app/contract'
import { columnTitle, columnUnit } from '../store/columnWords'
import { fitLayerRange, fitRange, wholeLayerRange } from '../store/overlayActions'
import { layerValueAt } from '../store/probe'
import { currentSpec } from '../store/recipeSlice'
import { activeRun } from '../store/runSlice'
import { slideMpp } from '../store/slideSlice'
import { useStore } from '../store/store'
import { gradientOf, type ColourScale } from '../arithmetic/colours'
import { formatCount, formatMeasure } from '../arithmetic/format'
import { darkest } from './paintTile'
import type { ReactNode } from 'react'

interface Props {
  readonly title: string
  readonly unit: string
  readonly low: string
  readonly high: string
  readonly scale: ColourScale
  readonly testId: string
  /** Where on its 256 colours the scale begins. */
  readonly from?: number
  /** Along the scale, 0 … 1. */
  readonly mark?: number | null
  readonly children?: ReactNode
}

function Legend({ title, unit, low, high, scale, testId, from = 0, mark = null, children }: Props) {
  return (
    <div className="legend" data-testid={testId} role="group" aria-label={`Legend: ${title}`}>
      <div className="legend-title">
        <b>{title}</b> <span>{unit}</span>
      </div>
      <div className="legend-bar" style={{ background: gradientOf(scale, from) }} aria-hidden>
        {mark !== null && <i style={{ left: `${Math.max(0, Math.min(1, mark)) * 100}%` }} />}
      </div>
      <div className="legend-ends num">
        <span>{low}</span>
        <span>{high}</span>
      </div>
      {children}
    </div>
  )
}

function ObjectLegend() {
  const column = useStore((state) => state.overlay.column)
  const { range, scale, visible } = useStore((state) => state.overlay)
  const isFar = useStore((state) => state.overlay.densityTop !== null)
  const any = useStore((state) => state.runs.stack.length > 0)
  const stainSet = useStore((state) => currentSpec(state.recipe)?.stainSet ?? 'h-e')
  const isCalibrated = useStore((state) => slideMpp(state.slide.info) !== null)
  const compares = useStore((state) => state.compare.found !== null)
  if (compares || column === null || !range || isFar || !visible || !any) return null
  return (
    <Legend
      title={columnTitle(column, stainSet)}
      unit={columnUnit(column, stainSet, isCalibrated ? 'um' : 'px')}
      low={formatMeasure(range.low)}
      high={formatMeasure(range.high)}
      scale={scale}
      testId="object-legend"
      from={darkest}
    >
      <button type="button" className="legend-link" onClick={fitRange}>
        Fit to what is in view
      </button>
    </Legend>
  )
}

function DensityLegend() {
  const top = useStore((state) => state.overlay.densityTop)
  const { scale, visible } = useStore((state) => state.overlay)
  const compares = useStore((state) => state.compare.found !== null)
  const isCalibrated = useStore((state) => {
    const run = activeRun(state.runs)
    return run ? run.analysedMpp !== null : slideMpp(state.slide.info) !== null
  })
  if (top === null || !visible) return null
  return (
    <Legend
      title={compares ? 'Density of what only one has' : 'Density of objects'}
      unit={isCalibrated ? 'per mm²' : 'per Mpx'}
      low="0"
      high={`${formatCount(top)} and more`}
      scale={scale}
      testId="density-legend"
    >
      <span className="legend-note">Zoom in to see the objects.</span>
    </Legend>
  )
}

function LayerLegend() {
  const layer = useStore((state) => state.ui.layer)
  const label = useStore((state) => currentSpec(state.recipe)?.layers.find(({ id }) => `layer:${id}` === state.ui.layer)?.label)
  const { layerRange: range, layerScale } = useStore((state) => state.overlay)
  const pointer = useStore((state) => state.ui.pointer)
  if (layer === `layer:${tissueLayer}`) {
    return (
      <div className="legend" data-testid="layer-legend">
        <div className="legend-title">
          <b>Tissue</b>
        </div>
        <span className="legend-note">White is tissue, black is glass; tiles near tissue are computed.</span>
      </div>
    )
  }
  if (!layer.startsWith('layer:') || label === undefined || !range) return null
  const value = pointer && layerValueAt(pointer)
  const mark = value === null ? null : (value - range.low) / (range.high - range.low)
  return (
    <Legend
      title={label}
      unit="grey level"
      low={String(range.low)}
      high={String(range.high)}
      scale={layerScale}
      testId="layer-legend"
      mark={mark}
    >
      <div className="legend-value num" data-testid="layer-value">
        {value === null ? 'Point at it to read it' : `Under the pointer: ${value}`}
      </div>
      <button type="button" className="legend-link" onClick={fitLayerRange}>
        Fit to view
      </button>
      <button type="button" className="legend-link" onClick={wholeLayerRange}>
        0 to 255
      </button>
    </Legend>
  )
}

export function Legends() {
  return (
    <>
      <LayerLegend />
      <ObjectLegend />
      <DensityLegend />
    </>
  )
}
