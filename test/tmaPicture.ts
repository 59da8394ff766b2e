// A made tissue microarray in H&E: 6 × 10 cores, 5 missing, turned a little, with dust; of each it is known where it is and how many nuclei it has.
import sharp from 'sharp'

export const tmaRows = 6
export const tmaColumns = 10
/** µm of a px. */
export const tmaMpp = 0.5
export const tmaDiameterPx = 280
const step = 380
const degrees = 2
const [width, height] = [4400, 2900]

export interface MadeCore {
  readonly row: number
  readonly column: number
  /** The middle of its punch; of a missing one where it would be. */
  readonly x: number
  readonly y: number
  readonly missing: boolean
  readonly nuclei: readonly { readonly x: number; readonly y: number }[]
}

/** Positions in raster order, from 0. */
const missing = new Set([13, 27, 31, 44, 58])
/** Half of it is lost, and a tear goes through it. */
const half = 22
const torn = 35

const angle = (degrees * Math.PI) / 180
/** Always the same, and not in rows: up to a twentieth of a step. */
const off = (i: number, by: number): number => (((i * by) % 11) / 10 - 0.5) * 2 * 0.04 * step

export const madeCores: readonly MadeCore[] = Array.from({ length: tmaRows * tmaColumns }, (_, i) => {
  const [row, column] = [Math.floor(i / tmaColumns), i % tmaColumns]
  const [u, v] = [(column - (tmaColumns - 1) / 2) * step, (row - (tmaRows - 1) / 2) * step]
  const isMissing = missing.has(i)
  const x = width / 2 + u * Math.cos(angle) - v * Math.sin(angle) + (isMissing ? 0 : off(i, 7))
  const y = height / 2 + u * Math.sin(angle) + v * Math.cos(angle) + (isMissing ? 0 : off(i, 5))
  return { row, column, x, y, missing: isMissing, nuclei: isMissing ? [] : nucleiOf(i, x, y) }
})

/** 6 to 18 of them, from the lower right of its middle outwards, so that half a core has all. */
function nucleiOf(i: number, x: number, y: number): { x: number; y: number }[] {
  const places = Array.from({ length: 20 }, (_, at) => ({ x: x + 28 + 26 * (at % 4), y: y - 60 + 30 * Math.floor(at / 4) }))
  return places.filter((place) => Math.hypot(place.x - x, place.y - y) < tmaDiameterPx / 2 - 14).slice(0, 6 + ((i * 5) % 9))
}

/** A tiled TIFF with levels, which says how large its pixels are. */
export async function paintsArray(path: string): Promise<void> {
  const tissue = 'rgb(232,188,208)'
  const radius = tmaDiameterPx / 2
  const cores = madeCores.flatMap(({ x, y, missing: isMissing, nuclei }, i) => {
    if (isMissing) return []
    const whole = `<circle cx="${x}" cy="${y}" r="${radius}" fill="${tissue}"/>`
    const part = `<path d="M ${x} ${y - radius} A ${radius} ${radius} 0 0 1 ${x} ${y + radius} Z" fill="${tissue}"/>`
    const tear =
      i === torn ? `<rect x="${x - 40}" y="${y - radius}" width="36" height="${2 * radius}" fill="rgb(242,242,242)"/>` : ''
    const dots = nuclei.map((at) => `<circle cx="${at.x}" cy="${at.y}" r="8" fill="rgb(88,60,140)"/>`)
    return [i === half ? part : whole, tear, ...dots]
  })
  const dust = Array.from(
    { length: 40 },
    (_, i) => `<circle cx="${(i * 1117) % width}" cy="${(i * 733) % height}" r="${3 + (i % 5) * 3}" fill="rgb(120,120,120)"/>`,
  )
  const outsideCores = dust.filter((_, i) =>
    madeCores.every(({ x, y }) => Math.hypot(((i * 1117) % width) - x, ((i * 733) % height) - y) > radius + 30),
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="rgb(242,242,242)"/>${cores.join('')}${outsideCores.join('')}</svg>`
  await writes(path, svg)
}

/** The same in fluorescence: scattered nuclei that shine on black. */
export async function paintsDarkArray(path: string): Promise<void> {
  const dots = madeCores.flatMap(({ x, y, missing: isMissing }, i) =>
    Array.from({ length: isMissing ? 0 : 90 }, (_, at) => {
      // By the golden angle: evenly over the disc, and turned from core to core.
      const [far, turn] = [Math.sqrt((at + 0.5) / 90) * (tmaDiameterPx / 2 - 8), at * 2.39996 + i]
      return `<circle cx="${x + far * Math.cos(turn)}" cy="${y + far * Math.sin(turn)}" r="8" fill="rgb(60,80,200)"/>`
    }),
  )
  await writes(
    path,
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="rgb(6,6,8)"/>${dots.join('')}</svg>`,
  )
}

async function writes(path: string, svg: string): Promise<void> {
  const perMm = 1000 / tmaMpp
  await sharp(Buffer.from(svg))
    .removeAlpha()
    .tiff({
      compression: 'lzw',
      tile: true,
      tileWidth: 256,
      tileHeight: 256,
      pyramid: true,
      xres: perMm,
      yres: perMm,
      resolutionUnit: 'cm',
    })
    .toFile(path)
}
