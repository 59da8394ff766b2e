// A picture of a part of the slide in which what the file could not give is hatched.
import type { CancelToken, ReadLimits, ScaledRead, Slide } from '../../native/index'
import type { PixelRect } from '../base/rect'
import { hatchParts, missing } from './hatch'

/** `area` in px of `scale` level-0 px each. */
export async function readHatched(
  native: Slide,
  scale: number,
  area: PixelRect,
  token?: CancelToken,
  limits?: ReadLimits,
): Promise<ScaledRead> {
  const read = await native.readScaled(scale, area.x, area.y, area.width, area.height, token, limits)
  hatchParts(read.rgba, area, scale, missing(read.unreadable))
  return read
}
