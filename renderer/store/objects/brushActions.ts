// The brush: a stroke makes a region or an object, adds to the selected one, or takes away from it, as one step of the document's history.
import { areaSelected, isBrush, type Drawing } from '../slices/projectSlice'
import { strokeShape, type Tip } from '../../arithmetic/brushShape'
import type { Point } from '../../arithmetic/geometry'
import { words } from '../../words'
import { grown, radiusOf, tipOf, withRadius, type BrushFor } from '../slices/brushSlice'
import { inTurn } from '../base/inTurn'
import { tell } from '../base/notify'
import { addRegion, combineRegion } from '../document/projectActions'
import { strokeOnObject } from './redrawActions'
import { slideMpp } from '../slices/slideSlice'
import { getState, patch, type State } from '../store'

/** One stroke after the other: the first makes the region that the next one adds to. */
const next = inTurn(words.brush.title)

const brushFor = ({ project }: State): BrushFor => (project.tool === 'redraw' ? 'object' : 'region')

/** Level-0 px. */
export function brushTip(state: State): Tip {
  const { info } = state.slide
  const size = { x: info?.mppX ?? null, y: info?.mppY ?? null, mpp: slideMpp(info) }
  return tipOf(state.brush, size, state.ui.view?.zoom ?? 1, brushFor(state))
}

/** Level-0 px, or what the slide's pixel size makes of them. */
export const shownRadius = (state: State): number =>
  radiusOf(state.brush, slideMpp(state.slide.info), state.ui.view?.zoom ?? 1, brushFor(state))

export const chooseRadius = (radius: number): void => patch('brush', withRadius(radius, brushFor(getState())))

/** `how`: what the keys say; Alt takes away in any case. */
export function brushed(from: Point, to: Point, finished: boolean, how: Drawing['how']): void {
  const { project, brush } = getState()
  if (!isBrush(project.tool)) return
  const cuts = how === 'subtract' || brush.subtracts
  const going = project.drawing?.tool === 'brush' && !project.drawing.over ? project.drawing : null
  const before: Drawing = going ?? { tool: 'brush', points: [from], how: cuts ? 'subtract' : 'add' }
  const drawing: Drawing = { ...before, points: [...before.points, to], over: finished }
  patch('project', { drawing })
  if (!finished) return
  const put = project.tool === 'redraw' ? paintedObject : painted
  const tip = brushTip(getState())
  next(() =>
    put(drawing, tip).finally(() => {
      // The stroke is seen until it is done; a newer one stays.
      if (getState().project.drawing === drawing) patch('project', { drawing: null })
    }),
  )
}

/** A click leaves a disc. */
export const dabbed = (at: Point, how: Drawing['how']): void => brushed(at, at, true, how)

async function painted(drawing: Drawing, tip: Tip): Promise<void> {
  const shape = strokeShape(drawing.points, tip)
  const { project } = getState()
  const one = areaSelected(project)
  if (shape && one) await combineRegion(one.id, drawing.how === 'subtract' ? 'subtract' : 'add', shape)
  else if (shape && drawing.how === 'subtract') tell(words.regions.selectOneForBrush, words.brush.title)
  else if (shape) await addRegion(shape)
}

async function paintedObject(drawing: Drawing, tip: Tip): Promise<void> {
  const shape = strokeShape(drawing.points, tip)
  if (shape) await strokeOnObject(shape, drawing.how === 'subtract' ? 'subtract' : 'add')
}

export function resizeBrush(steps: number): void {
  const state = getState()
  if (isBrush(state.project.tool)) chooseRadius(grown(shownRadius(state), steps))
}

/** Returns whether the brush had a use for the wheel. */
export function brushWheels(notches: number): boolean {
  if (!isBrush(getState().project.tool)) return false
  resizeBrush(notches)
  return true
}
