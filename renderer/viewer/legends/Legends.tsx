// What the colours on the slide mean: of objects, of density from afar, of the layer on show with its value under the pointer.
import { useShallow } from 'zustand/react/shallow'
import { fitLayerRange, fitRange, wholeLayerRange } from '../../store/slide/overlayActions'
import { layerValueAt } from '../../store/base/probe'
import { useStore } from '../../store/store'
import { gradientOf } from '../../arithmetic/colours'
import { words } from '../../words'
import { densityLegend, layerLegend, mapOn, mapValue, objectLegend, tissueLegend, type ScaleLegend } from './shownLegends'
import type { ReactNode } from 'react'

interface Props {
  readonly legend: ScaleLegend
  readonly testId: string
  /** Along the scale, 0 … 1. */
  readonly mark?: number | null
  readonly children?: ReactNode
}

function Legend({ legend: { title, unit, low, high, scale, from }, testId, mark = null, children }: Props) {
  return (
    <div className="legend" data-testid={testId} role="group" aria-label={words.legends.title(title)}>
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
  const legend = useStore(useShallow(objectLegend))
  if (!legend) return null
  return (
    <Legend legend={legend} testId="object-legend">
      <button type="button" className="legend-link" onClick={fitRange}>
        {words.legends.fitView}
      </button>
    </Legend>
  )
}

function DensityLegend() {
  const legend = useStore(useShallow(densityLegend))
  if (!legend) return null
  return (
    <Legend legend={legend} testId="density-legend">
      <span className="legend-note">{words.legends.zoomIn}</span>
    </Legend>
  )
}

function LayerLegend() {
  const isTissue = useStore((state) => tissueLegend(state) !== null)
  const legend = useStore(useShallow(layerLegend))
  const range = useStore((state) => state.overlay.layerRange)
  const pointer = useStore((state) => state.ui.pointer)
  const map = useStore(mapOn)
  if (isTissue) return <TissueLegend />
  if (!legend || !range) return null
  const value = pointer && layerValueAt(pointer)
  const mark = value === null ? null : (value - range.low) / (range.high - range.low)
  return (
    <Legend legend={legend} testId="layer-legend" mark={mark}>
      <div className="legend-value num" data-testid="layer-value">
        {value === null ? words.legends.pointForValue : words.legends.value(map ? mapValue(map, value) : value)}
      </div>
      <button type="button" className="legend-link" onClick={fitLayerRange}>
        {words.legends.fitLayer}
      </button>
      <button type="button" className="legend-link" onClick={wholeLayerRange}>
        {map ? words.legends.wholeMap : words.legends.wholeRange}
      </button>
    </Legend>
  )
}

function TissueLegend() {
  const { title, note } = useStore(useShallow((state) => ({ ...tissueLegend(state), rows: null })))
  return (
    <div className="legend" data-testid="layer-legend">
      <div className="legend-title">
        <b>{title}</b>
      </div>
      <span className="legend-note">{note}</span>
    </div>
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
