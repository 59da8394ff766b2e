// Regions of interest over the slide: their lines, their names, and of the selected one the handles by which it is reshaped.
import { memo, useEffect, useMemo, useState, type PointerEvent } from 'react'
import { isArea, isPoints, type RegionOfInterest, type RegionShape } from '../../app/contract'
import { lineWords } from '../arithmetic/brushShape'
import { toImage, toScreen, type Point, type View } from '../arithmetic/geometry'
import {
  boxOfShape,
  handlesOf,
  moved,
  nearestPoint,
  pathOf,
  pulled,
  shapeOfDrawing,
  withoutVertex,
  withVertexNear,
  type Handle,
  type Handled,
} from '../arithmetic/regionShapes'
import { lassoNow } from '../store/selection/lassoActions'
import { movePoint, removePoint } from '../store/document/pointActions'
import { reshape } from '../store/document/projectActions'
import { colourOf, oneSelected, regionsOf, titleOf, toggled, type Drawing } from '../store/slices/projectSlice'
import { getState, patch, useStore } from '../store/store'
import { BrushTip, Stroke } from './BrushLayer'
import { LassoedObjects } from './LassoedLayer'
import { Ruler } from './Ruler'
import { transformOf } from './svgPaths'

let held = { shift: false, alt: false }
/** What the keys that were held when the pointer went down make of what is drawn. */
export const drawingHow = (): Drawing['how'] => (held.alt ? 'subtract' : held.shift ? 'add' : 'new')

function pointOf(event: PointerEvent<SVGElement> | React.MouseEvent<SVGElement>, view: View): Point {
  const box = event.currentTarget.ownerSVGElement!.getBoundingClientRect()
  return toImage(view, { x: event.clientX - box.left, y: event.clientY - box.top })
}

/** A drag on an element of its own: `during` with where the pointer is, `after` once it is let go. */
function pull(
  event: PointerEvent<SVGElement>,
  view: View,
  during: (to: Point) => void,
  after: (to: Point, far: boolean) => void,
): void {
  if (event.button !== 0) return
  event.stopPropagation()
  const element = event.currentTarget
  const box = element.ownerSVGElement!.getBoundingClientRect()
  const from = { x: event.clientX, y: event.clientY }
  const at = (each: globalThis.PointerEvent): Point => toImage(view, { x: each.clientX - box.left, y: each.clientY - box.top })
  const isFar = (each: globalThis.PointerEvent): boolean => Math.hypot(each.clientX - from.x, each.clientY - from.y) > 2
  element.setPointerCapture(event.pointerId)
  const move = (each: globalThis.PointerEvent): void => {
    if (isFar(each)) during(at(each))
  }
  const up = (each: globalThis.PointerEvent): void => {
    element.removeEventListener('pointermove', move)
    after(at(each), isFar(each))
  }
  element.addEventListener('pointermove', move)
  element.addEventListener('pointerup', up, { once: true })
}

const hold = (id: string, shape: RegionShape | null): void => {
  if (shape) patch('project', { held: { id, shape } })
}
async function settle(id: string): Promise<void> {
  const { held: now } = getState().project
  if (now?.id === id) await reshape(id, now.shape)
}

/** A point of a selected region: pulled elsewhere, taken away with Alt, or chosen for the key that deletes. */
function grabPoint(event: PointerEvent<SVGElement>, region: RegionOfInterest, view: View): void {
  if (region.locked || !isPoints(region.shape)) return
  const { points } = region.shape
  const at = nearestPoint(points, pointOf(event, view), 12 / view.zoom)
  if (at === null) return
  event.stopPropagation()
  if (event.altKey) return void removePoint(region, at)
  pull(
    event,
    view,
    (to) => hold(region.id, { kind: 'points', points: points.with(at, [to.x, to.y]) }),
    (to, far) => (far ? void movePoint(region, at, to) : patch('project', { point: { id: region.id, at } })),
  )
}

