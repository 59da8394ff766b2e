// Features that were read, packed into few arrays, which a thread hands over without copying them. Pure.
import type { FoundClass } from '../objects'
import type { Outline } from './outline'

/** Of so many objects, or so many numbers, one pack is made. */
const packObjects = 4096
const packNumbers = 2 ** 19

/** What is no index of a text or of a class. */
const none = -1
/** Classes that are told apart: a hostile file names no end of them. */
export const mostNames = 2 ** 15

export interface Pack {
  readonly objects: number
  /** Of all rings, x, y by twos. */
  readonly places: Float64Array
  /** Of each ring its end, in numbers; of each part its end, in rings; of each outline its end, in parts. A cell has two: of its nucleus, then its own. */
  readonly rings: Uint32Array
  readonly parts: Uint32Array
  readonly outlines: Uint32Array
  /** Of each outline: why there is none, an index of `texts`; -1: there is one. */
  readonly whys: Int32Array
  /** Of each object the number of its class, of all that were ever given, from 1; 0: none; -1: one too many. */
  readonly classes: Int16Array
  /** Of each object: 1, its outline is without parts; 2, it is a cell with a nucleus. */
  readonly marks: Uint8Array
  readonly texts: readonly string[]
  /** Those that no pack before it has. */
  readonly newClasses: readonly FoundClass[]
  /** Features that are no objects, as they are written. */
  readonly regions: readonly string[]
  /** What else is in the file, how often. */
  readonly unread: readonly (readonly [why: string, count: number])[]
}

export interface PackedObject {
  readonly outline: Outline | string
  /** Of the cell whose nucleus it is; null: it is none's. */
  readonly cell: Outline | string | null
  /** 0: none; -1: one too many. */
  readonly classAt: number
}

export class Packer {
  #places = new Float64Array(packNumbers)
  #numbers = 0
  #rings: number[] = []
  #parts: number[] = []
  #outlines: number[] = []
  #whys: number[] = []
  #classes: number[] = []
  #marks: number[] = []
  #texts: string[] = []
  readonly #textAt = new Map<string, number>()
  #newClasses: FoundClass[] = []
  readonly #classAt = new Map<string, number>()
  #regions: string[] = []
  #regionsLength = 0
  readonly #unread = new Map<string, number>()

  get isFull(): boolean {
    return this.#marks.length >= packObjects || this.#numbers >= packNumbers / 2 || this.#regionsLength >= 2 ** 21
  }

  object(outline: Outline | string, cell: Outline | string | null, name: string, color: string): void {
    const isLessened = typeof outline !== 'string' && outline.lessened
    this.#marks.push((isLessened ? 1 : 0) | (cell !== null ? 2 : 0))
    this.#classes.push(name === '' ? 0 : this.#classOf(name, color))
    this.#outline(outline)
    if (cell !== null) this.#outline(cell)
  }

  #outline(outline: Outline | string): void {
    this.#whys.push(typeof outline === 'string' ? this.#text(outline) : none)
    if (typeof outline !== 'string')
      for (const rings of outline.parts) {
        for (const ring of rings) {
          this.#room(ring.length)
          this.#places.set(ring, this.#numbers)
          this.#rings.push((this.#numbers += ring.length))
        }
        this.#parts.push(this.#rings.length)
      }
    this.#outlines.push(this.#parts.length)
  }

  region(text: string): void {
    this.#regions.push(text)
    this.#regionsLength += text.length
  }

  unread(why: string): void {
    this.#unread.set(why, (this.#unread.get(why) ?? 0) + 1)
  }

  /** All since the last. */
  take(): Pack {
    const pack: Pack = {
      objects: this.#marks.length,
      places: this.#places.slice(0, this.#numbers),
      rings: Uint32Array.from(this.#rings),
      parts: Uint32Array.from(this.#parts),
      outlines: Uint32Array.from(this.#outlines),
      whys: Int32Array.from(this.#whys),
      classes: Int16Array.from(this.#classes),
      marks: Uint8Array.from(this.#marks),
      ...{ texts: this.#texts, newClasses: this.#newClasses, regions: this.#regions, unread: [...this.#unread] },
    }
    if (this.#places.length > packNumbers) this.#places = new Float64Array(packNumbers)
    this.#numbers = this.#regionsLength = 0
    ;[this.#rings, this.#parts, this.#outlines, this.#whys, this.#classes, this.#marks] = [[], [], [], [], [], []]
    ;[this.#texts, this.#newClasses, this.#regions] = [[], [], []]
    this.#textAt.clear()
    this.#unread.clear()
    return pack
  }

  #room(more: number): void {
    if (this.#numbers + more <= this.#places.length) return
    const places = new Float64Array(Math.max(2 * this.#places.length, this.#numbers + more))
    places.set(this.#places.subarray(0, this.#numbers))
    this.#places = places
  }

  #text(text: string): number {
    const known = this.#textAt.get(text)
    if (known !== undefined) return known
    const at = this.#texts.push(text) - 1
    this.#textAt.set(text, at)
    return at
  }

  #classOf(name: string, color: string): number {
    const known = this.#classAt.get(name)
    if (known !== undefined) return known
    if (this.#classAt.size >= mostNames - 1) return none
    this.#newClasses.push({ name, color })
    const number = this.#classAt.size + 1
    this.#classAt.set(name, number)
    return number
  }
}

/** What may change hands without a copy. */
export const buffersOf = ({ places, rings, parts, outlines, whys, classes, marks }: Pack): ArrayBuffer[] =>
  [places, rings, parts, outlines, whys, classes, marks].map(({ buffer }) => buffer as ArrayBuffer)

/** In their order. */
export function* objectsOf(pack: Pack): Generator<PackedObject, void, void> {
  const { places, rings, parts, outlines, whys, classes, marks, texts } = pack
  let [outline, part, ring, number] = [0, 0, 0, 0]
  const next = (lessened: boolean): Outline | string => {
    const at = outline++
    if (whys[at] !== none) return texts[whys[at]!]!
    const found: Float64Array[][] = []
    for (; part < outlines[at]!; part++) {
      const own: Float64Array[] = []
      for (; ring < parts[part]!; ring++) own.push(places.subarray(number, (number = rings[ring]!)))
      found.push(own)
    }
    return { parts: found, lessened }
  }
  for (let k = 0; k < pack.objects; k++) {
    const own = next((marks[k]! & 1) !== 0)
    yield { outline: own, cell: (marks[k]! & 2) === 0 ? null : next(false), classAt: classes[k]! }
  }
}
