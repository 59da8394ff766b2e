// The objects that a view lists by their classes, or by the regions that hold them: how many there are, and what a column is like in each.
import { densitiesOf } from '../../app/contract'
import type { Areas, Shape, TableGroup } from '../../app/contract'
import { boxOf, holderOf } from '../base/shapes'
import type { Columns } from './columns'
import { ascendingOf, statisticsOf } from './figures'

/** A region of interest, as the document has it, with what of it the run looked at. */
export interface NamedArea extends Areas {
  readonly name: string
  readonly shape: Shape
  /** Whether the run did: of another region there is nothing to tell, and not nothing to find. */
  readonly isLookedAt: boolean
}

type Read = Pick<Columns, 'values' | 'classes' | 'find'>

/** Those of no class last, under no name; classes of which there is none are told, too. `areas`: what was looked at. O(rows · log rows). */
export function byClass(table: Read, ranks: Uint32Array, key: string, areas: Areas): TableGroup[] {
  if (!table.find('class')) return []
  const classAt = table.values('class')
  const names = [...table.classes.map(({ label }) => label), '']
  const own = names.map((): number[] => [])
  const none = names.length - 1
  for (const rank of ranks) own[Math.min(classAt[rank]!, none)]!.push(rank)
  return names.flatMap((name, at) =>
    at === none && own[at]!.length === 0 ? [] : [groupOf(table, name, Uint32Array.from(own[at]!), key, areas)],
  )
}

/** An object is in each region that holds its centroid. O(rows · regions whose boxes hold it). */
export function byRegion(table: Read, ranks: Uint32Array, key: string, areas: readonly NamedArea[]): TableGroup[] {
  const [xs, ys] = [table.values('x'), table.values('y')]
  return areas.map(({ name, shape, isLookedAt, ...looked }) => {
    if (!isLookedAt) return { name, rows: null, ...densitiesOf(null, looked), statistics: null }
    const { minX, minY, maxX, maxY } = boxOf(shape)
    const holds = holderOf(shape)
    const inside = ranks.filter((rank) => {
      const [x, y] = [xs[rank]!, ys[rank]!]
      return x >= minX && x < maxX && y >= minY && y < maxY && holds(x, y)
    })
    return groupOf(table, name, inside, key, looked)
  })
}

function groupOf(table: Read, name: string, ranks: Uint32Array, key: string, areas: Areas): TableGroup {
  const values = table.values(key)
  const statistics = statisticsOf(ascendingOf(ranks, values))
  return { name, rows: ranks.length, ...densitiesOf(ranks.length, areas), statistics }
}
