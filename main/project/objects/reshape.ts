// Merging objects of a run, and splitting them along a line: what people made stands in for what it was made of, in one step of history.
import type { DocumentCommand, Line, ObjectChoice } from '../../../app/contract'
import type { RunObject } from '../../run/objects/result'
import type { Run } from '../../run/run'
import { rankSetOf } from './edits'
import type { KeptRuns } from '../kept/keptRuns'
import { madeOf } from './made'
import type { Replacement } from './made'
import { merged } from '../outline/merge'
import { rectOf, refuse, runsOf } from '../outline/objects'
import { cutAlong, pixelsOnLine } from './pixels'
import type { Projects } from '../projects'

/** Of one step. */
const mostMerged = 1000
export const mostSplit = 500
/** Analysed px of a line. */
const mostLinePx = 200_000

/** One object of those that are chosen. `object`: its number. Throws INVALID_PARAMETER where they lie apart. */
export async function mergeObjects(
  kept: KeptRuns,
  projects: Projects,
  run: Run,
  choice: ObjectChoice,
  signal?: AbortSignal,
): Promise<{ name: string; object: number }> {
  const ranks = ranksIn(kept.chosen(run, choice))
  if (ranks.length < 2) throw refuse('Choose two objects or more: they become one.')
  if (ranks.length > mostMerged) throw refuse(`At most ${mostMerged} objects can become one at a time.`)
  const list = run.objects.all()
  const objects = ranks.map((rank) => list.at(rank))
  const own = new Set(objects.map(({ id }) => id))
  const others = run.objects.inRect(rectOf(objects, 2)).filter(({ id }) => !own.has(id))
  const pixels = merged(runsOf(objects), runsOf(others))
  if (pixels === 'large') throw refuse('These objects reach too far to be looked at together.')
  if (pixels === 'apart')
    throw refuse('These objects do not touch: only those that lie apart by two px of the analysed image at most become one.')
  if (pixels === 'corner')
    throw refuse('These objects touch at corners only, where other objects have the pixels beside: they cannot be one piece.')
  const name = `Merge ${ranks.length} objects`
  const at = await replaced(kept, projects, run, [{ ranks, parts: [pixels] }], name, signal)
  return { name, object: at + 1 }
}

/** Every object that the line cuts through becomes its parts. `objects`: how many are split. Throws INVALID_PARAMETER where there is none. */
export async function splitObjects(
  kept: KeptRuns,
  projects: Projects,
  run: Run,
  line: Line,
  signal?: AbortSignal,
): Promise<{ name: string; objects: number }> {
  kept.requireDone(run)
  const { scale } = run.draft.grid
  const cut = pixelsOnLine(
    line.map(([x, y]) => [x / scale, y / scale] as const),
    mostLinePx,
  )
  const near = run.objects.inRect(boxAround(cut))
  const found = near.flatMap((object) => {
    const parts = meets(object, cut) ? cutAlong(object.runs, cut) : null
    return parts ? [{ object, parts }] : []
  })
  if (found.length === 0) throw refuse('The line cuts through no object: draw it from one side of an object to the other.')
  if (found.length > mostSplit) throw refuse(`A line can split at most ${mostSplit} objects.`)
  const { ids } = run.objects.all()
  const replacements = found.map(({ object, parts }) => ({ ranks: [ids.indexOf(object.id!)], parts }))
  const name = found.length === 1 ? 'Split an object' : `Split ${found.length} objects`
  await replaced(kept, projects, run, replacements, name, signal)
  return { name, objects: found.length }
}

/** One step: the parts are made, have the class by hand that all of their sources have, and those are deleted. The first part's rank. */
export async function replaced(
  kept: KeptRuns,
  projects: Projects,
  run: Run,
  replacements: readonly Replacement[],
  name: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  const id = await kept.keep(projects, run)
  const before = projects.content.edits.get(id)
  const first = run.objects.all().length
  const made = await madeOf(run, replacements, signal)
  if (projects.content.edits.get(id) !== before) throw refuse('The objects were changed meanwhile. Try again.')
  const length = first + made.reduce((sum, { objects }) => sum + objects, 0)
  const deleted = new Uint8Array(length)
  const classes = new Map<number, Uint8Array>()
  let next = first
  for (const { ranks, parts } of replacements) {
    const own = new Set(ranks.map((rank) => before?.byHand[rank] ?? 0))
    const [byHand = 0] = own.size === 1 ? own : []
    for (const rank of ranks) deleted[rank] = 1
    if (byHand !== 0) {
      if (!classes.has(byHand)) classes.set(byHand, new Uint8Array(length))
      classes.get(byHand)!.fill(1, next, next + parts.length)
    }
    next += parts.length
  }
  const sets = [...classes].map(([byHand, mask]) => ({ classId: before!.ids[byHand - 1]!, ranks: rankSetOf(mask) }))
  const command: DocumentCommand = {
    type: 'together',
    name,
    commands: [
      ...made.map((each) => ({ type: 'objects:make' as const, run: id, made: each })),
      ...(sets.length > 0 ? [{ type: 'objects:classify' as const, run: id, sets }] : []),
      ...(deleted.includes(1) ? [{ type: 'objects:delete' as const, run: id, ranks: rankSetOf(deleted) }] : []),
    ],
  }
  await projects.do(command, run.draft.slide)
  return first
}

/** Of those that are marked, in order. */
export function ranksIn(mask: Uint8Array): number[] {
  const ranks: number[] = []
  for (let rank = 0; rank < mask.length; rank++) if (mask[rank]) ranks.push(rank)
  return ranks
}

function boxAround(pixels: readonly (readonly [number, number])[]): { x: number; y: number; width: number; height: number } {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of pixels) {
    ;[x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x + 1), Math.max(y1, y + 1)]
  }
  const [x, y] = [Math.max(0, x0), Math.max(0, y0)]
  return { x, y, width: Math.max(1, x1 - x), height: Math.max(1, y1 - y) }
}

const meets = ({ minX, minY, maxX, maxY }: RunObject, pixels: readonly (readonly [number, number])[]): boolean =>
  pixels.some(([x, y]) => x >= minX && x <= maxX && y >= minY && y <= maxY)
