// The rows and columns of an array from its cores: which count, which are wanted, and where each of their positions is expected. Pure.
import { distance, median } from './coverMap'
import type { Discs, Place } from './coverMap'
import type { Candidate } from './candidates'
import { inFrame } from './lattice'
import type { Frame, Indexed, Walked } from './lattice'

/** Row and column from 0, from the map's upper left corner. */
export interface Grid {
  readonly rows: number
  readonly columns: number
  readonly found: readonly Indexed<Candidate>[]
  /** What belongs to no row or column. */
  readonly outside: readonly Candidate[]
  /** Where a position's core is expected. */
  expected(row: number, column: number): Place
}

/** A row or a column: where in the frame it lies, and whose cores it has. */
interface Line {
  readonly at: number
  readonly mass: number
  readonly cores: number
}

/** Of a core's usual tissue: at its edge an array does not end in less. */
const leastOfLine = 0.5

/** `rows`, `columns`: so many; null: as many as have cores. */
export function gridOf(
  { frame, indexed, outside }: Walked<Candidate>,
  discs: Discs,
  diameter: number,
  wanted: { readonly rows: number | null; readonly columns: number | null },
): Grid {
  const usual = median(indexed.map(({ place }) => place.mass))
  const rows = linesOf(indexed, frame, 'row')
  const columns = linesOf(indexed, frame, 'column')
  const row = chosen(rows, wanted.rows, usual)
  const column = chosen(columns, wanted.columns, usual)
  const found: Indexed<Candidate>[] = []
  const left: Candidate[] = [...outside]
  for (const each of indexed) {
    const [r, c] = [row.indexOf(each.row), column.indexOf(each.column)]
    if (r < 0 || c < 0) left.push(each.place)
    else found.push({ place: each.place, row: r, column: c })
  }
  const grown = grow(
    { rows: row.map((key) => rows.get(key)!.at), columns: column.map((key) => columns.get(key)!.at) },
    wanted,
    (r, c) => discs.mass(inMap(frame, r, c), diameter / 2),
  )
  const cores = found.map((each) => ({ ...each, row: each.row + grown.above, column: each.column + grown.before }))
  return {
    ...{ rows: grown.rows.length, columns: grown.columns.length, found: cores },
    outside: left,
    expected: (r, c) => expectedAt(frame, grown, cores, r, c),
  }
}

const inMap = ({ corner, right, down }: Frame, row: number, column: number): Place => ({
  x: corner.x + column * right.x + row * down.x,
  y: corner.y + column * right.y + row * down.y,
})

function linesOf(indexed: readonly Indexed<Candidate>[], frame: Frame, axis: 'row' | 'column'): Map<number, Line> {
  const of = new Map<number, Candidate[]>()
  for (const each of indexed) of.set(each[axis], [...(of.get(each[axis]) ?? []), each.place])
  return new Map(
    [...of].map(([key, cores]) => [
      key,
      {
        at: median(cores.map((core) => inFrame(frame, core)[axis])),
        mass: cores.reduce((sum, { mass }) => sum + mass, 0),
        cores: cores.length,
      },
    ]),
  )
}

/** Which lines the array has, in their order: lines without a core are gaps between its blocks. */
function chosen(lines: ReadonlyMap<number, Line>, wanted: number | null, usual: number): number[] {
  let keys = [...lines.keys()].sort((a, b) => a - b)
  /** A core alone, apart from all others, is a mark of its side; bits at the edge are no row. */
  const isNone = (key: number, next: number): boolean => {
    const { mass, cores } = lines.get(key)!
    return mass < leastOfLine * usual || (cores === 1 && Math.abs(next - key) > 1 && keys.length > 2)
  }
  if (wanted === null) {
    while (keys.length > 1 && isNone(keys[0]!, keys[1]!)) keys = keys.slice(1)
    while (keys.length > 1 && isNone(keys.at(-1)!, keys.at(-2)!)) keys = keys.slice(0, -1)
    return keys
  }
  while (keys.length > wanted)
    keys = lines.get(keys[0]!)!.mass < lines.get(keys.at(-1)!)!.mass ? keys.slice(1) : keys.slice(0, -1)
  return keys
}

interface Grown {
  readonly rows: readonly number[]
  readonly columns: readonly number[]
  /** Lines that were put before the first one that was found. */
  readonly above: number
  readonly before: number
}

/** Lines that are wanted and have no core: in gaps first, then at the side with more tissue, of equals behind. */
function grow(
  at: { readonly rows: readonly number[]; readonly columns: readonly number[] },
  wanted: { readonly rows: number | null; readonly columns: number | null },
  tissue: (row: number, column: number) => number,
): Grown {
  const along = (lines: readonly number[], count: number | null, massAt: (line: number) => number) => {
    const all = [...lines]
    let before = 0
    while (count !== null && all.length < count) {
      const [first, last] = [all[0]! - 1, all.at(-1)! + 1]
      if (massAt(first) > massAt(last)) {
        all.unshift(first)
        before += 1
      } else all.push(last)
    }
    return { all, before }
  }
  const sum = (of: readonly number[], mass: (line: number) => number): number => of.reduce((all, line) => all + mass(line), 0)
  const rows = along(at.rows, wanted.rows, (row) => sum(at.columns, (column) => tissue(row, column)))
  const columns = along(at.columns, wanted.columns, (column) => sum(at.rows, (row) => tissue(row, column)))
  return { rows: rows.all, columns: columns.all, above: rows.before, before: columns.before }
}

/** Neighbours whose own places tell where a core is expected. */
const mostNeighbours = 6

function expectedAt(frame: Frame, { rows, columns }: Grown, cores: readonly Indexed<Candidate>[], row: number, column: number) {
  const here = inMap(frame, rows[row]!, columns[column]!)
  const near = cores
    .filter((core) => core.row !== row || core.column !== column)
    .map((core) => ({ core, far: Math.hypot(core.row - row, core.column - column) }))
    .sort((a, b) => a.far - b.far || a.core.row - b.core.row || a.core.column - b.core.column)
    .slice(0, mostNeighbours)
  const off = (axis: 'x' | 'y'): number =>
    median(near.map(({ core }) => core.place[axis] - inMap(frame, rows[core.row]!, columns[core.column]!)[axis]))
  return { x: here.x + off('x'), y: here.y + off('y') }
}

/** The side of a position's cell, shorter one. */
export const cellOf = ({ right, down }: Frame): number =>
  Math.min(distance(right, { x: 0, y: 0 }), distance(down, { x: 0, y: 0 }))
