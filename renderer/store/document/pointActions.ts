// Points: places that are counted one by one, of each class in a region of its own. Every one is a step of the document's history.
import { isPoints, type Points, type RegionOfInterest } from '../../../app/contract'
import type { Point } from '../../arithmetic/geometry'
import { nearestPoint, placeOf } from '../../arithmetic/regionShapes'
import { words } from '../../words'
import { inTurn } from '../base/inTurn'
import { tell } from '../base/notify'
import { act, addRegion } from './projectActions'
import { pointRegion } from './pointSlice'
import { getState, patch } from '../store'

/** One click after the other: the first makes the region that the next one adds to. */
const next = inTurn(words.points.title)

/** Screen px within which a click means a point that is there. */
const reach = 7
const reachPx = (): number => reach / (getState().ui.view?.zoom ?? 1)

const pointsOf = (region: RegionOfInterest | null): Points['points'] =>
  region && isPoints(region.shape) ? region.shape.points : []

/** A click of the tool: one more, or the one that is there; with Alt that one goes. */
export function pointed(at: Point, takes: boolean): void {
  next(() => placed(at, takes))
}

async function placed(at: Point, takes: boolean): Promise<void> {
  const { project, slide } = getState()
  const region = pointRegion(project)
  const there = nearestPoint(pointsOf(region), at, reachPx())
  if (region && there !== null) {
    if (takes) await removePoint(region, there)
    else patch('project', { point: { id: region.id, at: there }, selected: [region.id] })
    return
  }
  if (takes) return tell(words.points.noneHere, words.points.title)
  if (!slide.info || at.x < 0 || at.y < 0 || at.x > slide.info.widthPx || at.y > slide.info.heightPx) return
  const point = placeOf(at)
  if (region) await act({ type: 'points:add', id: region.id, point })
  else await addRegion({ kind: 'points', points: [point] }, project.pointClass)
}

export async function removePoint(region: RegionOfInterest, at: number): Promise<void> {
  const point = pointsOf(region)[at]
  if (point) await act({ type: 'points:remove', id: region.id, point, at })
}

export async function movePoint(region: RegionOfInterest, at: number, to: Point): Promise<void> {
  const point = pointsOf(region)[at]
  if (!point) return
  const { id } = region
  await act({
    type: 'together',
    name: words.steps.movePoint,
    // Never without any: the region would go.
    commands: [
      { type: 'points:add', id, point: placeOf(to), at: at + 1 },
      { type: 'points:remove', id, point, at },
    ],
  })
}

/** Returns whether there was one that the key for deleting means. */
export function deletePoint(): boolean {
  const { point, doc } = getState().project
  const region = doc?.regions.find(({ id }) => id === point?.id)
  if (!point || !region) return false
  next(() => removePoint(region, point.at))
  return true
}

export function choosePointClass(classId: string | null): void {
  const { project } = getState()
  const region = pointRegion({ ...project, pointClass: classId, selected: [] })
  patch('project', { pointClass: classId, selected: region ? [region.id] : [], point: null })
}
