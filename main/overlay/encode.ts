// RGBA to PNG: overlay tiles are flat colours, so the cheapest compression is nearly the smallest.
import { ownBytes } from '../base/encoded'
import type { Encoded } from '../base/encoded'
import { sharp } from '../base/sharp'

export async function encodePng(rgba: Uint8Array, sizePx: number): Promise<Encoded> {
  const png = await sharp()(rgba, { raw: { width: sizePx, height: sizePx, channels: 4 } })
    .png({ compressionLevel: 2, adaptiveFiltering: false })
    .toBuffer()
  return { type: 'image/png', body: ownBytes(png) }
}
