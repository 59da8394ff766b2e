// A picture in H-DAB with a hot spot: every sixth nucleus is brown, and around one place four of five are.
import sharp from 'sharp'

/** µm/px that it is made for. */
export const hotSpotMpp = 0.5
export const size = { width: 2400, height: 1600 } as const
/** The place, level-0 px. */
export const hot = { x: 1650, y: 520, radius: 260 } as const
const pitch = 40

export const hotSpotNuclei = Array.from({ length: (size.height / pitch) * (size.width / pitch) }, (_, i) => {
  const columns = size.width / pitch
  const [column, row] = [i % columns, Math.floor(i / columns)]
  const [x, y] = [(column + 0.5) * pitch, (row + 0.5) * pitch]
  const isNear = Math.hypot(x - hot.x, y - hot.y) < hot.radius
  return { x, y, isBrown: isNear ? (column + 2 * row) % 5 !== 0 : (column + 2 * row) % 6 === 0 }
})

export async function paintsHotSpot(path: string): Promise<void> {
  const nuclei = hotSpotNuclei.map(
    ({ x, y, isBrown }) =>
      `<ellipse cx="${x}" cy="${y}" rx="9" ry="8" fill="${isBrown ? 'rgb(96,58,34)' : 'rgb(150,168,206)'}"/>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"><rect width="100%" height="100%" fill="rgb(238,236,232)"/>${nuclei.join('')}</svg>`
  await sharp(Buffer.from(svg))
    .blur(0.8)
    .removeAlpha()
    .tiff({ compression: 'lzw', xres: 1000 / hotSpotMpp, yres: 1000 / hotSpotMpp, resolutionUnit: 'cm' })
    .toFile(path)
}
