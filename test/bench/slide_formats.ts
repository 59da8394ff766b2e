// The pixels of an SVS as an OME-TIFF of 16 bits, Deflate, for `morphoscope bench --slide` of formats beside each other; or a slide of N channels.
//   npx esbuild test/bench/slide_formats.ts --bundle --platform=node --format=esm --packages=external --outfile=slide_formats.mjs
//   node slide_formats.mjs SLIDE.svs SLIDE.ome.tif; node slide_formats.mjs 40 4096 CHANNELS.ome.tif
import { writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { deepTiff } from '../main/slide/deepTiff'
import type { DeepPage } from '../main/slide/deepTiff'

const [from = '', ...rest] = process.argv.slice(2)
const tilePx = 256
const head = { bits: 16, format: 'uint', compression: 'deflate', tilePx, mpp: [0.5, 0.5] } as const
const xml = (width: number, height: number, channels: readonly string[], samples: number): string =>
  `<?xml version="1.0"?><OME><Image><Pixels DimensionOrder="XYCZT" SizeX="${width}" SizeY="${height}" SizeC="${channels.length * samples}" SizeZ="1" SizeT="1" PhysicalSizeX="0.5" PhysicalSizeY="0.5">${channels.map((name, c) => `<Channel ID="Channel:0:${c}" Name="${name}" SamplesPerPixel="${samples}"/>`).join('')}<TiffData/></Pixels></Image></OME>`

/** Round nuclei with noise, in each channel a little elsewhere: Deflate has something to do. */
function channel(px: number, c: number): Uint16Array {
  let seed = 40 + c
  return Uint16Array.from({ length: px * px }, (_, i) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    const [x, y] = [(i % px) + 3 * c, Math.floor(i / px)]
    return (Math.hypot((x % 50) - 25, (y % 50) - 25) < 9 ? 3000 : 200) + (seed >>> 26)
  })
}

if (/^\d+$/.test(from)) {
  const [count, px] = [Number(from), Number(rest[0])]
  const names = Array.from({ length: count }, (_, c) => (c === 0 ? 'DAPI' : `Marker ${c}`))
  const pages = names.map((_, c): DeepPage => {
    const values = channel(px, c)
    const half = Uint16Array.from(
      { length: (px / 8) ** 2 },
      (_, i) => values[Math.floor(i / (px / 8)) * 8 * px + (i % (px / 8)) * 8]!,
    )
    const small: DeepPage = { ...head, width: px / 8, height: px / 8, samples: 1, values: half, reduced: true }
    return {
      ...head,
      width: px,
      height: px,
      samples: 1,
      values,
      children: [small],
      ...(c === 0 && { description: xml(px, px, names, 1) }),
    }
  })
  writeFileSync(rest[1]!, deepTiff(pages))
} else {
  const { data, info } = await sharp(from, { limitInputPixels: false, ignoreIcc: true })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const values = Uint16Array.from(data, (value) => value * 257)
  const { width, height } = info
  const page: DeepPage = {
    ...head,
    width,
    height,
    samples: 3,
    photometric: 2,
    values,
    description: xml(width, height, ['RGB'], 3),
  }
  writeFileSync(rest[0]!, deepTiff([page]))
}
