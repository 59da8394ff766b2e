// What is done with the document: the engine is asked, and what it makes of it comes back as a fact.
import {
  isArea,
  type AppError,
  type DocumentCommand,
  type RegionChange,
  type RegionExport,
  type RegionOfInterest,
  type RegionShape,
  type Result,
  type Shape,
} from '../../../app/contract'
import type { Point } from '../../arithmetic/geometry'
import { boxOfShape, lineOfDrawing, shapeOfDrawing, toRegion } from '../../arithmetic/regionShapes'
import { api } from '../../api'
import { words } from '../../words'
import { reached, reachedSince, refreshProject, revisionNow } from './documentActions'
import { regionsAsInQuPath } from './asInQuPath'
import { exportNotice } from './regionNotice'
import { newId } from '../base/newId'
import { tell, tellError, tellStep } from '../base/notify'
import {
  areaSelected,
  isBrush,
  isClicked,
  isObjectTool,
  regionsOf,
  selectedRegions,
  titleOf,
  type Drawing,
  type RegionTool,
} from '../slices/projectSlice'
import { segmentWithin } from '../runs/runActions'
import { saveParts } from '../base/saveText'
import { getState, patch } from '../store'
import { lassoed } from '../selection/lassoActions'
import { viewer } from '../base/viewerHandle'

/** What does not fit says itself what would; it is about no marked value. */
function tellRefused(error: AppError): void {
  if (error.code === 'INVALID_PARAMETER' || error.code === 'NOT_FOUND') tell(error.message, words.names.regions, 9000)
  else tellError(error, words.names.regions)
}

export async function act(command: DocumentCommand): Promise<boolean> {
  const slideId = getState().slide.info?.slideId ?? null
  const result = await api().call('project:do', { slideId, command })
  if (!result.ok) tellRefused(result.error)
  await (result.ok ? reached(result.value.revision) : refreshProject())
  return result.ok
}

export function chooseTool(tool: RegionTool): void {
  const { slide, project } = getState()
  if (!slide.info) return
  const hidden = isObjectTool(tool) && project.hidden
  patch('project', { tool: project.tool === tool ? null : tool, drawing: null, hidden })
  patch('ui', { tool: 'pan', drawn: null })
}

/** Returns whether there was something to leave. */
export function leaveDrawing(): boolean {
  const { tool, drawing, selected, lasso } = getState().project
  if (drawing) patch('project', { drawing: null })
  else if (lasso) patch('project', { lasso: null })
  else if (tool) patch('project', { tool: null })
  else if (selected.length > 0) patch('project', { selected: [] })
  else return false
  return true
}

/** Level-0 px below which a line is a slip of the hand. */
const slip = (): number => 4 / (getState().ui.view?.zoom ?? 1)

/** A drag with a tool that draws by dragging. */
export function dragged(from: Point, to: Point, finished: boolean, how: Drawing['how']): void {
  const { tool, drawing } = getState().project
  if (!tool || isClicked(tool) || tool === 'cut' || tool === 'points' || tool === 'add' || isBrush(tool)) return
  // The line stays to be read until the next one, or Escape.
  if (tool === 'ruler') return patch('project', { drawing: { tool, points: [from, to], how: 'new' } })
  const before = drawing ?? { tool, points: [from], how }
  const isWay = tool === 'freehand' || tool === 'lasso'
  const points = isWay ? [...before.points, to] : [from, to]
  if (!finished) return patch('project', { drawing: { ...before, points } })
  if (tool === 'line') return lineDrawn(points)
  const shape = shapeOfDrawing(isWay ? 'freehand' : tool, points, slip())
  if (shape && tool === 'lasso') lassoed(shape, before.how === 'add')
  else if (shape) void drawn(shape, before.how)
  else patch('project', { drawing: null })
}

let lastClick = { at: 0, x: 0, y: 0 }
/** A click of the polygon's tool, or of the one for lines: a point more, or its end, by a double click or, of a polygon, on the first one. The last point is the pointer's. */
export function clicked(at: Point, how: Drawing['how']): void {
  const { drawing, tool } = getState().project
  if (!isClicked(tool)) return
  const near = (p: Point): boolean => Math.hypot(p.x - at.x, p.y - at.y) < 2.5 * slip()
  const again = performance.now() - lastClick.at < 350 && near(lastClick)
  lastClick = { at: performance.now(), ...at }
  if (!drawing) return patch('project', { drawing: { tool, points: [at, at], how } })
  if (again || (tool === 'polygon' && drawing.points.length > 3 && near(drawing.points[0]!))) return void finishPolygon()
  patch('project', { drawing: { ...drawing, points: [...drawing.points.slice(0, -1), at, at] } })
}

/** The pointer moves while points are set. */
export function hovered(at: Point | null): void {
  const { drawing } = getState().project
  if (at && drawing && isClicked(drawing.tool))
    patch('project', { drawing: { ...drawing, points: [...drawing.points.slice(0, -1), at] } })
}

/** Returns whether there was one to end. */
export function finishPolygon(): boolean {
  const { drawing } = getState().project
  if (!drawing || !isClicked(drawing.tool)) return false
  if (drawing.tool === 'polyline') {
    lineDrawn(drawing.points.slice(0, -1))
    return true
  }
  const shape = shapeOfDrawing('polygon', drawing.points.slice(0, -1), slip())
  if (shape) void drawn(shape, drawing.how)
  return true
}

function lineDrawn(points: readonly Point[]): void {
  const shape = lineOfDrawing(points, slip())
  if (!shape) return patch('project', { drawing: null })
  patch('project', { drawing: null, tool: null })
  void addRegion(shape)
}

