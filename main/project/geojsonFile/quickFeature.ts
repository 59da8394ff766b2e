// A feature whose geometry is one ring, as nearly every detection is: its positions straight as numbers, the rest by JSON.parse. Pure.
import { randomBytes } from 'node:crypto'

/** The one ring of a polygon, in place of its coordinates: x, y by twos, as it is written. */
export class QuickRing {
  readonly places: Float64Array
  constructor(places: Float64Array) {
    this.places = places
  }

  /** Moved, and without a last position that is the first again. */
  opened(by: { readonly x: number; readonly y: number } | null): Float64Array {
    const { places } = this
    const isClosed = places.length > 2 && places[0] === places.at(-2) && places[1] === places.at(-1)
    const ring = places.subarray(0, isClosed ? -2 : undefined)
    if (by === null) return ring
    const moved = ring.slice()
    for (let i = 0; i < ring.length; i += 2) {
      moved[i]! += by.x
      moved[i + 1]! += by.y
    }
    return moved
  }

  /** The coordinates as JSON.parse gives them. */
  nested(): [number, number][][] {
    const ring: [number, number][] = []
    for (let i = 0; i < this.places.length; i += 2) ring.push([this.places[i]!, this.places[i + 1]!])
    return [ring]
  }
}

/** What stands in a text where coordinates were; no file can know it. */
const mark = randomBytes(12).toString('hex')
const key = '"coordinates"'
/** Places of one memory. */
const roomLength = 2 ** 15
/** Rings lie in it one behind the other; who keeps one for long copies it. */
let room = new Float64Array(roomLength)
let used = 0

/** Of the characters of a text. */
export type Codes = Uint8Array | Uint16Array

/** A feature and where its text ends. */
export interface QuickFound {
  readonly value: unknown
  readonly end: number
}

/**
 * The feature whose text begins here, with a QuickRing as coordinates of its one or two geometries of one ring; undefined: JSON.parse is to read
 * it, or it is not whole. Numbers are JSON.parse's to the bit. `codes`: of the text's characters, which are bytes of UTF-8
 * where these are bytes. O(characters), each looked at once.
 */
export function quickFeature(text: string, begins = 0, codes = codesOf(text)): QuickFound | undefined {
  const rings: QuickRing[] = []
  let rest = ''
  let from = begins
  let depth = 0
  let at = begins
  for (;;) {
    const code = codes[at]
    if (code === 0x22) {
      const end = endOfString(codes, at)
      if (end < 0) return undefined
      if (end - at === key.length && text.startsWith(key, at)) {
        const list = begin(codes, end)
        if (list >= 0) {
          const ring = rings.length < 2 ? ringAt(text, codes, list) : null
          if (ring === null) return undefined
          rest += `${text.slice(from, list)}"${mark}${rings.length}"`
          rings.push(new QuickRing(ring.places))
          from = at = ring.end
          continue
        }
      }
      at = end
      continue
    }
    at += 1
    if (code === 0x7b || code === 0x5b) depth += 1
    else if (code === 0x7d || code === 0x5d) {
      depth -= 1
      if (depth <= 0) break
    } else if (depth === 0 || code === undefined) return undefined
  }
  if (rings.length === 0) return undefined
  rest += text.slice(from, at)
  const value = jsonOf(codes instanceof Uint8Array ? utf8Of(rest) : rest)
  let placed = 0
  for (const name of ['geometry', 'nucleusGeometry']) {
    const geometry = value?.[name] as { coordinates?: unknown } | null | undefined
    const of = rings.findIndex((_, i) => geometry?.coordinates === `${mark}${i}`)
    if (of < 0) continue
    geometry!.coordinates = rings[of]
    placed += 1
  }
  // What else is called so is not for us.
  return placed === rings.length ? { value, end: at } : undefined
}

export const codesOf = (text: string): Codes => Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))

/** What a text says whose characters are bytes of UTF-8. */
export const utf8Of = (bytes: string): string =>
  /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes

