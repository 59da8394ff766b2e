// The tissue of a slide as a small mask that another section's can be laid on.
import { EngineError } from '../../base/errors'
import { recogniseSlide } from '../../slide/recognise'
import type { OpenSlide } from '../../slide/slides'
import { tissueOf } from '../../slide/tissue'
import type { TissueMask } from './tissueFit'

/** Px of the mask along the slide's longer side. */
const mostAcross = 500
/** What counts as tissue, as recipes have it. */
const level = 8
/** Of a slide that nobody calibrated: its tissue is looked for as if it were this. */
const likelyMpp = 0.5

/** `px`: how long a px of level 0 is along each axis. Throws INVALID_PARAMETER where the slide has no overview. */
export async function slideTissue(
  slide: OpenSlide,
  px: { readonly x: number; readonly y: number },
  threads: number,
  signal: AbortSignal,
): Promise<TissueMask> {
  const { name, widthPx, heightPx, mppX } = slide.info
  const { stain } = await recogniseSlide(slide, signal)
  const rule = { shines: stain === 'fluorescence', level }
  const tissue = await tissueOf(slide, mppX ?? likelyMpp, rule, threads, signal)
  if (tissue === null)
    throw new EngineError(
      'INVALID_PARAMETER',
      `${name} has no small level from which its tissue could be told. Mark the same places as points on both slides instead.`,
    )
  const side = Math.max(widthPx * px.x, heightPx * px.y) / mostAcross
  const [across, down] = [side / px.x, side / px.y]
  const [width, height] = [Math.max(2, Math.ceil(widthPx / across)), Math.max(2, Math.ceil(heightPx / down))]
  const values = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (2 * tissue.areaIn({ x: x * across, y: y * down, width: across, height: down }) >= across * down)
        values[y * width + x] = 1
  return { width, height, side, values }
}
