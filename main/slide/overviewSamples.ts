// The overview samples of slides, kept within a budget: one for every slide and scale.
import { tokenOf } from '../../native/index'
import { ByteCache } from '../base/byteCache'
import type { PixelRect } from '../base/rect'
import { overviewSample } from './overviewSample'
import type { Sample } from './overviewSample'
import { patientReads } from './patientReads'
import type { OpenSlide } from './slides'

const cacheBytes = 96 * 1024 * 1024

export class OverviewSamples {
  private readonly cache = new ByteCache<Sample>(cacheBytes, ({ rgba, deep }) => rgba.byteLength + (deep?.byteLength ?? 0))

  /** Of `area`, which the slide and the scale decide (px of the scale). Read once however many ask; one with holes is not kept. */
  get({ info, native }: OpenSlide, scale: number, area: PixelRect, threads: number, signal: AbortSignal): Promise<Sample> {
    const downsamples = info.levels.map((level) => level.downsample)
    return this.cache.getOrCompute(
      `${info.slideId}/${scale}`,
      (stop) =>
        overviewSample({
          native: patientReads(native),
          ...{ scale, area, downsamples, threads, token: tokenOf(stop), deep: info.depth !== undefined },
        }),
      { signal, isKept: ({ passedOver, holes }) => passedOver + holes === 0 },
    )
  }

  forget(slideId: string): void {
    this.cache.deletePrefix(`${slideId}/`)
  }
}
