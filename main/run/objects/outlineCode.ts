// An object's runs as the engine packs them: bytes, each run by what it differs from the one before; two bytes where it is twelve as numbers.

// native/export/packed_objects.hpp says how they are written.

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
