// Which regions are drawn around the view, and how: as SVG while they are few, else on a canvas, with names for the largest.
import { useEffect, useState } from 'react'
import type { RegionOfInterest } from '../../../app/contract'
import { visibleBox, type View } from '../../arithmetic/geometry'
import { indexOf } from '../../arithmetic/regionIndex'
import type { Box } from '../../arithmetic/regionShapes'

/** As SVG: more of them would be slow to paint. */
const mostShapes = 300
/** Of those on the canvas: the selected ones that are SVG as well, and the largest that have their names. */
const [mostPicked, mostNamed] = [100, 100]
/** Smaller on the screen a region has no room for words, CSS px. */
export const leastLabelledPx = 40
/** So much of the view's width and height is drawn beyond each of its edges. */
const margin = 0.25
/** What was drawn is shown larger or smaller while the zoom changes, up to so much. */
const mostStretched = 1.5
const restMs = 150

/** What was drawn for one view: it holds for others that lie within. */
export interface Field {
  readonly view: View
  /** Level-0 px. */
  readonly box: Box
  /** CSS px. */
  readonly width: number
  readonly height: number
}

export function fieldOf(view: View): Field {
  const [width, height] = [view.width * (1 + 2 * margin), view.height * (1 + 2 * margin)]
  return { view, width, height, box: visibleBox({ ...view, width, height }) }
}

export function holds({ view: drawn, box }: Field, view: View): boolean {
  const ratio = view.zoom / drawn.zoom
  const isTurned = drawn.rotation !== view.rotation || drawn.flipped !== view.flipped
  const isOtherSize = drawn.width !== view.width || drawn.height !== view.height
  if (isTurned || isOtherSize || ratio > mostStretched || ratio < 1 / mostStretched) return false
  const { x, y, width, height } = visibleBox(view)
  return x >= box.x && y >= box.y && x + width <= box.x + box.width && y + height <= box.y + box.height
}

/** The same until the view leaves it, or rests at another zoom. */
export function useField(view: View | null): Field | null {
  const [known, setField] = useState<Field | null>(null)
  let field = known
  if (view && !(field && holds(field, view))) {
    field = fieldOf(view)
    setField(field)
  }
  const isOtherZoom = view !== null && field !== null && view.zoom !== field.view.zoom
  useEffect(() => {
    if (!isOtherZoom) return
    const timer = setTimeout(() => setField(fieldOf(view)), restMs)
    return () => clearTimeout(timer)
  }, [isOtherZoom, view])
  return view && field
}

export interface ShownRegions {
  /** The lowest first. */
  readonly shapes: readonly RegionOfInterest[]
  readonly labels: readonly RegionOfInterest[]
  /** There are more, for the canvas. */
  readonly rest: boolean
}

export function shownRegions(
  regions: readonly RegionOfInterest[],
  selected: readonly string[],
  field: Field | null,
): ShownRegions {
  if (regions.length <= mostShapes || !field) return { shapes: regions, labels: regions, rest: false }
  const index = indexOf(regions)
  const at = (places: readonly number[]): RegionOfInterest[] => places.map((place) => regions[place]!)
  const places = index.meeting(field.box)
  if (places.length <= mostShapes) {
    const all = at(places)
    return { shapes: all, labels: all, rest: false }
  }
  const picked = selected.slice(0, mostPicked).flatMap((id) => index.placeOf(id) ?? [])
  const size = (place: number): number => {
    const { width, height } = index.boxAt(place)
    return Math.max(width, height)
  }
  const sized = index.meeting(field.box, leastLabelledPx / field.view.zoom).map((place) => ({ place, size: size(place) }))
  const named = sized.sort((a, b) => b.size - a.size).slice(0, mostNamed)
  const labelled = new Set([...picked, ...named.map(({ place }) => place)])
  const inOrder = (all: Iterable<number>): number[] => [...all].sort((a, b) => a - b)
  return { shapes: at(inOrder(new Set(picked))), labels: at(inOrder(labelled)), rest: true }
}
