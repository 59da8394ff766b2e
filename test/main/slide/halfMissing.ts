// A tiled TIFF of 1024 × 1024 px at 0.5 µm with a nucleus every 32 px, of which the lower half of the tiles can be cut away.
import { writeFile } from 'node:fs/promises'

const side = 1024
const tile = 256
/** Of a tile's own corner: half of the pitch in, so that none is cut at a tile's rim. */
const pitch = 32
const radius = 8

/** Nuclei in each tile, and the tiles. */
export const made = { perTile: (tile / pitch) ** 2, tiles: (side / tile) ** 2 } as const

export async function writeTiled(path: string, { half = false } = {}): Promise<void> {
  const pixels = Buffer.alloc(tile * tile * 3)
  for (let y = 0; y < tile; y++)
    for (let x = 0; x < tile; x++) {
      const [dx, dy] = [(x % pitch) - pitch / 2 + 0.5, (y % pitch) - pitch / 2 + 0.5]
      const [r, g, b] = Math.hypot(dx, dy) < radius ? [84, 52, 132] : [232, 204, 220]
      pixels.set([r, g, b], (y * tile + x) * 3)
    }
  const count = made.tiles
  const entries = 14
  const [resolution, bits] = [8 + 2 + entries * 12 + 4, 8 + 2 + entries * 12 + 4 + 8]
  const offsets = bits + 6
  const lengths = offsets + 4 * count
  const first = lengths + 4 * count
  const head = Buffer.alloc(first)
  head.write('II*\0', 'latin1')
  head.writeUInt32LE(8, 4)
  head.writeUInt16LE(entries, 8)
  const tags: [number, number, number, number][] = [
    ...([[256, 4, 1, side], [257, 4, 1, side], [258, 3, 3, bits], [259, 3, 1, 1], [262, 3, 1, 2], [277, 3, 1, 3]] as const),
    ...([[282, 5, 1, resolution], [283, 5, 1, resolution], [284, 3, 1, 1], [296, 3, 1, 3]] as const),
    ...([[322, 3, 1, tile], [323, 3, 1, tile], [324, 4, count, offsets]] as const),
  ].map(([...tag]) => tag as [number, number, number, number]) // oxfmt-ignore
  tags.push([325, 4, count, lengths])
  tags.forEach(([tag, type, n, value], i) => {
    const at = 10 + i * 12
    head.writeUInt16LE(tag, at)
    head.writeUInt16LE(type, at + 2)
    head.writeUInt32LE(n, at + 4)
    head.writeUInt32LE(value, at + 8)
  })
  // 20,000 px a cm.
  head.writeUInt32LE(20_000, resolution)
  head.writeUInt32LE(1, resolution + 4)
  for (let i = 0; i < 3; i++) head.writeUInt16LE(8, bits + 2 * i)
  // Of a tile that is missing the place and the length are 0, as a scanner leaves them that was stopped.
  for (let i = 0; i < (half ? count / 2 : count); i++) {
    head.writeUInt32LE(first + i * pixels.length, offsets + 4 * i)
    head.writeUInt32LE(pixels.length, lengths + 4 * i)
  }
  await writeFile(path, Buffer.concat([head, ...Array.from({ length: half ? count / 2 : count }, () => pixels)]))
}
