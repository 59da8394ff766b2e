// Painted IHC: fields of nuclei in hematoxylin and DAB of which everything is known. Ki-67 with a tumour, and HER2's membranes.
import { sharp } from '../base/sharp'
import { seeded } from './random'
import type { MadeSample } from './made'

const mpp = 0.5
const glass = 'rgb(238,236,232)'
const grades = ['negative', 'weak', 'moderate', 'strong'] as const
/** Of a nucleus, from blue over three browns. */
const nuclear = ['rgb(150,168,206)', 'rgb(172,132,96)', 'rgb(134,90,56)', 'rgb(92,54,30)'] as const

interface Nucleus {
  readonly x: number
  readonly y: number
  readonly grade: number
  readonly inTumour: boolean
}

async function tiffOf(svg: string, width: number, height: number, umPerPx: number, blur: number): Promise<Uint8Array> {
  const whole = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${glass}"/>${svg}</svg>`
  return sharp()(Buffer.from(whole))
    .blur(blur)
    .removeAlpha()
    .tiff({ compression: 'lzw', predictor: 'horizontal', xres: 1000 / umPerPx, yres: 1000 / umPerPx, resolutionUnit: 'cm' })
    .toBuffer()
}

const ki67Size = { width: 2400, height: 1600 } as const
const pitch = 40
/** The tumour: a polygon, level-0 px. */
const tumour = [
  ...([
    [1080, 150],
    [1420, 80],
    [1900, 130],
    [2230, 330],
    [2320, 760],
    [2250, 1180],
  ] as const),
  ...([
    [1960, 1450],
    [1500, 1520],
    [1150, 1400],
    [960, 1050],
    [1010, 640],
  ] as const),
] as const
/** Where four of five nuclei of the tumour are brown. */
const hot = { x: 1740, y: 560, radius: 230 } as const

function isInside(x: number, y: number, corners: readonly (readonly [number, number])[]): boolean {
  let inside = false
  for (const [i, [x1, y1]] of corners.entries()) {
    const [x0, y0] = corners[(i + corners.length - 1) % corners.length]!
    if (y1 > y !== y0 > y && x < ((x0 - x1) * (y - y1)) / (y0 - y1) + x1) inside = !inside
  }
  return inside
}

/** Of the polygon's edges, px. */
function distanceTo(x: number, y: number, corners: readonly (readonly [number, number])[]): number {
  return Math.min(
    ...corners.map(([x1, y1], i) => {
      const [x0, y0] = corners[(i + corners.length - 1) % corners.length]!
      const [u, v] = [x1 - x0, y1 - y0]
      const t = Math.min(1, Math.max(0, ((x - x0) * u + (y - y0) * v) / (u * u + v * v)))
      return Math.hypot(x - x0 - t * u, y - y0 - t * v)
    }),
  )
}

function ki67Nuclei(): Nucleus[] {
  const chance = seeded(67)
  const columns = ki67Size.width / pitch
  return Array.from({ length: columns * (ki67Size.height / pitch) }, (_, i) => {
    const x = (0.5 + (i % columns)) * pitch + 10 * (chance() - 0.5)
    const y = (0.5 + Math.floor(i / columns)) * pitch + 10 * (chance() - 0.5)
    const inTumour = isInside(x, y, tumour)
    const [kept, brown, depth] = [chance(), chance(), chance()]
    const share = !inTumour ? 0.05 : Math.hypot(x - hot.x, y - hot.y) < hot.radius ? 0.8 : 0.25
    const grade = brown < share ? 1 + Math.floor(3 * depth) : 0
    // Stroma has half as many, and none lies on the tumour's border.
    const isThere = distanceTo(x, y, tumour) > 14 && (inTumour || kept < 0.5)
    return isThere ? [{ x, y, grade, inTumour }] : []
  }).flat()
}

const counted = (of: string, nuclei: readonly Nucleus[]): string => {
  const counts = grades.map((_, grade) => nuclei.filter((each) => each.grade === grade).length)
  const positive = nuclei.length - counts[0]!
  const hScore = counts.reduce((sum, count, grade) => sum + (100 * grade * count) / nuclei.length, 0)
  const share = ((100 * positive) / nuclei.length).toFixed(1)
  return `${of}: ${nuclei.length} nuclei, ${positive} of them brown (${share} %), H-score ${hScore.toFixed(0)}`
}

