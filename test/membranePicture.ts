// A picture of cells in H-DAB whose membranes are painted: of each it is known how much of its border is brown, and how strongly.
import sharp from 'sharp'

const columns = 12
const rows = 8
export const membraneCells = columns * rows
const pitch = 80
const nucleusPx = 14
/** From the nucleus's border to the membrane's outer one, px; 0.25 µm each. */
export const cellReachPx = 16
const membranePx = 4

/** Mean DAB rises from one to the next. */
const browns = ['rgb(192,168,144)', 'rgb(168,132,100)', 'rgb(96,58,34)'] as const

export interface MadeMembrane {
  readonly x: number
  readonly y: number
  /** Of the border, from 0 to 1. */
  readonly share: number
  /** 0 weak to 2 strong. */
  readonly strength: number
}

/** By the rules that assets/recipes/ihc-nuclei.json states. */
export const membraneScoreOf = ({ share, strength }: MadeMembrane): number =>
  share < 0.1 ? 0 : share >= 0.8 && strength > 0 ? strength + 1 : 1

const shares = [0, 0.05, 0.25, 0.4, 0.55, 0.65, 0.9, 1]
/** In raster order. */
export const madeMembranes: readonly MadeMembrane[] = Array.from({ length: membraneCells }, (_, i) => ({
  x: 60 + (i % columns) * pitch,
  y: 60 + Math.floor(i / columns) * pitch,
  share: shares[i % shares.length]!,
  strength: Math.floor(i / shares.length) % browns.length,
}))

/** The outer and inner arc of a ring that begins at the angle `from`, radians. */
function ring({ x, y, share, strength }: MadeMembrane, from: number): string {
  if (share === 0) return ''
  const middle = nucleusPx + cellReachPx - membranePx / 2
  if (share === 1)
    return `<circle cx="${x}" cy="${y}" r="${middle}" fill="none" stroke="${browns[strength]}" stroke-width="${membranePx}"/>`
  const at = (angle: number): string => `${x + middle * Math.cos(angle)} ${y + middle * Math.sin(angle)}`
  const to = from + 2 * Math.PI * share
  const arc = `M ${at(from)} A ${middle} ${middle} 0 ${share > 0.5 ? 1 : 0} 1 ${at(to)}`
  return `<path d="${arc}" fill="none" stroke="${browns[strength]}" stroke-width="${membranePx}"/>`
}

/** A PNG, or a TIFF that says how large its pixels are. */
export async function paintsMembranes(path: string): Promise<void> {
  const cells = madeMembranes.map(
    (made, i) => `${ring(made, i)}<circle cx="${made.x}" cy="${made.y}" r="${nucleusPx}" fill="rgb(120,138,180)"/>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="680"><rect width="1000" height="680" fill="rgb(238,236,232)"/>${cells.join('')}</svg>`
  const picture = sharp(Buffer.from(svg)).removeAlpha()
  const perMm = 1000 / 0.25
  if (path.endsWith('.tif'))
    await picture.tiff({ compression: 'lzw', xres: perMm, yres: perMm, resolutionUnit: 'cm' }).toFile(path)
  else await picture.png().toFile(path)
}
