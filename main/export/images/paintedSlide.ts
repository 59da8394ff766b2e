// Any part of a slide as a picture in px of a chosen size, with the outlines of objects and the borders of regions: the same px however it is parted.
import Flatbush from 'flatbush'
import type { Shape } from '../../../app/contract'
import { dropAlpha } from '../../../native/index'
import type { PixelRect } from '../../base/rect'
import type { RunResult } from '../../run/objects/result'
import type { ExportTools } from '../exporter'
import { paintShapes } from '../picture/shapeLines'
import { paintOutlines } from '../picture/slidePicture'
import type { Canvas } from '../picture/slidePicture'

/** A line and its dark rim reach no farther beyond what they are of. */
const margin = 8

export interface Painting {
  readonly tools: Pick<ExportTools, 'readRgba' | 'threads'>
  /** Level-0 px per px. */
  readonly scale: number
  /** Whose objects are outlined; null: none. */
  readonly result: RunResult | null
  /** Level-0 px. */
  readonly borders: readonly Shape[]
}

export class PaintedSlide {
  readonly #painting: Painting
  readonly #index: Flatbush | null
  /** Parts that could not be read, and are hatched. */
  lost = 0

  /** O(objects · log objects). */
  constructor(painting: Painting) {
    this.#painting = painting
    const { result } = painting
    this.#index = result && result.objects.length > 0 ? indexOf(result) : null
  }

  /** `area` in px of the picture. Takes 8 bytes a px, and a margin, while it is made. */
  async read(area: PixelRect, signal: AbortSignal): Promise<Canvas> {
    const { borders, tools, scale, result } = this.#painting
    const around = this.#index !== null || borders.length > 0 ? margin : 0
    const wide = {
      x: area.x - around,
      y: area.y - around,
      width: area.width + 2 * around,
      height: area.height + 2 * around,
    }
    const { rgba, unreadable } = await tools.readRgba(scale, wide, signal)
    this.lost += unreadable
    const rgb = new Uint8Array(wide.width * wide.height * 3)
    dropAlpha(rgba, rgb, 0)
    const picture = { rgb, width: wide.width, height: wide.height, scale, x0: wide.x, y0: wide.y, lost: 0 }
    if (this.#index && result) {
      const per = scale / result.scale
      const [x0, y0] = [wide.x * per, wide.y * per]
      const found = this.#index.search(x0, y0, x0 + wide.width * per, y0 + wide.height * per).sort((a, b) => a - b)
      const objects = result.objects.only(Uint32Array.from(found))
      if (found.length > 0) await paintOutlines({ result: { ...result, objects }, tools, signal }, picture, () => undefined)
    }
    await paintShapes(borders, picture, signal)
    return around === 0 ? picture : inner(picture, around)
  }
}

function indexOf({ objects, cellReach }: RunResult): Flatbush {
  const index = new Flatbush(objects.length, 16, Int32Array)
  for (let i = 0; i < objects.length; i++) {
    const { minX, minY, maxX, maxY } = objects.at(i)
    index.add(minX - cellReach, minY - cellReach, maxX + cellReach, maxY + cellReach)
  }
  index.finish()
  return index
}

/** Without `around` px at each side. */
function inner({ rgb, width, height }: Canvas, around: number): Canvas {
  const [w, h] = [width - 2 * around, height - 2 * around]
  const own = new Uint8Array(w * h * 3)
  for (let y = 0; y < h; y++) {
    const from = ((y + around) * width + around) * 3
    own.set(rgb.subarray(from, from + w * 3), y * w * 3)
  }
  return { rgb: own, width: w, height: h }
}
