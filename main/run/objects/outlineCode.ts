// An object's runs as the engine packs them: bytes, each run by what it differs from the one before; two bytes where it is twelve as numbers.

// native/export/packed_objects.hpp says how they are written.

/** The runs that `bytes` from `start` to `end` hold, of an object whose first pixel is (x, y), without its cell's. */
export const decodeRuns = (bytes: Uint8Array, start: number, end: number, x: number, y: number): Int32Array<ArrayBuffer> =>
  decoded(bytes, start, end, x, y, false)

/** Its cell's runs; null where it has none. */
export function decodeCellRuns(
  bytes: Uint8Array,
  start: number,
  end: number,
  x: number,
  y: number,
): Int32Array<ArrayBuffer> | null {
  const runs = decoded(bytes, start, end, x, y, true)
  return runs.length > 0 ? runs : null
}

/** A step to either side, as its whole number that is not negative has it. */
export const stepOf = (zigzag: number): number => (zigzag % 2 === 1 ? -(zigzag + 1) / 2 : zigzag / 2)

function decoded(
  bytes: Uint8Array,
  start: number,
  end: number,
  firstX: number,
  firstY: number,
  ofCell: boolean,
): Int32Array<ArrayBuffer> {
  let x = firstX
  let y = firstY
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
  let isCell = false
  while (at < end) {
    if (n > 0) {
      const code = take()
      const rows = code % 2 === 1 ? take() : 1
      if (code === 1 && rows === 0) {
        if (!ofCell) break
        isCell = true
        n = 0
        x = firstX + stepOf(take())
        y = firstY + stepOf(take())
      } else {
        x += stepOf(Math.floor(code / 2))
        y += rows
      }
    }
    runs[n] = y
    runs[n + 1] = x
    runs[n + 2] = x + take()
    n += 3
  }
  if (isCell !== ofCell) n = 0
  return n === runs.length ? runs : runs.slice(0, n)
}