/** Behind its closing quote; -1: it has none. */
function endOfString(codes: Codes, from: number): number {
  for (let at = from + 1; at < codes.length; at++) {
    if (codes[at] === 0x5c) at += 1
    else if (codes[at] === 0x22) return at + 1
  }
  return -1
}

function jsonOf(text: string): Record<string, unknown> | null | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown> | null
  } catch {
    return undefined
  }
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
function spaced(codes: Codes, at: number): number {
  while (isSpace(codes[at]!)) at += 1
  return at
}

/** Where the value of the key that ends here begins; -1: it is no key. */
function begin(codes: Codes, end: number): number {
  const colon = spaced(codes, end)
  return codes[colon] === 0x3a ? spaced(codes, colon + 1) : -1
}

/** A list of one list of positions of two numbers that begins at `from`; null: it is none. */
function ringAt(text: string, codes: Codes, from: number): { places: Float64Array; end: number } | null {
  let at = from
  for (let depth = 0; depth < 2; depth++) {
    if (codes[at] !== 0x5b) return null
    at = spaced(codes, at + 1)
  }
  let count = 0
  for (;;) {
    if (codes[at] !== 0x5b) return null
    at = spaced(codes, at + 1)
    if (used + count + 2 > room.length) roomFor(count)
    for (let axis = 0; axis < 2; axis++) {
      at = numberAt(text, codes, at, used + count++)
      if (at < 0) return null
      at = spaced(codes, at)
      if (codes[at] !== (axis === 0 ? 0x2c : 0x5d)) return null
      at = spaced(codes, at + 1)
    }
    const next = codes[at]
    if (next === 0x5d) break
    if (next !== 0x2c) return null
    at = spaced(codes, at + 1)
  }
  at = spaced(codes, at + 1)
  if (codes[at] !== 0x5d) return null
  const places = room.subarray(used, used + count)
  used += count
  return { places, end: at + 1 }
}

/** A new memory, in which the ring that is being read goes on. */
function roomFor(count: number): void {
  const to = new Float64Array(Math.max(roomLength, 4 * count))
  to.set(room.subarray(used, used + count))
  room = to
  used = 0
}

/** Powers of ten that a double holds exactly. */
const tens = Float64Array.from({ length: 16 }, (_, i) => 10 ** i)

/**
 * Reads JSON's number that begins here into the room; gives where it ends, or -1. A whole number below 2^53 over a power of ten that is exact has
 * one rounding, so it is the nearest double, as JSON.parse's (Clinger 1990). Other numbers are left to it.
 */
function numberAt(text: string, codes: Codes, from: number, to: number): number {
  let at = from
  const isNegative = codes[at] === 0x2d
  if (isNegative) at += 1
  const first = at
  let digits = 0
  let code = codes[at]!
  for (; code >= 0x30 && code <= 0x39; code = codes[++at]!) digits = 10 * digits + code - 0x30
  const whole = at - first
  // JSON knows no number like 01.
  if (whole === 0 || (whole > 1 && codes[first] === 0x30)) return -1
  let decimals = 0
  if (code === 0x2e) {
    const point = at
    code = codes[++at]!
    for (; code >= 0x30 && code <= 0x39; code = codes[++at]!) digits = 10 * digits + code - 0x30
    decimals = at - point - 1
    if (decimals === 0) return -1
  }
  const hasExponent = code === 0x65 || code === 0x45
  if (!hasExponent && whole + decimals <= 15) {
    const value = digits / tens[decimals]!
    // JSON's -0 is 0 here, as everywhere.
    room[to] = isNegative ? 0 - value : value
    return at
  }
  while (isOfNumber(codes[at]!)) at += 1
  const value = Number(text.slice(from, at))
  if (!Number.isFinite(value)) return -1
  room[to] = value + 0
  return at
}

/** Digits, signs, points and exponents. */
const isOfNumber = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e || code === 0x65 || code === 0x45
