// Regions of interest over the slide: their lines, their names, and of the selected one the handles by which it is reshaped.
import { useEffect, useMemo, useState } from 'react'
import { isPoints, type RegionOfInterest, type RegionShape } from '../../../app/contract'
import type { View } from '../../arithmetic/geometry'
import { pathOf, shapeOfDrawing } from '../../arithmetic/regionShapes'
import { lassoNow } from '../../store/selection/lassoActions'
import { oneSelected, regionsOf, type Drawing } from '../../store/slices/projectSlice'
import { useStore } from '../../store/store'
import { BrushTip, Stroke } from '../layers/BrushLayer'
import { LassoedObjects } from '../layers/LassoedLayer'
import { Ruler } from '../layers/Ruler'
import { transformOf } from '../svgPaths'
import { ManyRegions } from './ManyRegions'
import { Region } from './Region'
import { RegionHandles } from './RegionHandles'
import { RegionLabel } from './RegionLabel'
import { shownRegions, useField } from './shownRegions'

let held = { shift: false, alt: false, more: false }
/** What the keys that were held when the pointer went down make of what is drawn. */
export const drawingHow = (): Drawing['how'] => (held.alt ? 'subtract' : held.shift ? 'add' : 'new')

/** Whether the keys that were held mean one more to be selected. */
export const selectsMore = (): boolean => held.more

/** What is drawn right now: a polygon's way so far, or the shape that letting go would make. */
function Drawn({ drawing, view }: { readonly drawing: Drawing; readonly view: View }) {
  const { tool } = drawing
  const closed = tool === 'rectangle' || tool === 'ellipse' ? tool : null
  const shape = closed && shapeOfDrawing(closed, drawing.points, 0)
  const path = !closed ? `M${drawing.points.map(({ x, y }) => `${x} ${y}`).join('L')}` : shape && pathOf(shape)
  if (!path) return null
  return (
    <g transform={transformOf(view)} data-testid="region-drawing" data-points={drawing.points.length}>
      <path d={path} className="region-halo" />
      <path d={path} className={`region-drawing ${drawing.how}`} />
    </g>
  )
}

/** The wheel is the slide's, whatever lies over it. */
function passWheel(event: WheelEvent): void {
  const slide = document.querySelector('.viewer .openseadragon-canvas')
  if (!slide || !(event.target instanceof SVGElement)) return
  event.preventDefault()
  slide.dispatchEvent(new WheelEvent('wheel', event))
}

export function RegionLayer() {
  const view = useStore((state) => state.ui.view)
  const regions = useStore((state) => regionsOf(state.project))
  const selected = useStore((state) => state.project.selected)
  const one = useStore((state) => oneSelected(state.project))
  const heldShape = useStore((state) => state.project.held)
  const drawing = useStore((state) => state.project.drawing)
  const lasso = useStore(lassoNow)
  const unfit = useStore((state) => state.carry.found?.places)
  const unfitAt = useStore((state) => state.carry.at)
  const drawn = useStore((state) => !state.project.hidden)
  const busy = useStore((state) => state.project.tool !== null || state.ui.tool === 'rectangle' || state.wand.on)
  const [layer, setLayer] = useState<SVGSVGElement | null>(null)
  useEffect(() => {
    const remember = (event: globalThis.PointerEvent): void =>
      void (held = { shift: event.shiftKey, alt: event.altKey, more: event.shiftKey || event.ctrlKey || event.metaKey })
    window.addEventListener('pointerdown', remember, true)
    return () => window.removeEventListener('pointerdown', remember, true)
  }, [])
  useEffect(() => {
    layer?.addEventListener('wheel', passWheel, { passive: false })
    return () => layer?.removeEventListener('wheel', passWheel)
  }, [layer])
  const field = useField(view)
  const shown = useMemo(() => shownRegions(regions, selected, field), [regions, selected, field])
  if (!view) return null
  const shapeFor = (region: RegionOfInterest): RegionShape => (heldShape?.id === region.id ? heldShape.shape : region.shape)
  const oneShape = one && shapeFor(one)
  const handled = oneShape && !isPoints(oneShape) ? oneShape : null
  return (
    <>
      {drawn && field && shown.rest && (
        <ManyRegions regions={regions} field={field} without={shown.shapes} view={view} busy={busy} />
      )}
      <svg
        ref={setLayer}
        className={`fill regions ${busy ? 'busy' : ''} ${view.zoom < 0.1 ? 'far' : ''}`}
        data-testid="regions"
        aria-hidden
      >
        {drawn && (
          <>
            <g transform={transformOf(view)}>
              {shown.shapes.map((region) => (
                <Region key={region.id} region={region} shape={shapeFor(region)} />
              ))}
            </g>
            {shown.labels.map((region) => (
              <RegionLabel key={region.id} region={region} shape={shapeFor(region)} view={view} />
            ))}
            {one && !one.locked && !busy && handled && <RegionHandles region={one} shape={handled} view={view} />}
          </>
        )}
        {unfit && unfit.length > 0 && (
          <g transform={transformOf(view)} data-testid="carry-unfit">
            {unfit.map((place, at) => (
              <path
                key={at}
                d={pathOf({ kind: 'rectangle', ...place })}
                className={`region-drawing ${at === unfitAt ? 'add' : 'subtract'}`}
              />
            ))}
          </g>
        )}
        {lasso && (
          <g transform={transformOf(view)} data-testid="lasso-shape">
            <LassoedObjects lasso={lasso} />
            <path d={pathOf(lasso.shape)} className="region-halo" />
            <path d={pathOf(lasso.shape)} className="region-drawing lasso" />
          </g>
        )}
        {drawing?.tool === 'ruler' ? (
          <Ruler drawing={drawing} view={view} />
        ) : drawing?.tool === 'brush' ? (
          <Stroke drawing={drawing} view={view} />
        ) : (
          drawing && <Drawn drawing={drawing} view={view} />
        )}
        <BrushTip view={view} />
      </svg>
    </>
  )
}
