// An object's pixels with its holes filled, grown and shrunk by a disc. Analysed px, exact, no pixel taken from another object. Pure.
import { Box, leastPartPx } from './pixels'
import type { Runs } from './pixels'

/** Width and height: what is not on the image is nobody's. */
export interface Extent {
  readonly widthPx: number
  readonly heightPx: number
}

/** What lies within a radius: across · dx² + down · dy² ≤ squared. Pixels that are not square weigh their axes; both are 1 else. */
export interface Disc {
  readonly squared: number
  readonly across: number
  readonly down: number
}
/** A number is one of square pixels. */
const discOf = (disc: Disc | number): Disc => (typeof disc === 'number' ? { squared: disc, across: 1, down: 1 } : disc)

/** Whole px that lie within, of which each weighs so much; rounding takes none away. */
const stepsIn = (squared: number, weight: number): number => Math.floor(Math.sqrt(squared / weight) + 1e-9)

/** Whole px that a disc reaches, along the axis where that is more. */
export function reachOf(disc: Disc | number): number {
  const { squared, across, down } = discOf(disc)
  return stepsIn(squared, Math.min(across, down))
}

/** What a growth looks at, in steps: the work of it is bounded before it is begun. */
export const growthWork = (width: number, height: number, reach: number): number =>
  (width + 4 * reach) * (height + 4 * reach) * (1 + reach)

/**
 * With every pixel that it encloses: from which no path of pixels side by side leads out without crossing it. Pixels of `others` stay
 * theirs, and so does what they alone part from it: what is added holds on to it by sides. null: there is no such pixel. O(box).
 */
export function filled(own: Runs, others: readonly Runs[]): Runs | null | 'large' {
  const box = Box.around([own], 1)
  if (!box) return 'large'
  box.paint(own, 1)
  // From the rim, which is outside, to all that it touches side by side: an object's own pixels touch at corners too.
  box.data[0] = outside
  const open = [0]
  for (const place of open) {
    const x = place % box.width
    const beside = [x > 0 ? place - 1 : -1, x + 1 < box.width ? place + 1 : -1, place - box.width, place + box.width]
    for (const next of beside)
      if (box.data[next] === 0) {
        box.data[next] = outside
        open.push(next)
      }
  }
  const taken = new Box(box.x, box.y, box.width, box.height)
  for (const runs of others) taken.paint(runs, 1)
  let gained = false
  box.data.forEach((value, place) => {
    if (value === 0 && taken.data[place] === 0) {
      box.data[place] = gain
      gained = true
    } else if (value !== 1) box.data[place] = 0
  })
  return gained ? joined(box, own) : null
}
const outside = -2
const gain = 2

/**
 * With every pixel that has one of its own within the disc, is on the image and no other object's, and is nearer to it
 * than to any of `before` and `after`, which grow with it: of equally near ones `before` has it, then this. What of that is not connected
 * with it side by side is nobody's. `others`: all objects else. null: no pixel more. O(box · reach).
 */
export function grown(
  own: Runs,
  {
    before,
    after,
    others,
  }: { readonly before: readonly Runs[]; readonly after: readonly Runs[]; readonly others: readonly Runs[] },
  disc: Disc | number,
  extent: Extent,
): Runs | null | 'large' {
  const reach = reachOf(disc)
  // Who is nearer to a pixel that it reaches is within twice the reach.
  const box = Box.around([own], 2 * reach)
  if (!box) return 'large'
  for (const runs of others) box.paint(runs, stranger)
  for (const runs of before) box.paint(runs, 1)
  for (const runs of after) box.paint(runs, 3)
  box.paint(own, 2)
  const gained: number[] = []
  eachNear(box, discOf(disc), reach, (place, owner) => {
    const x = (place % box.width) + box.x
    const y = Math.floor(place / box.width) + box.y
    const isOn = x >= 0 && y >= 0 && x < extent.widthPx && y < extent.heightPx
    if (owner === 2 && isOn && box.data[place] === 0) gained.push(place)
  })
  if (gained.length === 0) return null
  box.data.fill(0)
  box.paint(own, 1)
  for (const place of gained) box.data[place] = gain
  return joined(box, own)
}
const stranger = -1