/** Not drawn anew while the view moves: a hand-drawn outline has thousands of points. */
const Region = memo(function Region({ region, shape }: { readonly region: RegionOfInterest; readonly shape: RegionShape }) {
  const selected = useStore((state) => state.project.selected.includes(region.id))
  const colour = useStore((state) => colourOf(state.project, region))
  const point = useStore((state) => (state.project.point?.id === region.id ? state.project.point.at : null))
  const path = useMemo(() => pathOf(shape), [shape])
  const chosen = !isPoints(shape) || point === null ? undefined : shape.points[point]
  const grab = (event: PointerEvent<SVGElement>): void => {
    const more = event.shiftKey || event.ctrlKey || event.metaKey
    if (!selected || more) {
      event.stopPropagation()
      return patch('project', { selected: toggled(getState().project.selected, region.id, more) })
    }
    const { view } = getState().ui
    if (view && isPoints(shape)) return grabPoint(event, region, view)
    if (region.locked || !view || isPoints(shape)) return
    const from = pointOf(event, view)
    pull(
      event,
      view,
      (to) => hold(region.id, moved(shape, to.x - from.x, to.y - from.y)),
      (_, far) => far && void settle(region.id),
    )
  }
  const split = (event: React.MouseEvent<SVGElement>): void => {
    const { view } = getState().ui
    if (region.locked || !selected || shape.kind !== 'polygon' || !view) return
    void reshape(region.id, withVertexNear(shape, pointOf(event, view)))
  }
  return (
    <g
      className={`region ${isArea(shape) ? '' : shape.kind} ${selected ? 'selected' : ''} ${region.locked ? 'locked' : ''}`}
      data-testid="region-shape"
      data-region={region.id}
    >
      <path d={path} className="region-halo" />
      <path d={path} className="region-line" style={{ stroke: colour, fill: colour }} />
      {chosen && <path d={pathOf({ kind: 'points', points: [chosen] })} className="region-point" data-testid="region-point" />}
      <path d={path} className="region-grip" onPointerDown={grab} onDoubleClick={split} />
    </g>
  )
})

function Label({ region, shape, view }: { readonly region: RegionOfInterest; readonly shape: RegionShape; readonly view: View }) {
  const title = useStore((state) => titleOf(state.project, region))
  const colour = useStore((state) => colourOf(state.project, region))
  const objects = useStore((state) => state.project.measures[region.id]?.objects ?? null)
  const length = useStore(({ slide: { info } }) =>
    shape.kind === 'line' && info ? lineWords(shape.points, info.mppX, info.mppY) : null,
  )
  const box = boxOfShape(shape)
  // Small on the screen a region has no room for words.
  if (isArea(shape) && Math.max(box.width, box.height) * view.zoom < 40) return null
  const top = toScreen(view, { x: box.x + box.width / 2, y: box.y })
  return (
    // Of its colour, and lighter: the line has it pure, and words of a dark one could not be read.
    <text x={top.x} y={top.y - 6} className="region-label" style={{ fill: `color-mix(in srgb, ${colour}, #fff 60%)` }}>
      {title}
      {isPoints(shape) ? ` (${shape.points.length.toLocaleString('en')})` : ''}
      {length === null ? '' : `: ${length}`}
      {objects === null ? '' : `: ${objects.toLocaleString('en')}`}
    </text>
  )
}

function Handles({ region, shape, view }: { readonly region: RegionOfInterest; readonly shape: Handled; readonly view: View }) {
  const grab = (event: PointerEvent<SVGElement>, handle: Handle): void => {
    if (event.altKey) {
      event.stopPropagation()
      const less = withoutVertex(shape, handle)
      if (less) void reshape(region.id, less)
      return
    }
    pull(
      event,
      view,
      (to) => hold(region.id, pulled(shape, handle, to)),
      (_, far) => far && void settle(region.id),
    )
  }
  return handlesOf(shape).map((handle) => {
    const at = toScreen(view, handle)
    return (
      <rect
        key={`${handle.part} ${handle.ring} ${handle.at}`}
        className="region-handle"
        data-testid="region-handle"
        x={at.x - 4}
        y={at.y - 4}
        width={8}
        height={8}
        onPointerDown={(event) => grab(event, handle)}
      />
    )
  })
}

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
    const remember = (event: globalThis.PointerEvent): void => void (held = { shift: event.shiftKey, alt: event.altKey })
    window.addEventListener('pointerdown', remember, true)
    return () => window.removeEventListener('pointerdown', remember, true)
  }, [])
  useEffect(() => {
    layer?.addEventListener('wheel', passWheel, { passive: false })
    return () => layer?.removeEventListener('wheel', passWheel)
  }, [layer])
  if (!view) return null
  const shapeFor = (region: RegionOfInterest): RegionShape => (heldShape?.id === region.id ? heldShape.shape : region.shape)
  const oneShape = one && shapeFor(one)
  const handled = oneShape && !isPoints(oneShape) ? oneShape : null
  return (
    <svg
      ref={setLayer}
      className={`fill regions ${busy ? 'busy' : ''} ${view.zoom < 0.1 ? 'far' : ''}`}
      data-testid="regions"
      aria-hidden
    >
      {drawn && (
        <>
          <g transform={transformOf(view)}>
            {regions.map((region) => (
              <Region key={region.id} region={region} shape={shapeFor(region)} />
            ))}
          </g>
          {regions.map((region) => (
            <Label key={region.id} region={region} shape={shapeFor(region)} view={view} />
          ))}
          {one && !one.locked && !busy && handled && <Handles region={one} shape={handled} view={view} />}
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
  )
}
