// A picture of nuclei in H-DAB, painted: Ki-67 as it is, pale blue nuclei, and every third brown.
import sharp from 'sharp'

const columns = 12
const rows = 8
export const ihcNuclei = columns * rows

export async function paintsIhc(path: string): Promise<void> {
  const nuclei = Array.from({ length: ihcNuclei }, (_, i) => {
    const color = i % 3 === 0 ? 'rgb(96,58,34)' : 'rgb(178,192,212)'
    return `<ellipse cx="${60 + (i % columns) * 75}" cy="${60 + Math.floor(i / columns) * 75}" rx="17" ry="14" fill="${color}"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="640"><rect width="960" height="640" fill="rgb(238,236,232)"/>${nuclei.join('')}</svg>`
  await sharp(Buffer.from(svg)).blur(1.2).removeAlpha().png().toFile(path)
}