/** What the ruler measured last becomes a region; the ruler stays in the hand. */
export function keepRuler(): void {
  const { drawing, tool } = getState().project
  const shape = drawing?.tool === 'ruler' ? lineOfDrawing(drawing.points, slip()) : null
  if (!shape) return tell(tool === 'ruler' ? words.ruler.measureFirst : words.ruler.needsRuler, words.about.ruler)
  patch('project', { drawing: null })
  void addRegion(shape)
}

/** What was drawn becomes a region, or a part of the selected one. */
export async function drawn(shape: Shape, how: 'new' | 'add' | 'subtract'): Promise<void> {
  const { project } = getState()
  const slide = project.doc?.slide
  patch('project', { drawing: null, tool: null })
  if (!slide) return
  const one = areaSelected(project)
  if (how !== 'new') {
    if (!one) return tell(how === 'add' ? words.regions.selectOneToAdd : words.regions.selectOneToCut)
    return void (await combineRegion(one.id, how, shape))
  }
  await addRegion(shape)
}

export const combineRegion = (id: string, how: 'add' | 'subtract', shape: Shape): Promise<boolean> =>
  act({ type: 'regions:combine', id, how, shape })

/** A new one on the slide that is open, which is selected then. */
export async function addRegion(shape: RegionShape, classId: string | null = null, name = ''): Promise<void> {
  const slide = getState().project.doc?.slide
  if (!slide) return
  const region: RegionOfInterest = {
    id: newId(),
    slide,
    name,
    classId,
    locked: false,
    shape,
    createdAt: new Date().toISOString(),
    madeBy: 'hand',
  }
  if (await act({ type: 'regions:add', regions: [region] })) patch('project', { selected: [region.id] })
}

export async function changeRegions(changes: RegionChange[]): Promise<void> {
  if (changes.length > 0) await act({ type: 'regions:change', changes })
}

/** Shown so at once; the engine's word comes after. */
export async function reshape(id: string, shape: RegionShape): Promise<void> {
  patch('project', { held: { id, shape } })
  await changeRegions([{ id, shape }])
  patch('project', { held: null })
}

export function classify(classId: string | null): void {
  void changeRegions(selectedRegions(getState().project).map(({ id }) => ({ id, classId })))
}

export function deleteSelected(): void {
  const { selected } = getState().project
  if (selected.length > 0) void act({ type: 'regions:delete', ids: [...selected] })
}

export function showRegion(region: RegionOfInterest): void {
  const { x, y, width, height } = boxOfShape(region.shape)
  // Of points something around them is shown: one alone is of no size.
  const margin = isArea(region.shape) ? 0 : Math.max(width, height, 400) / 4
  viewer()?.fitRegion(toRegion({ x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin }))
}

/** A run's name has room for less than a region's. */
const mostName = 100
const runName = (title: string): string =>
  title.length <= mostName
    ? title
    : `${title
        .slice(0, mostName - 1)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()}…`

/** The recipe in each of the selected regions, or in all where none is; a result for each. */
export function segmentRegions(): void {
  const { project } = getState()
  const chosen = selectedRegions(project)
  const regions = (chosen.length > 0 ? chosen : regionsOf(project)).flatMap((region) =>
    isArea(region.shape) && !region.core?.missing
      ? [{ name: runName(titleOf(project, region)), region: toRegion(boxOfShape(region.shape)), within: [region.shape] }]
      : [],
  )
  if (regions.length > 0) return segmentWithin(regions)
  tell(chosen.length > 0 ? words.regions.noArea : words.regions.drawFirst)
}

export async function undoDocument(): Promise<void> {
  const before = revisionNow()
  const result = await api().call('project:undo', undefined)
  if (!result.ok) return tellError(result.error, words.about.undo)
  if (result.value !== null) tellStep(words.undoing.undone(result.value))
  await reachedSince(before)
}

export async function redoDocument(): Promise<void> {
  const before = revisionNow()
  const result = await api().call('project:redo', undefined)
  if (!result.ok) return tellError(result.error, words.about.redo)
  if (result.value !== null) tellStep(words.undoing.doneAgain(result.value))
  await reachedSince(before)
}

/** As a file that the person puts where they like. */
export async function exportRegions(): Promise<void> {
  const { slide, project } = getState()
  const key = project.doc?.slide
  if (!slide.info || !key || regionsOf(project).length === 0) return tell(words.regions.drawFirst, words.buttons.export)
  const ids = project.selected.length > 0 ? [...project.selected] : null
  const stop = new AbortController()
  const over = exportNotice.begin(slide.info.name, () => stop.abort())
  const asked = { key, ids, ...(regionsAsInQuPath() && { boundsOf: slide.info.slideId }) }
  const result = await textsOf(asked, stop.signal)
  over()
  if (!result.ok && stop.signal.aborted) return
  if (!result.ok) return tellError(result.error, words.buttons.export)
  await saveParts('regions.geojson', 'application/geo+json', result.value)
}

/** In pieces: no thread is kept by all of a long text. */
async function textsOf(asked: RegionExport, signal: AbortSignal): Promise<Result<string[]>> {
  const result = await api().call('project:exportParts', asked, signal)
  if (!result.ok) return result
  const { texts, more } = result.value
  const all = [...texts]
  for (let isLast = more === undefined; !isLast && more !== undefined;) {
    const next = await api().call('project:more', { more, from: all.length }, signal)
    if (!next.ok) return next
    all.push(...next.value.texts)
    isLast = next.value.isLast
  }
  return { ok: true, value: all }
}
