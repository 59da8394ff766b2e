// More regions around the view than SVG can hold: a canvas that moves with the view, is painted anew at rest, and takes clicks on their lines.
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { RegionOfInterest } from '../../../app/contract'
import { toScreen, type Point, type View } from '../../arithmetic/geometry'
import { colourOf, isSelected, toggled } from '../../store/slices/projectSlice'
import { getState, patch, useStore } from '../../store/store'
import { painting, paintOthers, regionUnder, type Picture } from './regionPainter'
import type { Field } from './shownRegions'

interface Props {
  readonly regions: readonly RegionOfInterest[]
  readonly field: Field
  /** Drawn as SVG. */
  readonly without: readonly RegionOfInterest[]
  readonly view: View
  /** A tool has the pointer. */
  readonly busy: boolean
}

/** Of a frame, for painting: the rest is the page's. */
const shareMs = 4

/** Paints on the canvas that is not shown, and shows it once all is there. */
class Canvases {
  private readonly holder: HTMLElement
  private front: HTMLCanvasElement | null = null
  private back: HTMLCanvasElement | null = null
  /** What the front shows. */
  private shown: Picture | null = null
  private frame = 0

  constructor(holder: HTMLElement) {
    this.holder = holder
  }

  show(picture: Picture, painted: () => void): void {
    cancelAnimationFrame(this.frame)
    const ratio = window.devicePixelRatio || 1
    if (this.front && this.shown && paintOthers(this.front, this.shown, picture, ratio)) {
      this.shown = picture
      return painted()
    }
    const canvas = (this.back ??= document.createElement('canvas'))
    const steps = painting(canvas, picture, ratio)
    const go = (): void => {
      const until = performance.now() + shareMs
      while (performance.now() < until) if (steps.next().done === true) return this.swap(canvas, picture, painted)
      this.frame = requestAnimationFrame(go)
    }
    go()
  }

  private swap(canvas: HTMLCanvasElement, picture: Picture, painted: () => void): void {
    ;[this.front, this.back] = [canvas, this.front]
    this.shown = picture
    this.holder.replaceChildren(canvas)
    painted()
  }

  /** As the view has what is shown. */
  place(view: View): void {
    if (!this.front || !this.shown) return
    const { field } = this.shown
    const isTurned = field.view.rotation !== view.rotation || field.view.flipped !== view.flipped
    const ratio = view.zoom / field.view.zoom
    const { x, y } = toScreen(view, field.view.center)
    const { style } = this.front
    style.visibility = isTurned ? 'hidden' : ''
    style.transform = `translate(${x - (ratio * field.width) / 2}px, ${y - (ratio * field.height) / 2}px) scale(${ratio})`
  }

  end(): void {
    cancelAnimationFrame(this.frame)
  }
}

let find: ((at: Point) => RegionOfInterest | null) | null = null

/** A click on the slide: selects the region whose line is there, as a click on SVG does. A drag is the slide's. Returns whether there is one. */
export function clickedRegion(at: Point, more: boolean): boolean {
  const region = find?.(at) ?? null
  if (region) patch('project', { selected: toggled(getState().project.selected, region.id, more) })
  return region !== null
}

/** What is under the pointer is said by its shape. */
function useClicks(holder: { readonly current: HTMLElement | null }, picture: Picture, busy: boolean): void {
  const pointer = useStore((state) => state.ui.pointer)
  useEffect(() => {
    if (busy) return
    const own = (at: Point): RegionOfInterest | null => {
      const { view } = getState().ui
      return view && regionUnder(picture, view, at)
    }
    find = own
    return () => {
      if (find === own) find = null
    }
  }, [picture, busy])
  useEffect(() => {
    const root = holder.current?.parentElement
    root?.classList.toggle('over-region', !busy && pointer !== null && (find?.(pointer) ?? null) !== null)
    return () => root?.classList.remove('over-region')
  }, [holder, pointer, busy])
}

export function ManyRegions({ regions, field, without, view, busy }: Props) {
  const holder = useRef<HTMLDivElement>(null)
  const canvases = useRef<Canvases | null>(null)
  const classes = useStore((state) => state.project.doc?.classes)
  const selected = useStore((state) => state.project.selected)
  // The selected ones are SVG: only where they are very many do some stay here.
  const chosen = selected.length > without.length ? selected : null
  const looks = useMemo(() => {
    const { project } = getState()
    const colours = new Map((classes ?? []).map(({ id, color }) => [id, color]))
    return {
      colourOf: (region: RegionOfInterest): string => colours.get(region.classId ?? '') ?? colourOf(project, region),
    }
  }, [classes])
  const marks = useMemo(
    () => (chosen ? (id: string): boolean => isSelected({ ...getState().project, selected: chosen }, id) : () => false),
    [chosen],
  )
  const picture = useMemo(
    (): Picture => ({
      ...{ regions, field, without: new Set(without), selected: marks, ...looks },
      rim: getComputedStyle(document.documentElement).getPropertyValue('--on-slide-rim') || 'rgba(8, 11, 14, 0.85)',
    }),
    [regions, field, without, marks, looks],
  )
  useLayoutEffect(() => {
    if (!holder.current) return
    const made = new Canvases(holder.current)
    canvases.current = made
    return () => made.end()
  }, [])
  useLayoutEffect(() => {
    const painted = (): void => {
      const now = getState().ui.view
      if (now) canvases.current?.place(now)
      if (holder.current) holder.current.dataset['painted'] = String(Number(holder.current.dataset['painted'] ?? 0) + 1)
    }
    canvases.current?.show(picture, painted)
  }, [picture])
  useLayoutEffect(() => canvases.current?.place(view), [view])
  useClicks(holder, picture, busy)
  return <div ref={holder} className="fill many-regions" data-testid="many-regions" aria-hidden />
}
