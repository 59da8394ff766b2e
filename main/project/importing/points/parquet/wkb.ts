// A point as WKB, also with a height or a reference system (EWKB). Pure.

const [ewkbZ, ewkbM, ewkbSystem] = [0x80000000, 0x40000000, 0x20000000]

/** null: it is no point. An empty one has no numbers. */
export function pointOf(bytes: Uint8Array): { readonly x: number; readonly y: number } | null {
  if (bytes.length < 21 || bytes[0]! > 1) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isLittle = bytes[0] === 1
  const type = view.getUint32(1, isLittle)
  // ISO's 1001, 2001 and 3001 have a height, a measure, or both.
  if ((type & ~(ewkbZ | ewkbM | ewkbSystem)) % 1000 !== 1) return null
  const at = (type & ewkbSystem) === 0 ? 5 : 9
  if (bytes.length < at + 16) return null
  return { x: view.getFloat64(at, isLittle), y: view.getFloat64(at + 8, isLittle) }
}