const ring = (corners: readonly (readonly [number, number])[]) => [[...corners, corners[0]!]]
const region = (name: string, coordinates: unknown) => ({
  type: 'Feature',
  geometry: { type: 'Polygon', coordinates },
  properties: { objectType: 'annotation', name, classification: { name } },
})

export const ki67: MadeSample = {
  words: 'made: Ki-67 in a tumour and its stroma, 2400 × 1600 px of 0.5 µm, hematoxylin and DAB',
  ending: '.tif',
  async make() {
    const nuclei = ki67Nuclei()
    const chance = seeded(671)
    const shapes = nuclei.map(({ x, y, grade, inTumour }) => {
      const [rx, ry] = inTumour ? [8 + 2 * chance(), 7 + 2 * chance()] : [10 + 2 * chance(), 5 + chance()]
      const place = `${x.toFixed(2)} ${y.toFixed(2)}`
      return `<ellipse transform="translate(${place}) rotate(${(180 * chance()).toFixed(1)})" rx="${rx.toFixed(2)}" ry="${ry.toFixed(2)}" fill="${nuclear[grade]}"/>`
    })
    const ground = `<polygon points="${tumour.map((corner) => corner.join(',')).join(' ')}" fill="rgb(226,224,228)"/>`
    const { width, height } = ki67Size
    const outer = [
      [0, 0],
      [width, 0],
      [width, height],
      [0, height],
    ] as const
    return {
      bytes: await tiffOf(ground + shapes.join(''), width, height, mpp, 0.8),
      truth: [
        counted('all', nuclei),
        counted(
          'Tumor',
          nuclei.filter((each) => each.inTumour),
        ),
        counted(
          'Stroma',
          nuclei.filter((each) => !each.inTumour),
        ),
      ],
      regions: {
        type: 'FeatureCollection',
        features: [region('Tumor', ring(tumour)), region('Stroma', [...ring(outer), ...ring(tumour)])],
      },
    }
  },
}

const cellMpp = 0.25
const cells = { columns: 14, rows: 9, pitch: 84, nucleus: 14, reach: 16, membrane: 4 } as const
const membranes = ['rgb(192,168,144)', 'rgb(168,132,100)', 'rgb(96,58,34)'] as const
/** How much of the border is brown. */
const completeness = [0, 0.05, 0.25, 0.4, 0.55, 0.65, 0.9, 1] as const

export const her2: MadeSample = {
  words: 'made: HER2-like membranes around 126 nuclei, 1236 × 816 px of 0.25 µm, hematoxylin and DAB',
  ending: '.tif',
  async make() {
    const chance = seeded(2)
    const middle = cells.nucleus + cells.reach - cells.membrane / 2
    const scores = [0, 0, 0, 0]
    const shapes = Array.from({ length: cells.columns * cells.rows }, (_, i) => {
      const x = 72 + (i % cells.columns) * cells.pitch + 6 * (chance() - 0.5)
      const y = 72 + Math.floor(i / cells.columns) * cells.pitch + 6 * (chance() - 0.5)
      const share = completeness[Math.floor(completeness.length * chance())]!
      const strength = Math.floor(3 * chance())
      const from = 2 * Math.PI * chance()
      // By the rules that assets/recipes/ihc-nuclei.json states.
      scores[share < 0.1 ? 0 : share >= 0.8 && strength > 0 ? strength + 1 : 1]!++
      const at = (angle: number): string =>
        `${(x + middle * Math.cos(angle)).toFixed(2)} ${(y + middle * Math.sin(angle)).toFixed(2)}`
      const stroke = `fill="none" stroke="${membranes[strength]}" stroke-width="${cells.membrane}"`
      const arc = `M ${at(from)} A ${middle} ${middle} 0 ${share > 0.5 ? 1 : 0} 1 ${at(from + 2 * Math.PI * share)}`
      const border =
        share === 0 ? '' : share === 1 ? `<circle cx="${x}" cy="${y}" r="${middle}" ${stroke}/>` : `<path d="${arc}" ${stroke}/>`
      return `${border}<circle cx="${x.toFixed(2)}" cy="${y.toFixed(2)}" r="${cells.nucleus}" fill="rgb(120,138,180)"/>`
    })
    const [width, height] = [60 + cells.columns * cells.pitch, 60 + cells.rows * cells.pitch]
    return {
      bytes: await tiffOf(shapes.join(''), width, height, cellMpp, 0.3),
      truth: [
        `${cells.columns * cells.rows} cells: ${scores.map((count, score) => `${count} of ${score === 0 ? '0' : `${score}+`}`).join(', ')}`,
      ],
    }
  },
}
