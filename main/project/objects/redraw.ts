// Objects that a person draws: one more where the program has none, and the outline of one as a brush leaves it. Each is one step of history.
import type { AddedObject, DrawnObject, LeftOut, ObjectDetails, ObjectStroke, RedrawnObject, Shape } from '../../../app/contract'
import { contains } from '../../base/rect'
import type { Run } from '../../run/run'
import { freePart, painted, pixelCount, pixelsIn, rubbed, sharedPixels } from './drawnPixels'
import type { KeptRuns } from '../kept/keptRuns'
import { leastPartPx } from './pixels'
import type { Runs } from './pixels'
import type { Projects } from '../projects'
import { refuse, runsOf } from '../outline/objects'
import { replaced } from './reshape'

const tooLarge = 'That reaches too far to be one object.'

/** A place where a person pointed, and the object there: null where there is none. */
export type Pointed = Extract<DrawnObject, { readonly at: unknown }>
export type Lookup = (point: Pointed) => Promise<ObjectDetails | null>

/** Of the shape what is nobody else's, as an object of its own. Throws INVALID_PARAMETER where that is less than half, or too small. */
export async function addObject(
  kept: KeptRuns,
  projects: Projects,
  run: Run,
  what: DrawnObject,
  lookup: Lookup,
  signal?: AbortSignal,
): Promise<AddedObject> {
  kept.requireDone(run)
  const drawn = drawnPixels(run, 'shape' in what ? what.shape : await shapeAt(what, lookup))
  if (pixelCount(drawn) < leastPartPx) throw refuse(`That has fewer than ${leastPartPx} px of the analysed image: no object.`)
  const others = runsOf(run.objects.inRect(rectOf(drawn, 0)))
  const pixels = freePart(drawn, others)
  if (pixels === 'large') throw refuse(tooLarge)
  if (pixelCount(pixels) < leastPartPx || 2 * pixelCount(pixels) <= pixelCount(drawn))
    throw refuse('There is an object already, over half of it or more: redraw that one, or delete it first.')
  requireSeen(run, pixels)
  const at = await replaced(kept, projects, run, [{ ranks: [], parts: [pixels] }], 'Add an object', signal)
  return { name: 'Add an object', object: at + 1, leftOut: leftOutOf(run, drawn, others, pixelCount(drawn) - pixelCount(pixels)) }
}

/** Of what was drawn: `lost` px did not become the object's. */
function leftOutOf({ draft }: Run, drawn: Runs, others: readonly Runs[], lost: number): LeftOut {
  const { analysedMpp } = draft.resolution
  const areaOf = (px: number): { px: number; um2: number | null } => ({
    px,
    um2: analysedMpp === null ? null : px * analysedMpp ** 2,
  })
  const { px, objects } = sharedPixels(drawn, others)
  return { others: { ...areaOf(px), objects }, apart: areaOf(Math.max(0, lost - px)) }
}

async function shapeAt(point: Pointed, lookup: Lookup): Promise<Shape> {
  const object = await lookup(point)
  if (!object) throw refuse('With these values there is no object at that point: change them, take the wand, or paint it.')
  // One part: rings inside each other, and those that touch at corners, by the odd number of their edges.
  return { kind: 'polygon', parts: [object.outline] }
}

/** A stroke more, or less, of an object. Throws INVALID_PARAMETER where nothing changes, or nothing would be left. */
export async function redrawObject(
  kept: KeptRuns,
  projects: Projects,
  run: Run,
  { id, how, shape }: ObjectStroke,
  signal?: AbortSignal,
): Promise<RedrawnObject> {
  if (kept.chosen(run, { ids: [id] })[id - 1] !== 1) throw refuse('That object was deleted: undo that, or choose another.')
  const rank = id - 1
  const object = run.objects.all().at(rank)
  const [own] = runsOf([object])
  const stroke = drawnPixels(run, shape)
  const others = how === 'subtract' ? [] : othersUnder(run, object.id!, stroke)
  const parts = how === 'subtract' ? rubbed(own!, stroke) : more(own!, stroke, others)
  if (parts === 'large') throw refuse(tooLarge)
  if (parts === null)
    throw refuse(
      how === 'subtract'
        ? 'The stroke is not on the object: nothing of it was rubbed out.'
        : 'Nothing to add: a stroke begins on the object or beside it, and takes nothing from other objects.',
    )
  if (parts.length === 0) throw refuse('Nothing of the object would be left. Delete it if that is meant.')
  const name = 'Redraw an object'
  const first = await replaced(kept, projects, run, [{ ranks: [rank], parts }], name, signal)
  // The largest is the one that goes on being drawn.
  const sizes = parts.map(pixelCount)
  const done = { name, object: first + 1 + sizes.indexOf(Math.max(...sizes)), made: parts.length }
  if (how === 'subtract') return done
  const under = sharedPixels(stroke, [own!]).px
  return { ...done, leftOut: leftOutOf(run, stroke, others, pixelCount(stroke) - under - (sizes[0]! - pixelCount(own!))) }
}

const othersUnder = (run: Run, id: number, stroke: Runs): Runs[] =>
  stroke.length === 0 ? [] : runsOf(run.objects.inRect(rectOf(stroke, 0)).filter((each) => each.id !== id))

function more(own: Runs, stroke: Runs, others: readonly Runs[]): Runs[] | null | 'large' {
  if (stroke.length === 0) return null
  const pixels = painted(own, stroke, others)
  return pixels === null || pixels === 'large' ? pixels : [pixels]
}

function drawnPixels(run: Run, shape: Shape): Runs {
  const { grid } = run.draft
  const pixels = pixelsIn(shape, grid.scale, grid)
  if (pixels === 'large') throw refuse(tooLarge)
  return pixels
}

function rectOf(runs: Runs, margin: number): { x: number; y: number; width: number; height: number } {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let r = 0; r < runs.length; r += 3) {
    y0 = Math.min(y0, runs[r]!)
    y1 = Math.max(y1, runs[r]! + 1)
    x0 = Math.min(x0, runs[r + 1]!)
    x1 = Math.max(x1, runs[r + 2]!)
  }
  return { x: x0 - margin, y: y0 - margin, width: x1 - x0 + 2 * margin, height: y1 - y0 + 2 * margin }
}

/** Its first pixel and its centre lie where the run looked, as those of what it found do: its figures are of that. */
function requireSeen({ order: { region, within } }: Run, pixels: Runs): void {
  let [sumX, sumY, n] = [0, 0, 0]
  for (let r = 0; r < pixels.length; r += 3) {
    const [y, x0, x1] = [pixels[r]!, pixels[r + 1]!, pixels[r + 2]!]
    sumX += ((x0 + x1 - 1) / 2) * (x1 - x0)
    sumY += y * (x1 - x0)
    n += x1 - x0
  }
  if (contains(region, pixels[1]!, pixels[0]!) && (within?.(sumX / n + 0.5, sumY / n + 0.5) ?? true)) return
  throw refuse('That lies where this result did not look: segment there, or choose another result.')
}
