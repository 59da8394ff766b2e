// What the max-tree wand asks the engine, as the pointer moves and the wheel turns, and what it keeps: a region of interest, or an object.
import type { Shape } from '../../../app/contract'
import { mostWandPoints } from '../../../app/contract'
import { api } from '../../api'
import { latest } from '../base/latest'
import type { Point } from '../../arithmetic/geometry'
import { words } from '../../words'
import { beginWatch, bindWatch, dropWatch, endWatch } from '../base/latency'
import { tellError } from '../base/notify'
import { chooseTool, drawn } from '../document/projectActions'
import { recipeOf } from '../slices/recipeSlice'
import { addObject } from './redrawActions'
import { tellAtControl } from '../runs/runErrors'
import { getState, patch, update, useStore } from '../store'
import { isWithin, noWand } from '../slices/wandSlice'
import { leaveWhy } from '../recipe/whyActions'

let asking = false
/** The newest point or step came while an answer was under way. */
let again = false
let questions = 0

/** One question at a time; the newest is asked next. */
async function ask(): Promise<void> {
  again = asking
  if (asking) return
  const { slide, wand, recipe: state } = getState()
  const recipe = recipeOf(state)
  if (!wand.on || wand.points.length === 0 || !slide.info || !recipe) return
  asking = true
  clearTimeout(resting)
  ahead.stop()
  patch('wand', { busy: true })
  const token = String(++questions)
  bindWatch('wand-to-outline', token)
  const { slideId } = slide.info
  const points = wand.points.map(({ x, y }): [number, number] => [x, y])
  const { layer, walk } = wand
  const result = await api().call('field:wand', { slideId, recipe, layer, points, walk })
  asking = false
  const now = getState()
  if (now.slide.info?.slideId !== slideId || !now.wand.on) return
  if (!result.ok) {
    dropWatch('wand-to-outline')
    update('wand', ({ keeps }) => ({ ...noWand, keeps }))
    if (!tellAtControl(result.error) && result.error.code !== 'ENGINE_LOST') tellError(result.error, words.wand.title)
    return
  }
  const node = result.value
  // What was walked past the end is not to be walked back; steps made meanwhile are.
  const walked = node ? node.walked + (now.wand.walk - walk) : 0
  patch('wand', { busy: again, node, walk: now.wand.points === wand.points ? walked : now.wand.walk })
  requestAnimationFrame(() => endWatch('wand-to-outline', token))
  if (again) return ask()
  buildAhead()
}

let resting: ReturnType<typeof setTimeout> | undefined
const ahead = latest()
const restsMs = 200

/** While the pointer rests, the trees of what else is in view: the next move finds them held. */
function buildAhead(): void {
  clearTimeout(resting)
  ahead.stop()
  resting = setTimeout(() => void buildRest(), restsMs)
}

async function buildRest(): Promise<void> {
  const { slide, wand, recipe: state, ui } = getState()
  const recipe = recipeOf(state)
  if (!wand.on || wand.stroke || !slide.info || !recipe || !ui.view) return
  const signal = ahead.begin()
  const { slideId, widthPx, heightPx } = slide.info
  const { center, zoom, width, height } = ui.view
  for (const [dx, dy] of [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ] as const) {
    const x = center.x + (dx * width) / zoom / 3
    const y = center.y + (dy * height) / zoom / 3
    if (x < 0 || y < 0 || x >= widthPx || y >= heightPx) continue
    // A failure is the wand's own to tell, once it points there.
    await api().call('field:wand', { slideId, recipe, layer: wand.layer, points: [[x, y]], walk: 0 }, signal)
    if (signal.aborted) return
  }
}

/** On at what is under the pointer, else at the middle of the view. */
export function toggleWand(): void {
  if (leaveWand() || !getState().slide.info) return
  leaveWhy()
  if (getState().project.tool !== null) chooseTool(getState().project.tool!)
  patch('ui', { tool: 'pan', drawn: null })
  const at = getState().ui.pointer ?? getState().ui.view?.center
  const { keeps } = getState().wand
  patch('wand', { ...noWand, keeps, on: true, points: at ? [at] : [] })
  void ask()
}

/** Returns whether there was something to leave; a stroke goes before the wand does. */
export function leaveWand(): boolean {
  const { on, stroke } = getState().wand
  if (!on) return false
  if (stroke) patch('wand', { stroke: false, points: [], node: null })
  else update('wand', ({ keeps }) => ({ ...noWand, keeps }))
  return true
}

export function chooseWandLayer(layer: string): void {
  patch('wand', { layer, walk: 0 })
  void ask()
}

/** Whoever has walked keeps the node while the pointer stays on it. */
export function wandHovered(at: Point | null): void {
  const { wand } = getState()
  if (!wand.on || !at || wand.stroke) return
  if (wand.walk !== 0 && wand.node && isWithin(wand.node.parts.flat(), at)) return
  beginWatch('wand-to-outline')
  patch('wand', { points: [at], walk: 0 })
  void ask()
}

/** Up is outwards. Returns whether the wand had a use for it. */
export function wandWalks(steps: number): boolean {
  const { wand } = getState()
  if (!wand.on || !wand.node) return false
  patch('wand', { walk: wand.walk + steps })
  void ask()
  return true
}

/** The smallest node that holds the stroke, kept once it is let go. */
export function wandStrokes(from: Point, to: Point, finished: boolean): void {
  const { wand } = getState()
  if (!wand.on) return
  const before = wand.stroke ? wand.points : [from]
  const points = finished ? before : [...before, to].slice(0, mostWandPoints)
  patch('wand', { stroke: true, points, walk: 0 })
  if (!finished) return void ask()
  void keepStroke()
}

async function keepStroke(): Promise<void> {
  await ask()
  while (asking) await new Promise((resolve) => setTimeout(resolve, 5))
  await keepWand()
  patch('wand', { stroke: false })
}

/** What is outlined becomes a region of interest, or an object of the shown result; the wand stays in hand. */
export async function keepWand(): Promise<void> {
  const { wand } = getState()
  if (!wand.on || !wand.node || wand.node.parts.length === 0) return
  const shape: Shape = { kind: 'polygon', parts: wand.node.parts }
  if (wand.keeps === 'region') await drawn(shape, 'new')
  else if (!(await addObject(shape))) return
  // Its own line is what is to be seen now.
  patch('wand', { node: null, walk: 0 })
}

useStore.subscribe((state, before) => {
  if (!state.wand.on) return
  if (state.slide.info?.slideId !== before.slide.info?.slideId) return update('wand', ({ keeps }) => ({ ...noWand, keeps }))
  // Another tool was taken.
  if (state.project.tool !== null || state.ui.tool !== 'pan' || state.why.on)
    return update('wand', ({ keeps }) => ({ ...noWand, keeps }))
  const { specId, valuesBySpec } = before.recipe
  if (state.recipe.specId !== specId) patch('wand', { layer: '' })
  if (state.recipe.specId !== specId || state.recipe.valuesBySpec !== valuesBySpec) void ask()
})
