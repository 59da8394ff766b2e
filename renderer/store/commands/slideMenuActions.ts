// The menu of a place on the slide: what lies there, by pointer or by key, and what its items need before their commands.
import { isArea, type RegionOfInterest } from '../../../app/contract'
import { toScreen, type Point } from '../../arithmetic/geometry'
import { indexOf } from '../../arithmetic/regionIndex'
import { boxOfShape, holdsPoint } from '../../arithmetic/regionShapes'
import { showRegion } from '../document/projectActions'
import { regionOf, regionsOf, selectedRegions, type ProjectSlice } from '../slices/projectSlice'
import { clearSelection, selectShownAt } from '../selection/selectionActions'
import { getState, patch } from '../store'
import { viewer } from '../base/viewerHandle'

/** How far from a line or a point the pointer may be, CSS px. */
const reachPx = 8
/** An engine that is busy must not keep the menu; what comes later is no part of it. */
const patienceMs = 400

/** Of a right click. The object there is selected, as by a click, but nothing is computed for it. */
export async function openMenuAt(at: Point): Promise<void> {
  const { slide, ui, project } = getState()
  if (!slide.info || !ui.view || project.drawing) return
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), patienceMs))
  show(at, await Promise.race([selectShownAt(at), late]))
}

/** By a key: of what is selected, where that is on the screen, else of the middle. */
export function openMenuOfSelected(): void {
  const { ui, selection, project } = getState()
  if (!ui.view) return
  const [region] = selectedRegions(project)
  const isSeen = (at: Point): boolean => {
    const { x, y } = toScreen(ui.view!, at)
    return x >= 0 && y >= 0 && x < ui.view!.width && y < ui.view!.height
  }
  if (selection.object && isSeen(selection.object.centroid)) return show(selection.object.centroid, true)
  if (!region) return void openMenuAt(ui.view.center)
  const { x, y, width, height } = boxOfShape(region.shape)
  const middle = { x: x + width / 2, y: y + height / 2 }
  show(isSeen(middle) ? middle : ui.view.center, false, region.id)
}

function show(at: Point, onObject: boolean, regionId?: string): void {
  const { ui, project } = getState()
  if (!ui.view) return
  const reach = reachPx / ui.view.zoom
  const under = project.hidden ? undefined : regionAt(project, at, reach)
  patch('ui', { slideMenu: { at, place: toScreen(ui.view, at), onObject, regionId: regionId ?? under?.id ?? null } })
}

/** The topmost that holds the point, or has its line or a point of its own that near. */
function regionAt(project: ProjectSlice, at: Point, reach: number): RegionOfInterest | undefined {
  const regions = regionsOf(project)
  const box = { x: at.x - reach, y: at.y - reach, width: 2 * reach, height: 2 * reach }
  const place = indexOf(regions)
    .meeting(box)
    .findLast((each) => holdsPoint(regions[each]!.shape, at, reach))
  return place === undefined ? undefined : regions[place]
}

export const closeSlideMenu = (): void => patch('ui', { slideMenu: null })

/** What the next command is about is the object, though a region was selected since. */
export function meanObject(): void {
  const { selection } = getState()
  if (selection.at) patch('selection', { at: { ...selection.at } })
}

/** What the next command is about is this region alone. */
export function meanRegion(id: string): void {
  clearSelection()
  patch('project', { selected: [id], lasso: null })
}

/** So much around an object is seen with it, as a share of it. */
const objectMargin = 1.5

export function zoomToSelected(): void {
  const { selection, project } = getState()
  if (selection.object) {
    const { x, y, width, height } = selection.object.bounds
    const margin = objectMargin * Math.max(width, height)
    return viewer()?.fitRegion({ x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin })
  }
  const [first, ...others] = selectedRegions(project)
  if (!first) return
  if (others.length === 0) return showRegion(first)
  const boxes = [first, ...others].map(({ shape }) => boxOfShape(shape))
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))]
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  viewer()?.fitRegion({ x, y, width: Math.max(1, right - x), height: Math.max(1, bottom - y) })
}

/** A menu gives the keyboard back to where it was, a moment after it has closed. */
const givenBackMs = 60

/** Its field has the keyboard then. */
export function nameRegion(): void {
  if (selectedRegions(getState().project).length !== 1) return
  patch('ui', { rightOpen: true })
  setTimeout(() => document.querySelector<HTMLInputElement>('.region-edit input')?.focus(), givenBackMs)
}

/** Whether the menu's region holds objects that can be segmented. */
export const isSegmentable = (id: string): boolean => {
  const region = regionOf(getState().project, id)
  return region !== undefined && isArea(region.shape)
}
