// The document as the page shows it: what the engine said last, which regions are selected, and what is being drawn. No truth of its own.
import {
  isArea,
  regionTitle,
  type DocumentState,
  type RegionOfInterest,
  type RegionShape,
  type Shape,
} from '../../../app/contract'
import type { Point } from '../../arithmetic/geometry'
import { indexOf } from '../../arithmetic/regionIndex'
import { Measures } from './measures'

/**
 * The lasso selects objects, a cut splits them, a click of `add` adds one, `redraw` is a brush for them; the ruler only measures, a click of the
 * points' tool counts; what the others draw becomes a region, of the line's tools one that has a length.
 */
export type RegionTool =
  | 'rectangle'
  | 'ellipse'
  | 'polygon'
  | 'freehand'
  | 'brush'
  | 'points'
  | 'line'
  | 'polyline'
  | 'lasso'
  | 'cut'
  | 'add'
  | 'redraw'
  | 'ruler'
/** What works on objects, not on regions. */
export const isObjectTool = (tool: RegionTool | null): boolean =>
  tool === 'lasso' || tool === 'cut' || tool === 'add' || tool === 'redraw'
/** Drawn by a click for each point. */
export const isClicked = (tool: RegionTool | null): tool is 'polygon' | 'polyline' => tool === 'polygon' || tool === 'polyline'
/** Whether strokes are painted: on a region, or on an object. */
export const isBrush = (tool: RegionTool | null): tool is 'brush' | 'redraw' => tool === 'brush' || tool === 'redraw'

/** What the pointer is drawing; level-0 px. */
export interface Drawing {
  readonly tool: RegionTool
  /** Rectangle and ellipse: from corner to corner; polygon: the points so far, and where the pointer is; freehand, brush, lasso and cut: its way; ruler: its ends. */
  readonly points: readonly Point[]
  /** Shift adds to the selected region, Alt cuts out of it. */
  readonly how: 'new' | 'add' | 'subtract'
  /** The pointer was let go of, and the engine has not answered yet. */
  readonly over?: boolean
}

/** Objects of a run that are selected: those whose centroids its loops hold. */
export interface Lasso {
  readonly runId: string
  readonly shape: Extract<Shape, { kind: 'polygon' }>
  /** null: the engine has not said yet. */
  readonly objects: number | null
  /** Of the first thousands of them, rings of level-0 px. */
  readonly outlines?: readonly (readonly (readonly [number, number])[])[] | undefined
}

export interface ProjectSlice {
  readonly doc: DocumentState | null
  readonly selected: readonly string[]
  readonly tool: RegionTool | null
  readonly drawing: Drawing | null
  /** A region as the hand holds it, until the engine has it so. */
  readonly held: { readonly id: string; readonly shape: RegionShape } | null
  /** The class of the points that are counted next. */
  readonly pointClass: string | null
  /** The point that a key deletes: of which region, and its place. */
  readonly point: { readonly id: string; readonly at: number } | null
  readonly lasso: Lasso | null
  readonly measures: Measures
  readonly hidden: boolean
}
export const noProject: ProjectSlice = {
  doc: null,
  selected: [],
  tool: null,
  drawing: null,
  held: null,
  pointClass: null,
  point: null,
  lasso: null,
  measures: Measures.none,
  hidden: false,
}

/** What the engine says takes the place of what was known; what is gone is no longer selected, nor held. */
export function withDocument(project: ProjectSlice, doc: DocumentState): ProjectSlice {
  if (project.doc && doc.revision < project.doc.revision) return project
  const selected = project.selected.length > 0 ? project.selected.filter((id) => indexOf(doc.regions).get(id)) : project.selected
  const before = project.doc?.revision
  return {
    ...project,
    doc,
    selected: selected.length === project.selected.length ? project.selected : selected,
    held: null,
    // Its place may be another's by now.
    point: before === doc.revision ? project.point : null,
  }
}

const none: readonly RegionOfInterest[] = []
export const regionsOf = ({ doc }: ProjectSlice): readonly RegionOfInterest[] => doc?.regions ?? none

export const regionOf = (project: ProjectSlice, id: string): RegionOfInterest | undefined => indexOf(regionsOf(project)).get(id)

/** The lowest first. */
export function selectedRegions(project: ProjectSlice): RegionOfInterest[] {
  if (project.selected.length === 0) return []
  const regions = regionsOf(project)
  const places = project.selected.flatMap((id) => indexOf(regions).placeOf(id) ?? [])
  return [...new Set(places)].sort((a, b) => a - b).map((place) => regions[place]!)
}

/** The one that handles and cuts are for. */
export function oneSelected(project: ProjectSlice): RegionOfInterest | null {
  const [id] = project.selected
  if (id === undefined) return null
  // What is selected is there, as a rule: see withDocument.
  if (project.selected.length === 1) return regionOf(project, id) ?? null
  const [first, ...others] = selectedRegions(project)
  return first && others.length === 0 ? first : null
}

const selections = new WeakMap<readonly string[], ReadonlySet<string>>()
export function isSelected({ selected }: ProjectSlice, id: string): boolean {
  if (selected.length < 20) return selected.includes(id)
  let all = selections.get(selected)
  if (!all) selections.set(selected, (all = new Set(selected)))
  return all.has(id)
}

/** The area that is added to, and cut out of. */
export const areaSelected = (project: ProjectSlice): RegionOfInterest | null => {
  const one = oneSelected(project)
  return one && isArea(one.shape) ? one : null
}

/** Selects one, or with the key for more takes it in or out. */
export const toggled = (selected: readonly string[], id: string, more: boolean): readonly string[] =>
  !more ? [id] : selected.includes(id) ? selected.filter((each) => each !== id) : [...selected, id]

/** A loop more, or in place of those before; loops of another run do not stay. */
export function withLoop(before: Lasso | null, runId: string, loop: Lasso['shape'], more: boolean): Lasso {
  const parts = more && before?.runId === runId ? [...before.shape.parts, ...loop.parts] : loop.parts
  return { runId, shape: { kind: 'polygon', parts }, objects: null }
}

/** To be seen on glass and on any stain. */
export const unclassified = '#3d8bfd'

export const colourOf = ({ doc }: ProjectSlice, { classId }: RegionOfInterest): string =>
  doc?.classes.find(({ id }) => id === classId)?.color ?? unclassified

/** null: it has no class. */
export const classNameOf = ({ doc }: ProjectSlice, { classId }: RegionOfInterest): string | null =>
  doc?.classes.find(({ id }) => id === classId)?.name ?? null

export const titleOf = (project: ProjectSlice, region: RegionOfInterest): string =>
  regionTitle(region, regionsOf(project), project.doc?.classes ?? [])
