// One table a region of interest: what each is called, and which of a run's objects it holds.
import { isDeepStrictEqual } from 'node:util'
import type { ExportFile } from '../../../app/contract'
import { EngineError } from '../../base/errors'
import type { ObjectList } from '../../run/objects/objectList'
import type { RunResult } from '../../run/objects/result'
import type { ObjectRegions } from '../exporter'
import { namePart } from '../names'

/** Of files in one folder: more are no tables that anybody reads. */
const mostRegions = 1000

export const isTable = (file: ExportFile): boolean => file === 'objects.csv' || file === 'objects.parquet'

export interface RegionPart {
  /** What stands in the file's name for the region. */
  readonly stem: string
  /** Those whose centroids it holds; their numbers are the run's. */
  readonly objects: () => ObjectList
}

/**
 * Of each region of which the run has seen at least a part, the lowest first; what is not there, or not whole, is told in `warnings`.
 * INVALID_PARAMETER: there are more than a thousand. O(objects and the regions that hold them).
 */
export function regionParts(result: RunResult, regions: ObjectRegions | null, warnings: string[]): RegionPart[] {
  if (!regions) {
    warnings.push('There is no table by region: the slide has no region of interest with an area.')
    return []
  }
  const { areas, holders, at } = regions
  if (areas.length > mostRegions)
    throw new EngineError(
      'INVALID_PARAMETER',
      `A table for each region would be ${areas.length} files; ${mostRegions} are the most. Export without them: the column "regions" says the same.`,
    )
  const { region } = result.status
  const { shapes } = result
  const seen = areas.map(({ box, shape }) => {
    // A run within shapes looked at these alone, whatever its box holds beside them.
    const isOne = shapes?.some((each) => isDeepStrictEqual(each, shape))
    if (isOne !== undefined) return { some: isOne, all: isOne }
    return {
      some:
        box.maxX > region.x && box.maxY > region.y && box.minX < region.x + region.width && box.minY < region.y + region.height,
      all:
        box.minX >= region.x &&
        box.minY >= region.y &&
        box.maxX <= region.x + region.width &&
        box.maxY <= region.y + region.height,
    }
  })
  const names = stems(areas.map(({ title }) => title))
  const places: number[][] = areas.map(() => [])
  for (const [place, id] of result.objects.ids.entries()) for (const area of holders[at[id] ?? 0]!) places[area]!.push(place)
  const list = (which: readonly number[]): string => which.map((i) => names[i]).join(', ')
  const unseen = areas.flatMap((_, i) => (seen[i]!.some ? [] : [i]))
  if (unseen.length > 0) warnings.push(`The run has not looked at these regions, which have no table: ${list(unseen)}.`)
  const partly = areas.flatMap((_, i) => (seen[i]!.some && !seen[i]!.all ? [i] : []))
  if (partly.length > 0) warnings.push(`The run may have looked at a part only of these regions: ${list(partly)}.`)
  return areas.flatMap((_, i) =>
    seen[i]!.some ? [{ stem: names[i]!, objects: () => result.objects.only(Uint32Array.from(places[i]!)) }] : [],
  )
}

/** Of titles, as parts of files' names that every system takes: two that would be one have numbers, also where a system knows no case. */
export function stems(titles: readonly string[]): string[] {
  const taken = new Set<string>()
  return titles.map((title) => {
    const plain = namePart(title, 'region')
    let stem = plain
    for (let n = 2; taken.has(stem.toLowerCase()); n++) stem = `${plain}-${n}`
    taken.add(stem.toLowerCase())
    return stem
  })
}
