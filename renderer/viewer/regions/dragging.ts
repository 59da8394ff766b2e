// A drag on an element of a region's SVG: where the pointer is on the slide, and the shape that the hand holds meanwhile.
import type { PointerEvent } from 'react'
import type { RegionShape } from '../../../app/contract'
import { toImage, type Point, type View } from '../../arithmetic/geometry'
import { reshape } from '../../store/document/projectActions'
import { getState, patch } from '../../store/store'

export function pointOf(event: PointerEvent<SVGElement> | React.MouseEvent<SVGElement>, view: View): Point {
  const box = event.currentTarget.ownerSVGElement!.getBoundingClientRect()
  return toImage(view, { x: event.clientX - box.left, y: event.clientY - box.top })
}

/** A drag on an element of its own: `during` with where the pointer is, `after` once it is let go. */
export function pull(
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

export const hold = (id: string, shape: RegionShape | null): void => {
  if (shape) patch('project', { held: { id, shape } })
}
export async function settle(id: string): Promise<void> {
  const { held: now } = getState().project
  if (now?.id === id) await reshape(id, now.shape)
}
