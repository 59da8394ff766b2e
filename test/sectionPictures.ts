// Two sections of one block, made of the bundled slide: the second is the first, turned by 17° and moved, on a larger piece of glass.
import { join } from 'node:path'
import sharp from 'sharp'
import type { Affine } from '../app/contract'
import { sample } from './main/realEngine'

const [cos, sin] = [Math.cos((17 * Math.PI) / 180), Math.sin((17 * Math.PI) / 180)]
/** Level-0 px of the first to level-0 px of the second. */
export const sectionTruth: Affine = { xx: cos, xy: -sin, yx: sin, yy: cos, dx: 1165, dy: 150 }
const size = { width: 3390, height: 3726 }
const glass = 244

/** first.tif and second.tif, 0.5 µm a px. */
export async function makesSections(folder: string): Promise<void> {
  const { data, info } = await sharp(sample, { page: 0 }).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const out = new Uint8Array(size.width * size.height * 3)
  const { xx, xy, yx, yy, dx, dy } = sectionTruth
  for (let y = 0, to = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++, to += 3) {
      const [u, v] = [x + 0.5 - dx, y + 0.5 - dy]
      // The inverse of a turn is its transpose.
      const [px, py] = [xx * u + yx * v - 0.5, xy * u + yy * v - 0.5]
      const [column, row] = [Math.floor(px), Math.floor(py)]
      if (column < 0 || row < 0 || column + 1 >= info.width || row + 1 >= info.height) {
        out.fill(glass, to, to + 3)
        continue
      }
      const [s, t] = [px - column, py - row]
      for (let c = 0, at = 3 * (row * info.width + column); c < 3; c++, at++)
        out[to + c] =
          (1 - t) * ((1 - s) * data[at]! + s * data[at + 3]!) +
          t * ((1 - s) * data[at + 3 * info.width]! + s * data[at + 3 * info.width + 3]!)
    }
  const tiled = { tile: true, tileWidth: 256, tileHeight: 256, compression: 'jpeg', quality: 95, xres: 2000, yres: 2000 } as const
  const raw = (width: number, height: number) => ({ raw: { width, height, channels: 3 as const } })
  await sharp(data, raw(info.width, info.height)).tiff(tiled).toFile(join(folder, 'first.tif'))
  await sharp(out, raw(size.width, size.height)).tiff(tiled).toFile(join(folder, 'second.tif'))
}
