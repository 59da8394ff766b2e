// Three markers of fluorescence, 16 bits each, as an OME-TIFF: which cell has which is known.
import { seeded } from './random'
import type { MadeSample } from './made'

const side = 1200
const pitch = 50
const radius = 9
const names = ['DAPI', 'CD8', 'PanCK'] as const

interface Cell {
  readonly x: number
  readonly y: number
  readonly isT: boolean
  readonly isTumour: boolean
}

function cellsOf(): Cell[] {
  const chance = seeded(8)
  return Array.from({ length: (side / pitch) ** 2 }, (_, i) => {
    const [column, row] = [i % (side / pitch), Math.floor(i / (side / pitch))]
    const x = Math.round((column + 0.5) * pitch + 12 * (chance() - 0.5))
    const y = Math.round((row + 0.5) * pitch + 12 * (chance() - 0.5))
    const isTumour = x > side / 2
    // T cells are rare in the tumour.
    return { x, y, isTumour, isT: chance() < (isTumour ? 0.1 : 0.4) }
  })
}

/** Pages of one uncompressed strip each; the first says what they are. */
function tiffOf(pages: readonly Uint16Array[], description: string): Uint8Array {
  const words = Buffer.from(`${description}\0`)
  const perPage = 2 * side * side
  const directoryBytes = 2 + 12 * 10 + 4
  const firstPage = 8 + words.length + (words.length % 2)
  const firstDirectory = firstPage + pages.length * perPage
  const out = Buffer.alloc(firstDirectory + pages.length * directoryBytes)
  out.write('II*\0', 0, 'latin1')
  out.writeUInt32LE(firstDirectory, 4)
  words.copy(out, 8)
  for (const [page, values] of pages.entries()) {
    Buffer.from(values.buffer).copy(out, firstPage + page * perPage)
    const at = firstDirectory + page * directoryBytes
    const short = 3
    const long = 4
    const entries = [
      [256, long, 1, side],
      [257, long, 1, side],
      [258, short, 1, 16],
      [259, short, 1, 1],
      [262, short, 1, 1],
      ...(page === 0 ? ([[270, 2, words.length, 8]] as const) : []),
      [273, long, 1, firstPage + page * perPage],
      [277, short, 1, 1],
      [278, long, 1, side],
      [279, long, 1, perPage],
    ] as const
    out.writeUInt16LE(entries.length, at)
    for (const [i, [tag, type, count, value]] of entries.entries()) {
      const entry = at + 2 + 12 * i
      out.writeUInt16LE(tag, entry)
      out.writeUInt16LE(type, entry + 2)
      out.writeUInt32LE(count, entry + 4)
      out.writeUInt32LE(value, entry + 8)
    }
    out.writeUInt32LE(page + 1 < pages.length ? at + directoryBytes : 0, at + 2 + 12 * entries.length)
  }
  return out
}

export const channels: MadeSample = {
  words: 'made: DAPI, CD8 and PanCK at 16 bits, 1200 × 1200 px of 0.5 µm, fluorescence',
  ending: '.ome.tif',
  make() {
    const cells = cellsOf()
    const noise = seeded(81)
    const pages = names.map((_, c) => Uint16Array.from({ length: side * side }, () => 40 + 30 * c + Math.floor(40 * noise())))
    const paints = (c: number, { x, y }: Cell, reach: number, value: number): void => {
      for (let v = Math.max(0, y - reach); v <= Math.min(side - 1, y + reach); v++)
        for (let u = Math.max(0, x - reach); u <= Math.min(side - 1, x + reach); u++)
          if ((u - x) ** 2 + (v - y) ** 2 < reach ** 2) pages[c]![v * side + u]! += value
    }
    for (const cell of cells) {
      const bright = 0.8 + 0.4 * noise()
      paints(0, cell, radius, Math.round(2500 * bright))
      if (cell.isT) paints(1, cell, radius + 4, Math.round(1800 * bright))
      if (cell.isTumour) paints(2, cell, radius + 8, Math.round(1200 * bright))
    }
    const marked = names.map((name, c) => `<Channel ID="Channel:0:${c}" Name="${name}"/>`).join('')
    const xml = `<?xml version="1.0"?><OME><Image><Pixels DimensionOrder="XYCZT" SizeX="${side}" SizeY="${side}" SizeC="${names.length}" SizeZ="1" SizeT="1" PhysicalSizeX="0.5" PhysicalSizeY="0.5">${marked}<TiffData/></Pixels></Image></OME>`
    const both = (isT: boolean, isTumour: boolean): number =>
      cells.filter((cell) => cell.isT === isT && cell.isTumour === isTumour).length
    const truth = `${cells.length} nuclei: ${both(false, false)} CD8- PanCK-, ${both(true, false)} CD8+ PanCK-, ${both(false, true)} CD8- PanCK+, ${both(true, true)} CD8+ PanCK+`
    return Promise.resolve({ bytes: tiffOf(pages, xml), truth: [truth] })
  },
}
