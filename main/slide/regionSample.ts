// A sample of one region of a slide, taken and bounded as the slide's own is; what lies outside the region is glass in it.
import { setImmediate as others } from 'node:timers/promises'
import type { ScaledRead } from '../../native/index'
import { tokenOf } from '../../native/index'
import type { PixelRect } from '../base/rect'
import { overviewSample } from './overviewSample'
import type { Sample } from './overviewSample'
import { patientReads } from './patientReads'
import type { OpenSlide } from './slides'

const glass = 255
/** Of a read whose pixels are asked one by one, before the engine's other work has a turn: some 20 ms. */
const rowsAtOnce = 64

/** Whether a place lies in the region; level-0 px. */
export type Holder = (x: number, y: number) => boolean

/** Of `area`, px of the scale; null for `holds`: all of it. Nothing is kept: a region is asked about once. */
export function regionSample(
  { info, native }: OpenSlide,
  scale: number,
  area: PixelRect,
  holds: Holder | null,
  signal: AbortSignal,
): Promise<Sample> {
  const downsamples = info.levels.map((level) => level.downsample)
  const readScaled: typeof native.readScaled = async (...asked) => {
    const read = await patientReads(native).readScaled(...asked)
    if (holds) await clear(read, asked, holds, signal)
    return read
  }
  return overviewSample({ native: { readScaled }, scale, area, downsamples, token: tokenOf(signal) })
}

async function clear(
  { rgba, width, height }: ScaledRead,
  [scale, x, y]: readonly [scale: number, x: number, y: number, ...unknown[]],
  holds: Holder,
  signal: AbortSignal,
): Promise<void> {
  for (let row = 0; row < height; row++) {
    if (row % rowsAtOnce === rowsAtOnce - 1) {
      await others()
      signal.throwIfAborted()
    }
    for (let column = 0; column < width; column++) {
      if (holds((x + column + 0.5) * scale, (y + row + 0.5) * scale)) continue
      const at = (row * width + column) * 4
      rgba.fill(glass, at, at + 3)
    }
  }
}
