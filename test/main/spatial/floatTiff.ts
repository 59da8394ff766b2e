// A TIFF of float32 tiles read by the words of its specification, for tests: its levels by their SubIFDs.
import { inflateSync } from 'node:zlib'

interface Level {
  readonly width: number
  readonly height: number
  readonly values: Float32Array
}

/** A classic little-endian file. `tags`: of its first image, the first value of each. */
export function readFloatTiff(file: Buffer): { levels: Level[]; description: string; tags: Map<number, number> } {
  if (file.toString('latin1', 0, 2) !== 'II' || file.readUInt16LE(2) !== 42) throw new Error('no classic TIFF')
  const directory = (at: number): Map<number, number[]> => {
    const tags = new Map<number, number[]>()
    for (let i = 0; i < file.readUInt16LE(at); i++) {
      const entry = at + 2 + 12 * i
      const [tag, type, count] = [file.readUInt16LE(entry), file.readUInt16LE(entry + 2), file.readUInt32LE(entry + 4)]
      const bytes = type === 2 ? 1 : type === 3 ? 2 : type === 5 ? 8 : 4
      const from = bytes * count <= 4 ? entry + 8 : file.readUInt32LE(entry + 8)
      const read = (k: number): number =>
        bytes === 1 ? file[from + k]! : bytes === 2 ? file.readUInt16LE(from + 2 * k) : file.readUInt32LE(from + bytes * k)
      tags.set(
        tag,
        Array.from({ length: count }, (_, k) => read(k)),
      )
    }
    return tags
  }
  const levelOf = (tags: Map<number, number[]>): Level => {
    const of = (tag: number): number => tags.get(tag)![0]!
    const [width, height, side] = [of(256), of(257), of(322)]
    const across = Math.ceil(width / side)
    const values = new Float32Array(width * height)
    tags.get(324)!.forEach((offset, at) => {
      const tile = inflateSync(file.subarray(offset, offset + tags.get(325)![at]!))
      const [left, top] = [(at % across) * side, Math.floor(at / across) * side]
      for (let y = top; y < Math.min(height, top + side); y++)
        for (let x = left; x < Math.min(width, left + side); x++)
          values[y * width + x] = tile.readFloatLE(4 * ((y - top) * side + x - left))
    })
    return { width, height, values }
  }
  const first = directory(file.readUInt32LE(4))
  return {
    levels: [levelOf(first), ...(first.get(330) ?? []).map((at) => levelOf(directory(at)))],
    description: String.fromCharCode(...first.get(270)!).replace(/\0$/, ''),
    tags: new Map([...first].map(([tag, [value]]) => [tag, value!])),
  }
}