/**
 * The pixels around which the whole disc is its own, each connected part for itself, in raster order of first pixels: the largest (of equals the
 * first), and those of a few px or more. Parts hold together by sides, and by those corners alone that held the object together before. [] where
 * nothing is left. O(box · reach).
 */
export function shrunk(own: Runs, disc: Disc | number): Runs[] | 'large' {
  // What is not its own is nearest on the rim, if not nearer.
  const box = Box.around([own], 1)
  if (!box) return 'large'
  box.data.fill(1)
  box.paint(own, stranger)
  const gone: number[] = []
  eachNear(box, discOf(disc), 0, (place) => gone.push(place))
  box.data.fill(0)
  box.paint(own, 1)
  const pieces = box.pieces()
  for (const place of gone) box.data[place] = 0
  const sizes = box.numberLeft((value) => value === 1, 2, pieces)
  const largest = sizes.indexOf(Math.max(...sizes))
  const kept = sizes.flatMap((size, i) => (i === largest || size >= leastPartPx ? [i + 2] : []))
  return kept.map((part) => box.runsOf((value) => value === part))
}

/** What of the box is connected with the object side by side, itself included. null: no pixel more than it has. */
export function joined(box: Box, own: Runs): Runs | null {
  const isIn = (value: number): boolean => value > 0
  const open: number[] = []
  for (let r = 0; r < own.length; r += 3) for (let x = own[r + 1]!; x < own[r + 2]!; x++) open.push(box.at(x, own[r]!))
  const pixels = open.length
  for (const place of open) box.data[place] = found
  for (const place of open)
    for (const next of box.sides(place))
      if (isIn(box.data[next]!)) {
        box.data[next] = found
        open.push(next)
      }
  return open.length === pixels ? null : box.runsOf((value) => value === found)
}
const found = -3

/**
 * Visits the places, `margin` from the box's rim, that have a value above 0 within the disc: with the value of the nearest, the lowest of equally near
 * ones. First along rows, then across them: whole numbers throughout where pixels are square. O(box · reach).
 */
function eachNear(
  box: Box,
  { squared, across, down }: Disc,
  margin: number,
  visit: (place: number, value: number) => void,
): void {
  const { data, width, height } = box
  const reach = stepsIn(squared, across)
  // Along each row: how far the nearest value is, and which.
  const away = new Int32Array(data.length).fill(reach + 1)
  const which = new Int32Array(data.length)
  const sweep = (start: number, step: 1 | -1): void => {
    let [steps, value] = [reach + 1, 0]
    for (let n = 0, place = start; n < width; n++, place += step) {
      if (data[place]! > 0) [steps, value] = [0, data[place]!]
      else if (steps <= reach) steps += 1
      if (steps > reach || steps > away[place]!) continue
      which[place] = steps < away[place]! ? value : Math.min(which[place]!, value)
      away[place] = steps
    }
  }
  for (let y = 0; y < height; y++) {
    sweep(y * width, 1)
    sweep((y + 1) * width - 1, -1)
  }
  for (let y = margin; y < height - margin; y++)
    for (let x = margin; x < width - margin; x++) {
      const place = y * width + x
      let [least, value] = [squared + 1, 0]
      for (let dy = 0; down * dy * dy <= Math.min(least, squared); dy++)
        for (let side = 0; side < (dy === 0 ? 1 : 2); side++) {
          const row = side === 0 ? y + dy : y - dy
          if (row < 0 || row >= height) continue
          const other = row * width + x
          if (away[other]! > reach) continue
          const distance = down * dy * dy + across * away[other]! ** 2
          if (distance > least || distance > squared) continue
          value = distance < least ? which[other]! : Math.min(value, which[other]!)
          least = distance
        }
      if (value > 0) visit(place, value)
    }
}
