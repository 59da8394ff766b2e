// An object's runs as bytes, each by what it differs from the one before: some two bytes where a run is twelve as numbers.

// A run after the first: 2 × zigzag(x0 − x0 before) + (1 where it is not on the next row), then the rows between where it is not, then its
// length; each a number of 7 bits a byte, least first, as native/export/packed_objects.cpp reads it. Of the first, which begins at the
// object's first pixel, the length alone.

/** The most bytes that a run may take. */
export const mostBytesPerRun = 15

/**
 * Writes `runs` (y, x0, x1 triples in raster order; the numbers [first, last) of them) to `bytes` from `at` on, and gives the end. There must be
 * room. Where they lie is not written: of an object that is moved they stay.
 */
export function encodeRuns(runs: Int32Array, bytes: Uint8Array, at: number, first = 0, last = runs.length): number {
  let y = 0
  let x = 0
  for (let r = first; r < last; r += 3) {
    const nextY = runs[r]!
    const x0 = runs[r + 1]!
    if (r > first) {
      const step = x0 - x
      // Without bit operations: twice the zigzag of a wide object's step may not fit 32 bits.
      const zigzag = step < 0 ? -2 * step - 1 : 2 * step
      const down = nextY - y
      at = put(2 * zigzag + (down === 1 ? 0 : 1), bytes, at)
      if (down !== 1) at = put(down, bytes, at)
    }
    at = put(runs[r + 2]! - x0, bytes, at)
    y = nextY
    x = x0
  }
  return at
}

function put(value: number, bytes: Uint8Array, at: number): number {
  while (value >= 128) {
    bytes[at++] = (value % 128) + 128
    value = Math.floor(value / 128)
  }
  bytes[at++] = value
  return at
}

/** The runs that `bytes` from `start` to `end` hold, of an object whose first pixel is (x, y). */
export function decodeRuns(bytes: Uint8Array, start: number, end: number, x: number, y: number): Int32Array<ArrayBuffer> {
  // Two numbers a run, of one byte each at least, but for the first.
  const runs = new Int32Array((((end - start) >> 1) + 1) * 3)
  let at = start
  const take = (): number => {
    let value = 0
    for (let unit = 1; ; unit *= 128) {
      const byte = bytes[at++]!
      value += (byte & 127) * unit
      if (byte < 128) return value
    }
  }
  let n = 0
  while (at < end) {
    if (n > 0) {
      const code = take()
      const zigzag = Math.floor(code / 2)
      x += zigzag % 2 === 1 ? -(zigzag + 1) / 2 : zigzag / 2
      y += code % 2 === 1 ? take() : 1
    }
    runs[n] = y
    runs[n + 1] = x
    runs[n + 2] = x + take()
    n += 3
  }
  return n === runs.length ? runs : runs.slice(0, n)
}
