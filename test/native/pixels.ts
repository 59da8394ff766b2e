// What the tests of the native facade share: the bundled sample, the data beside the repository, comparing pixels.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { RgbaImage, Slide } from '../../native/index'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')
export const sample = join(root, 'assets', 'samples', 'CMU-1-Small-Region.svs')

/** The folder of real and broken slides, or undefined: it is no part of the repository. */
export function dataFolder(): string | undefined {
  const folder = process.env['MORPHOSCOPE_DATA'] ?? join(root, '..', 'shared', 'data')
  return existsSync(join(folder, 'slides')) ? folder : undefined
}

/** Every regular file of a folder, sorted. */
export function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort()
}

export async function decodeJpeg(bytes: Uint8Array): Promise<RgbaImage> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { rgba: new Uint8Array(data), width: info.width, height: info.height }
}

/** Mean signed difference of each channel (a colour shift shows here) and the largest absolute one, over the common corner. */
export function compare(a: RgbaImage, b: RgbaImage): { shift: [number, number, number]; largest: number } {
  const width = Math.min(a.width, b.width)
  const height = Math.min(a.height, b.height)
  const shift: [number, number, number] = [0, 0, 0]
  let largest = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) {
        const d = (a.rgba[(y * a.width + x) * 4 + c] ?? 0) - (b.rgba[(y * b.width + x) * 4 + c] ?? 0)
        shift[c as 0 | 1 | 2] += d / (width * height)
        largest = Math.max(largest, Math.abs(d))
      }
    }
  }
  return { shift, largest }
}

/** The part of a tile that lies inside its level, read through the decoder of the slide's reader. */
export async function readTile(slide: Slide, level: number, tx: number, ty: number): Promise<RgbaImage> {
  const l = slide.info().levels[level]
  if (!l) throw new Error(`no level ${level}`)
  const x = tx * l.tileWidth
  const y = ty * l.tileHeight
  return slide.readScaled(l.downsample, x, y, Math.min(l.tileWidth, l.width - x), Math.min(l.tileHeight, l.height - y))
}

/** Compares pass-through tiles with decoded ones: all of a small level, a sample of a large one. Returns how many were compared. */
export async function comparePassThrough(
  slide: Slide,
  most: number,
  check: (name: string, d: ReturnType<typeof compare>) => void,
): Promise<number> {
  let compared = 0
  for (const [level, l] of slide.info().levels.entries()) {
    if (l.tileWidth === 0) continue
    const across = Math.ceil(l.width / l.tileWidth)
    const down = Math.ceil(l.height / l.tileHeight)
    const step = Math.max(1, Math.floor((across * down) / most))
    // The last tile is the corner, padded on both sides.
    for (let k = across * down - 1; k >= 0; k -= step) {
      const tx = k % across
      const ty = Math.floor(k / across)
      const jpeg = await slide.tileJpeg(level, tx, ty)
      if (!jpeg) continue
      const pixels = await readTile(slide, level, tx, ty)
      const decoded = await decodeJpeg(jpeg)
      if (decoded.width !== l.tileWidth || decoded.height !== l.tileHeight)
        throw new Error('a pass-through tile has another size')
      check(`level ${level} tile ${tx},${ty}`, compare(decoded, pixels))
      compared++
    }
  }
  return compared
}
