// Objects of a run with their holes filled, grown or shrunk: each is made anew of its pixels, in one step of history.
import { noun } from '../../../app/contract'
import type { ObjectChoice, ObjectReshape, ReshapedObjects } from '../../../app/contract'
import type { Resolution } from '../../recipe/resolve'
import type { RunObject } from '../../run/objects/result'
import type { Run } from '../../run/run'
import { filled, grown, growthWork, reachOf, shrunk } from './growth'
import type { Disc } from './growth'
import type { KeptRuns } from '../kept/keptRuns'
import type { Runs } from './pixels'
import type { Projects } from '../projects'
import { rectOf, refuse, runsOf } from '../outline/objects'
import { mostSplit, ranksIn, replaced } from './reshape'
import type { Replacement } from './made'

/** Steps of one growth: half a second. */
const mostWork = 2 ** 28
const mostReachPx = 500

/** Throws INVALID_PARAMETER where nothing would change, or where it is too much for one step. */
export async function reshapeObjects(
  kept: KeptRuns,
  projects: Projects,
  run: Run,
  choice: ObjectChoice,
  how: ObjectReshape,
  signal?: AbortSignal,
): Promise<ReshapedObjects> {
  const ranks = ranksIn(kept.chosen(run, choice))
  if (ranks.length === 0) throw refuse('There is no object to change: it was deleted, or none lies there.')
  if (ranks.length > mostSplit) throw refuse(`The outlines of at most ${mostSplit} objects can change at a time.`)
  const disc = how.type === 'fill' ? none : discOf(how, run.draft.resolution)
  const list = run.objects.all()
  const objects = ranks.map((rank) => list.at(rank))
  requireWork(objects, reachOf(disc))
  const parts = partsOf(run, objects, how, disc)
  const changed = parts.flatMap((each, i): Replacement[] =>
    each === null || each.length === 0 ? [] : [{ ranks: [ranks[i]!], parts: each }],
  )
  const gone = parts.filter((each) => each?.length === 0).length
  if (changed.length === 0) throw refuse(noChange(how, gone))
  const name = nameOf(how, changed.length)
  const first = await replaced(kept, projects, run, changed, name, signal)
  return {
    name,
    objects: changed.length,
    made: changed.reduce((sum, each) => sum + each.parts.length, 0),
    first: first + 1,
    gone,
    severed: changed.filter((each) => each.parts.length > 1).length,
    asTheyAre: ranks.length - changed.length - gone,
  }
}

const none: Disc = { squared: 0, across: 1, down: 1 }

/**
 * What a radius reaches, in px of the analysed image: the radius squared, rounded to whole squares of the pixel's shorter side, so that a radius
 * that is a hair less than a pixel is one. µm go by axis where pixels are not square.
 */
export function discOf(
  { by, unit }: Extract<ObjectReshape, { readonly by: number }>,
  { analysedMpp, scale, aspect }: Pick<Resolution, 'analysedMpp' | 'scale' | 'aspect'>,
): Disc {
  if (unit === 'um' && analysedMpp === null) throw refuse('The slide has no pixel size: say the amount in px.')
  const px = unit === 'um' ? by / analysedMpp! : by / scale
  const [across, down] = unit === 'um' ? [aspect, 1 / aspect] : [1, 1]
  const least = Math.min(across, down)
  const disc = { squared: Math.round((px * px) / least) * least, across, down }
  const inUnit = (analysed: number): string =>
    `${Number((analysed * Math.sqrt(least) * (unit === 'um' ? analysedMpp! : scale)).toPrecision(3))} ${unit === 'um' ? 'µm' : 'px'}`
  if (disc.squared < least)
    throw refuse(`That is less than a pixel of the analysed image, which is ${inUnit(1)}: nothing would change.`)
  if (reachOf(disc) > mostReachPx) throw refuse(`Objects grow or shrink by at most ${inUnit(mostReachPx)} at a time.`)
  return disc
}

function requireWork(objects: readonly RunObject[], reach: number): void {
  const work = objects.reduce((sum, { minX, minY, maxX, maxY }) => sum + growthWork(maxX - minX + 3, maxY - minY + 3, reach), 0)
  if (work > mostWork) throw refuse('That is too much for one step: choose fewer objects, or a smaller amount.')
}

/** Of each object; null: as it is, []: nothing is left. */
function partsOf(run: Run, objects: readonly RunObject[], how: ObjectReshape, disc: Disc): (readonly Runs[] | null)[] {
  const own = runsOf(objects)
  if (how.type === 'shrink') return own.map((runs) => usable(shrunk(runs, disc)))
  const places = new Map(objects.map(({ id }, i) => [id, i]))
  /** What lies near one of them: those of the choice by their places, and the others. */
  const near = (i: number, margin: number): { chosen: number[]; others: Runs[] } => {
    const around = run.objects.inRect(rectOf([objects[i]!], margin)).filter(({ id }) => id !== objects[i]!.id)
    return {
      chosen: around.flatMap(({ id }) => places.get(id) ?? []),
      others: runsOf(around.filter(({ id }) => !places.has(id))),
    }
  }
  if (how.type === 'grow') {
    const { grid } = run.draft
    return own.map((runs, i) => {
      const { chosen, others } = near(i, 2 * reachOf(disc))
      const rivals = (isBefore: boolean): Runs[] => chosen.filter((each) => each < i === isBefore).map((each) => own[each]!)
      const now = usable(grown(runs, { before: rivals(true), after: rivals(false), others }, disc, grid))
      return now && [now]
    })
  }
  // Of one inside another's hole the inner one is first: its own holes are its own.
  const area = ({ minX, minY, maxX, maxY }: RunObject): number => (maxX - minX + 1) * (maxY - minY + 1)
  const order = objects.map((_, i) => i).sort((a, b) => area(objects[a]!) - area(objects[b]!) || a - b)
  const now = [...own]
  const parts: (readonly Runs[] | null)[] = own.map(() => null)
  for (const i of order) {
    const { chosen, others } = near(i, 0)
    const whole = usable(filled(own[i]!, [...others, ...chosen.map((each) => now[each]!)]))
    if (!whole) continue
    now[i] = whole
    parts[i] = [whole]
  }
  return parts
}

function usable<T>(pixels: T | 'large'): T {
  if (pixels === 'large') throw refuse('An object reaches too far to be looked at.')
  return pixels
}

const counted = (n: number): string => (n === 1 ? 'an object' : `${n.toLocaleString('en')} ${noun(n, 'object')}`)
const amountOf = ({ by, unit }: { by: number; unit: 'um' | 'px' }): string => `${by} ${unit === 'um' ? 'µm' : 'px'}`

function nameOf(how: ObjectReshape, objects: number): string {
  if (how.type === 'fill') return `Fill holes of ${counted(objects)}`
  return `${how.type === 'grow' ? 'Grow' : 'Shrink'} ${counted(objects)} by ${amountOf(how)}`
}

function noChange(how: ObjectReshape, gone: number): string {
  if (how.type === 'fill') return 'None of them has a hole that is nobody’s.'
  if (how.type === 'grow') return 'None of them can grow: other objects, or the image’s edge, are all around.'
  return gone === 1
    ? 'Nothing would be left of it: it stays as it is.'
    : 'Nothing would be left of any of them: they stay as they are.'
}
