// Two label images of one slide held against each other row by row, on the grid of pixels that their runs analysed: what overlapOf gives of
// outlines, of two exports.
import type { Region } from '../../app/contract'
import { EngineError } from '../base/errors'
import { regionOnSlide } from '../run/plan/plan'
import { breather } from '../base/breather'
import type { Overlap, Pair } from './overlap'

export interface LabelImage {
  /** For messages: its file. */
  readonly name: string
  /** Level-0 px that it shows, one each. */
  readonly region: Region
  /** How many objects its run had: their numbers go from 1 to this. */
  readonly objects: number
  /** The number of the object at each px of a row from the image's top, 0: none; good until another is asked for. */
  row(y: number): Promise<ArrayLike<number>>
}

/** Objects in raster order of their first pixels. */
export interface LabelObjects {
  /** Their numbers in the image. */
  readonly ids: Float64Array
  /** Centroids, level-0 px, of what lies in the common region. */
  readonly x: Float64Array
  readonly y: Float64Array
}
export interface ComparedLabels {
  /** Level-0 px: what both images show. */
  readonly region: Region
  readonly overlap: Overlap
  readonly a: LabelObjects
  readonly b: LabelObjects
}

/** What a Map holds, less a margin. */
const mostObjects = 16_000_000
/** An object whose first pixel lies outside the common region. */
const elsewhere = -1

/** Along an axis: px of the analysed grid from `first` on, and the first px of the image that shows each. */
interface Axis {
  readonly first: number
  readonly at: readonly number[]
}

/** Division by a scale such as 2.0007 must not push a whole number over the edge. */
const slack = 1e-7

/**
 * The px that were analysed of a run's region [start, start + size), which is the least that holds them; each is shown by one px of the image or
 * more. Below a scale of 1 the slide's px are what can be told apart.
 */
function axisOf(start: number, size: number, scale: number): Axis {
  const first = Math.ceil(start / scale - slack)
  const count = Math.floor((start + size) / scale + slack) - first
  const shows = (x: number): number => Math.floor((x + 0.5) / scale)
  const at: number[] = []
  for (let cell = first; cell < first + count; cell++) {
    let x = Math.max(start, Math.ceil(cell * scale - 0.5))
    while (shows(x) < cell) x++
    while (x > start && shows(x - 1) === cell) x--
    at.push(Math.min(x, start + size - 1) - start)
  }
  return { first, at }
}

const axesOf = ({ region }: LabelImage, scale: number): { x: Axis; y: Axis } => ({
  x: axisOf(region.x, region.width, scale),
  y: axisOf(region.y, region.height, scale),
})

/** Numbers that become more. */
class Column {
  values = new Float64Array(1024)
  length = 0
  push(value: number): void {
    if (this.length === this.values.length) {
      const longer = new Float64Array(2 * this.length)
      longer.set(this.values)
      this.values = longer
    }
    this.values[this.length++] = value
  }
  cut(): Float64Array {
    return this.values.slice(0, this.length)
  }
}

/** One of the images on its way from top to bottom. */
class Side {
  readonly ids = new Column()
  readonly areas = new Column()
  readonly sumX = new Column()
  readonly sumY = new Column()
  /** Of the last row: the place of the object at each px of the common region, + 1; 0: none. */
  readonly here: Int32Array
  private readonly placeById = new Map<number, number>()
  /** Where the common region begins: in the grid, and in this image's columns. */
  private readonly first: number
  private readonly left: number

  constructor(
    private readonly image: LabelImage,
    private readonly x: Axis,
    private readonly y: Axis,
    common: Axis,
  ) {
    this.here = new Int32Array(common.at.length)
    this.first = common.first
    this.left = common.first - x.first
  }

  /** How many of its rows lie above row `first` of the grid. */
  rowsAbove(first: number): number {
    return Math.max(0, first - this.y.first)
  }

  /** A row above the common region: who begins here is not of it. */
  async passOver(row: number): Promise<void> {
    const labels = await this.image.row(this.y.at[row]!)
    this.leaveOut(labels, 0, this.x.at.length)
  }

  /** A row of the common region, by its number in the grid. */
  async take(cell: number): Promise<void> {
    const labels = await this.image.row(this.y.at[cell - this.y.first]!)
    const { here, left, x } = this
    this.leaveOut(labels, 0, left)
    for (let i = 0; i < here.length;) {
      const id = labels[x.at[left + i]!]!
      const begin = i
      do i++
      while (i < here.length && labels[x.at[left + i]!] === id)
      const place = id === 0 ? elsewhere : (this.placeById.get(id) ?? this.newcomer(id))
      here.fill(place + 1, begin, i)
      if (place === elsewhere) continue
      const count = i - begin
      this.areas.values[place]! += count
      this.sumX.values[place]! += count * (this.first + (begin + i - 1) / 2)
      this.sumY.values[place]! += count * cell
    }
    this.leaveOut(labels, left + here.length, x.at.length)
  }

