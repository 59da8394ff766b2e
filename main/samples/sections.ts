// The bundled slide, and a second section made of it: turned and moved on a larger piece of glass, as the next cut of a block lies.
import { readFile } from 'node:fs/promises'
import { sharp } from '../base/sharp'
import type { MadeSample } from './made'

const degrees = 17
const moved = { x: 1165, y: 150 } as const
const size = { width: 3390, height: 3726 } as const
const glass = 244

export const sampleOf = (path: string): MadeSample => ({
  words: 'the bundled slide: skin in hematoxylin and eosin, 2220 × 2967 px of 0.499 µm',
  ending: '.svs',
  make: async () => ({ bytes: await readFile(path), truth: [] }),
})

export const sectionOf = (path: string): MadeSample => ({
  words: `made of the bundled slide: turned by ${degrees}° and moved, as the next section of a block`,
  ending: '.tif',
  async make() {
    const { data, info } = await sharp()(path, { page: 0 }).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
    const out = Buffer.alloc(size.width * size.height * 3, glass)
    for (let y = 0, to = 0; y < size.height; y++)
      for (let x = 0; x < size.width; x++, to += 3) {
        const [u, v] = [x + 0.5 - moved.x, y + 0.5 - moved.y]
        const [px, py] = [cos * u + sin * v - 0.5, cos * v - sin * u - 0.5]
        const [column, row] = [Math.floor(px), Math.floor(py)]
        if (column < 0 || row < 0 || column + 1 >= info.width || row + 1 >= info.height) continue
        const [s, t] = [px - column, py - row]
        for (let c = 0, at = 3 * (row * info.width + column); c < 3; c++, at++)
          out[to + c] =
            (1 - t) * ((1 - s) * data[at]! + s * data[at + 3]!) +
            t * ((1 - s) * data[at + 3 * info.width]! + s * data[at + 3 * info.width + 3]!)
      }
    const bytes = await sharp()(out, { raw: { ...size, channels: 3 } })
      .tiff({ ...{ tile: true, tileWidth: 256, tileHeight: 256 }, compression: 'jpeg', quality: 95, xres: 2000, yres: 2000 })
      .toBuffer()
    return { bytes, truth: [] }
  },
})
