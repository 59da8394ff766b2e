// What an option's text may be: numbers within limits, options that stand several times.
import { InvalidArgumentError, Option } from 'commander'
import { HotSpotField, usualHotSpot } from '../contract'
import type { Origin } from '../contract'

/** A number from `low` to `high`. */
export const within =
  (low: number, high: number, whole: boolean) =>
  (text: string): number => {
    const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN
    if (value >= low && value <= high && (!whole || Number.isInteger(value))) return value
    throw new InvalidArgumentError(
      `expected ${whole ? 'a whole number' : 'a number'} from ${low} to ${high} but received ${text}`,
    )
  }

/** Of an option that may be repeated. */
export const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value]

/** QuPath crops Leica's and MIRAX's slides to what the file calls their bounds. */
export const originOption = (which: string): Option =>
  new Option('--origin <where>', `where coordinates begin${which}: slide, or bounds as QuPath has it (default: slide)`).choices([
    'slide',
    'bounds',
  ])

/** Of a file of objects that says not where it lies. */
export const placeOption = {
  origin:
    'where coordinates begin if a file does not say so: slide, or bounds as QuPath has it (default: slide). Of a label image X,Y in px of the slide',
  scale:
    'of a label image: how many px of the slide a px of it is. Default: 1, where it has the size of the slide or a corner is given',
} as const

/** "slide", "bounds", or "100,-20.5". */
export function originOrCorner(text: string): Origin | { x: number; y: number } {
  if (text === 'slide' || text === 'bounds') return text
  const [x, y] = text.split(',').map((each) => (/^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(each) ? Number(each) : NaN))
  if (text.split(',').length === 2 && Math.max(Math.abs(x!), Math.abs(y!)) <= 2 ** 26) return { x: x!, y: y! }
  throw new InvalidArgumentError(`expected slide, bounds, or two numbers X,Y but received ${text}`)
}

/** Of commands that open slides. */
export const channelOption = [
  '--channel <name|n>',
  "of a slide of several channels the one that is analysed, by its name or number (default: by a nuclear stain's name, else the first)",
] as const

/** Of commands that write objects. */
export const classByOption = [
  '--class-by <limit>',
  'classes by a limit on a measurement of the table, "CD8 mean > 1200", or by three: "DAB mean > 0.2,0.4,0.6". Said again, a class is by a limit on each together',
  collect,
] as const

/** What a search may make grow. */
export const searchMeasures = ['aji', 'dice', 'pq', 'f1'] as const

/** "300" or "300,50". */
function hotSpotField(text: string): HotSpotField {
  const [diameterUm, leastObjects = usualHotSpot.leastObjects, ...more] = text
    .split(',')
    .map((each) => (each.trim() === '' ? NaN : Number(each)))
  const field = HotSpotField.safeParse({ diameterUm, leastObjects })
  if (field.success && more.length === 0) return field.data
  throw new InvalidArgumentError(`expected µm from 100 to 20000, and after a comma a number of objects, but received ${text}`)
}

/** Of commands that write what a run comes to. */
export const hotSpotOption = [
  '--hot-spot <um[,n]>',
  'the circle where the share of positive objects is highest: µm across, and how many classified objects it holds at least (default: 500,100)',
  hotSpotField,
] as const
