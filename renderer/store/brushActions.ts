// The brush: a stroke makes a region, adds to the selected one, or cuts out of it, as one step of the document's history.
import type { Drawing } from './projectSlice'
import { areaSelected } from './projectSlice'
import { strokeShape } from '../arithmetic/brushShape'
import type { Point } from '../arithmetic/geometry'
import { grown, radiusOf, radiusPx } from './brushSlice'
import { tell } from './notify'
import { addRegion, combineRegion } from './projectActions'
import { slideMpp } from './slideSlice'
import { getState, patch, type State } from './store'

/** One stroke after the other: the first makes the region that the next one adds to. */
let tail: Promise<unknown> = Promise.resolve()

/** Level-0 px. */
export const brushRadius = ({ brush, slide, ui }: State): number => radiusPx(brush, slideMpp(slide.info), ui.view?.zoom ?? 1)

/** Level-0 px, or what the slide's pixel size makes of them. */
export const shownRadius = ({ brush, slide, ui }: State): number => radiusOf(brush, slideMpp(slide.info), ui.view?.zoom ?? 1)

/** `how`: what the keys say; Alt takes away in any case. */
export function brushed(from: Point, to: Point, finished: boolean, how: Drawing['how']): void {
  const { project, brush } = getState()
  if (project.tool !== 'brush') return
  const cuts = how === 'subtract' || brush.subtracts
  const going = project.drawing?.tool === 'brush' && !project.drawing.over ? project.drawing : null
  const before: Drawing = going ?? { tool: 'brush', points: [from], how: cuts ? 'subtract' : 'add' }
  const drawing: Drawing = { ...before, points: [...before.points, to], over: finished }
  patch('project', { drawing })
  if (finished) tail = tail.then(() => painted(drawing, brushRadius(getState())))
}

/** A click leaves a disc. */
export const dabbed = (at: Point, how: Drawing['how']): void => brushed(at, at, true, how)

async function painted(drawing: Drawing, radius: number): Promise<void> {
  const shape = strokeShape(drawing.points, radius)
  const { project } = getState()
  const one = areaSelected(project)
  if (shape && one) await combineRegion(one.id, drawing.how === 'subtract' ? 'subtract' : 'add', shape)
  else if (shape && drawing.how === 'subtract') tell('Select one region first: the brush cuts out of that.', 'Brush')
  else if (shape) await addRegion(shape)
  // The stroke is seen until the region has it; a newer one stays.
  if (getState().project.drawing === drawing) patch('project', { drawing: null })
}

export function resizeBrush(steps: number): void {
  const state = getState()
  if (state.project.tool === 'brush') patch('brush', { radius: grown(shownRadius(state), steps) })
}

/** Returns whether the brush had a use for the wheel. */
export function brushWheels(notches: number): boolean {
  if (getState().project.tool !== 'brush') return false
  resizeBrush(notches)
  return true
}
