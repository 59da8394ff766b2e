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
/** Room that rings share: one after the other. */
let room: Float64Array = new Float64Array(1024)

/**
 * The value of a feature's text, whose one or two geometries of one ring have a QuickRing as coordinates; undefined: JSON.parse is to read it.
 * Numbers are JSON.parse's to the bit. O(characters).
 */
export function quickFeature(text: string): unknown {
  const rings: QuickRing[] = []
  let rest = ''
  let from = 0
  for (let at = text.indexOf(key); at >= 0 && rings.length < 2; at = text.indexOf(key, from)) {
    const begins = begin(text, at + key.length)
    const ring = begins < 0 ? null : ringAt(text, begins)
    if (ring === null) return undefined
    rest += `${text.slice(from, begins)}"${mark}${rings.length}"`
    rings.push(new QuickRing(ring.places))
    from = ring.end
  }
  if (rings.length === 0) return undefined
  const value = jsonOf(rest + text.slice(from))
  let placed = 0
  for (const name of ['geometry', 'nucleusGeometry']) {
    const geometry = value?.[name] as { coordinates?: unknown } | null | undefined
    const at = rings.findIndex((_, i) => geometry?.coordinates === `${mark}${i}`)
    if (at < 0) continue
    geometry!.coordinates = rings[at]
    placed += 1
  }
  // What else is called so is not for us.
  return placed === rings.length ? value : undefined
}

function jsonOf(text: string): Record<string, unknown> | null | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown> | null
  } catch {
    return undefined
  }
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
function spaced(text: string, at: number): number {
  while (isSpace(text.charCodeAt(at))) at += 1
  return at
}

/** Where the value of the key that ends here begins; -1: it is no key. */
function begin(text: string, end: number): number {
  const colon = spaced(text, end)
  return text.charCodeAt(colon) === 0x3a ? spaced(text, colon + 1) : -1
}

/** A list of one list of positions of two numbers that begins at `from`; null: it is none. */
function ringAt(text: string, from: number): { places: Float64Array; end: number } | null {
  let at = from
  for (let depth = 0; depth < 2; depth++) {
    if (text.charCodeAt(at) !== 0x5b) return null
    at = spaced(text, at + 1)
  }
  let count = 0
  for (;;) {
    if (text.charCodeAt(at) !== 0x5b) return null
    at = spaced(text, at + 1)
    if (count + 2 > room.length) room = enlarged(room)
    for (let axis = 0; axis < 2; axis++) {
      at = numberAt(text, at, count++)
      if (at < 0) return null
      at = spaced(text, at)
      if (text.charCodeAt(at) !== (axis === 0 ? 0x2c : 0x5d)) return null
      at = spaced(text, at + 1)
    }
    const next = text.charCodeAt(at)
    if (next === 0x5d) break
    if (next !== 0x2c) return null
    at = spaced(text, at + 1)
  }
  at = spaced(text, at + 1)
  return text.charCodeAt(at) === 0x5d ? { places: room.slice(0, count), end: at + 1 } : null
}

function enlarged(from: Float64Array): Float64Array {
  const to = new Float64Array(2 * from.length)
  to.set(from)
  return to
}

/** Powers of ten that a double holds exactly. */
const tens = Float64Array.from({ length: 16 }, (_, i) => 10 ** i)

/**
 * Reads JSON's number that begins here into the room; gives where it ends, or -1. A whole number below 2^53 over a power of ten that is exact has
 * one rounding, so it is the nearest double, as JSON.parse's (Clinger 1990). Other numbers are left to it.
 */
function numberAt(text: string, from: number, to: number): number {
  let at = from
  const isNegative = text.charCodeAt(at) === 0x2d
  if (isNegative) at += 1
  const first = at
  let digits = 0
  let code = text.charCodeAt(at)
  for (; code >= 0x30 && code <= 0x39; code = text.charCodeAt(++at)) digits = 10 * digits + code - 0x30
  const whole = at - first
  // JSON knows no number like 01.
  if (whole === 0 || (whole > 1 && text.charCodeAt(first) === 0x30)) return -1
  let decimals = 0
  if (code === 0x2e) {
    const point = at
    code = text.charCodeAt(++at)
    for (; code >= 0x30 && code <= 0x39; code = text.charCodeAt(++at)) digits = 10 * digits + code - 0x30
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
  while (isOfNumber(text.charCodeAt(at))) at += 1
  const value = Number(text.slice(from, at))
  if (!Number.isFinite(value)) return -1
  room[to] = value + 0
  return at
}

/** Digits, signs, points and exponents. */
const isOfNumber = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e || code === 0x65 || code === 0x45
