// A row or a column more, or one less: the others move up, and new places are expected where their neighbours say. Pure.
import { coreName } from './naming'
import type { CoreNaming } from './naming'
import { circle, sizeOf } from './steps'
import type { CoreRegion } from './steps'
import type { DocumentCommand } from '../records/command'
import { mostLines } from '../records/core'
import type { RegionChange, RegionOfInterest } from '../records/region'
import type { RegionShape } from '../records/shapes'

export type CoreAxis = 'row' | 'column'
interface Point {
  readonly x: number
  readonly y: number
}

/** The middle of what a shape spans. */
export function middleOf(shape: RegionShape): Point {
  if (shape.kind === 'rectangle' || shape.kind === 'ellipse')
    return { x: shape.x + shape.width / 2, y: shape.y + shape.height / 2 }
  const points = shape.kind === 'polygon' ? shape.parts.flatMap(([outer]) => outer ?? []) : shape.points
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const mid = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0) / all.length
  return { x: mid(xs), y: mid(ys) }
}

/** The diameter that most cores have. */
function diameterOf(cores: readonly CoreRegion[]): number {
  const widths = cores.flatMap(({ shape }) => (shape.kind === 'ellipse' ? [shape.width] : [])).sort((a, b) => a - b)
  return widths[(widths.length - 1) >> 1] ?? 0
}

/** `at`: its place, from 0 to as many as there are. null: there is no room, or no array. New places are missing ones until somebody says else. */
export function insertLine(
  cores: readonly CoreRegion[],
  axis: CoreAxis,
  at: number,
  naming: CoreNaming,
  { createdAt, newId }: { readonly createdAt: string; readonly newId: () => string },
): DocumentCommand | null {
  const size = sizeOf(cores)
  const along = axis === 'row' ? size.rows : size.columns
  const across = axis === 'row' ? size.columns : size.rows
  const [first] = cores
  const diameter = diameterOf(cores)
  if (!first || diameter === 0 || along >= mostLines || at < 0 || at > along) return null
  const next = axis === 'row' ? { ...size, rows: along + 1 } : { ...size, columns: along + 1 }
  const place = (line: number, cross: number) => (axis === 'row' ? { row: line, column: cross } : { row: cross, column: line })
  const added = Array.from({ length: across }, (_, cross): RegionOfInterest => {
    const { x, y } = between(cores, axis, at, cross, along, diameter)
    return {
      ...{ id: newId(), slide: first.slide, name: coreName(place(at, cross), next, naming), classId: first.classId },
      ...{ locked: false, shape: circle(x, y, diameter), createdAt, madeBy: 'program' },
      core: { ...place(at, cross), missing: true, label: '' },
    }
  })
  const changes = moved(cores, axis, (line) => (line >= at ? line + 1 : line), next, naming, size)
  return {
    type: 'together',
    name: `Insert a ${axis} of cores`,
    commands: [
      ...(changes.length > 0 ? [{ type: 'regions:change' as const, changes }] : []),
      { type: 'regions:add', regions: added },
    ],
  }
}

/** null: it is not there, or the only one. */
export function deleteLine(cores: readonly CoreRegion[], axis: CoreAxis, at: number, naming: CoreNaming): DocumentCommand | null {
  const size = sizeOf(cores)
  const along = axis === 'row' ? size.rows : size.columns
  const gone = cores.filter(({ core }) => core[axis] === at)
  if (gone.length === 0 || along < 2) return null
  const left = cores.filter(({ core }) => core[axis] !== at)
  const next = axis === 'row' ? { ...size, rows: along - 1 } : { ...size, columns: along - 1 }
  const changes = moved(left, axis, (line) => (line > at ? line - 1 : line), next, naming, size)
  return {
    type: 'together',
    name: `Delete a ${axis} of cores`,
    commands: [
      { type: 'regions:delete', ids: gone.map(({ id }) => id) },
      ...(changes.length > 0 ? [{ type: 'regions:change' as const, changes }] : []),
    ],
  }
}

/** Those whose place or name is another. */
function moved(
  cores: readonly CoreRegion[],
  axis: CoreAxis,
  to: (line: number) => number,
  size: { readonly rows: number; readonly columns: number },
  naming: CoreNaming,
  before: { readonly rows: number; readonly columns: number },
): RegionChange[] {
  return cores.flatMap(({ id, name, core }) => {
    const place = { ...core, [axis]: to(core[axis]) }
    // What somebody has named himself keeps that.
    const called = name === coreName(core, before, naming) ? coreName(place, size, naming) : name
    return place[axis] === core[axis] && called === name ? [] : [{ id, name: called, core: place }]
  })
}

/** Where a core of a new line is expected: halfway between its neighbours, at an edge one step on. */
function between(
  cores: readonly CoreRegion[],
  axis: CoreAxis,
  at: number,
  cross: number,
  along: number,
  diameter: number,
): Point {
  const other: CoreAxis = axis === 'row' ? 'column' : 'row'
  const of = (line: number): Point | null => {
    const known = cores.find(({ core }) => core[axis] === line && core[other] === cross)
    return known ? middleOf(known.shape) : null
  }
  const mean = (a: Point, b: Point, share: number): Point => ({ x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share })
  const [before, behind] = [of(at - 1), of(at)]
  if (at > 0 && at < along && before && behind) return mean(before, behind, 0.5)
  const [edge, inner] = at === 0 ? [of(0), of(1)] : [of(at - 1), of(at - 2)]
  if (edge && inner) return mean(inner, edge, 2)
  const from = edge ?? before ?? behind ?? middleOf(cores[0]!.shape)
  const far = (at === 0 ? -1.4 : 1.4) * diameter
  return axis === 'row' ? { x: from.x, y: from.y + far } : { x: from.x + far, y: from.y }
}