  /** Of columns that lie outside: objects that are seen there first. */
  private leaveOut(labels: ArrayLike<number>, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const id = labels[this.x.at[i]!]!
      if (id !== 0 && !this.placeById.has(id)) this.register(id, elsewhere)
    }
  }

  private newcomer(id: number): number {
    const place = this.ids.length
    this.register(id, place)
    this.ids.push(id)
    for (const column of [this.areas, this.sumX, this.sumY]) column.push(0)
    return place
  }

  private register(id: number, place: number): void {
    const { name, objects } = this.image
    if (id < 0 || id > objects)
      throw new EngineError(
        'INVALID_PARAMETER',
        `expected numbers of objects from 1 to ${objects}, as its run.json says, in ${name} but received ${id}`,
      )
    if (this.placeById.size >= mostObjects)
      throw new EngineError(
        'INVALID_PARAMETER',
        `${name} has more than ${mostObjects} objects: compare runs of a part of the slide.`,
      )
    this.placeById.set(id, place)
  }

  /** `scale`: of the grid. */
  found(scale: number): LabelObjects {
    const areas = this.areas.cut()
    const mean = (sums: Column): Float64Array => sums.cut().map((sum, i) => (sum / areas[i]! + 0.5) * scale)
    return { ids: this.ids.cut(), x: mean(this.sumX), y: mean(this.sumY) }
  }
}

/** How many px each two objects share, as chains: of each object of A its pairs one after the other. */
class Pairs {
  private readonly heads = new Column()
  private readonly next = new Column()
  private readonly other = new Column()
  private readonly pixels = new Column()

  add(a: number, b: number, pixels: number): void {
    while (this.heads.length <= a) this.heads.push(-1)
    let at = this.heads.values[a]!
    while (at >= 0 && this.other.values[at] !== b) at = this.next.values[at]!
    if (at >= 0) {
      this.pixels.values[at]! += pixels
      return
    }
    this.next.push(this.heads.values[a]!)
    this.heads.values[a] = this.other.length
    this.other.push(b)
    this.pixels.push(pixels)
  }

  list(): Pair[] {
    const pairs: Pair[] = []
    for (let a = 0; a < this.heads.length; a++)
      for (let at = this.heads.values[a]!; at >= 0; at = this.next.values[at]!)
        pairs.push({ a, b: this.other.values[at]!, pixels: this.pixels.values[at]! })
    return pairs
  }
}

function commonOf(a: Axis, b: Axis): Axis | null {
  const first = Math.max(a.first, b.first)
  const end = Math.min(a.first + a.at.length, b.first + b.at.length)
  return first < end ? { first, at: a.at.slice(first - a.first, end - a.first) } : null
}

/**
 * Compared is what both images show; objects count whose first pixel there (raster order) is their first of all. `scale`: level-0 px per px of
 * the grid that both runs analysed; below 1 level-0 px are compared. Each row is read once, from the top; memory: two rows, some 80 bytes an
 * object and 32 a pair. Throws INVALID_PARAMETER.
 */
export async function compareLabels(
  a: LabelImage,
  b: LabelImage,
  analysedScale: number,
  { signal, progress }: { signal?: AbortSignal | undefined; progress?: ((done: number) => void) | undefined } = {},
): Promise<ComparedLabels> {
  const scale = Math.max(1, analysedScale)
  const [axesA, axesB] = [axesOf(a, scale), axesOf(b, scale)]
  const x = commonOf(axesA.x, axesB.x)
  const y = commonOf(axesA.y, axesB.y)
  if (!x || !y) throw new EngineError('INVALID_PARAMETER', 'The two runs looked at different parts of the slide.')
  const [sideA, sideB] = [new Side(a, axesA.x, axesA.y, x), new Side(b, axesB.x, axesB.y, x)]
  const breathe = breather(signal)
  for (const side of [sideA, sideB])
    for (let row = 0; row < side.rowsAbove(y.first); row++) {
      await side.passOver(row)
      await breathe()
    }
  const pairs = new Pairs()
  let both = 0
  const [inA, inB] = [sideA.here, sideB.here]
  for (let row = 0; row < y.at.length; row++) {
    await sideA.take(y.first + row)
    await sideB.take(y.first + row)
    for (let i = 0; i < inA.length;) {
      const [own, other] = [inA[i]!, inB[i]!]
      const begin = i
      do i++
      while (i < inA.length && inA[i] === own && inB[i] === other)
      if (own === 0 || other === 0) continue
      both += i - begin
      pairs.add(own - 1, other - 1, i - begin)
    }
    progress?.((row + 1) / y.at.length)
    await breathe()
  }
  const areas = { a: sideA.areas.cut(), b: sideB.areas.cut() }
  const sum = (values: Float64Array): number => values.reduce((all, value) => all + value, 0)
  return {
    region: regionOnSlide({ scale }, { x: x.first, y: y.first, width: x.at.length, height: y.at.length }),
    overlap: { areas, covered: { a: sum(areas.a), b: sum(areas.b), both }, pairs: pairs.list() },
    a: sideA.found(scale),
    b: sideB.found(scale),
  }
}
