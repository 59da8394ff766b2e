// A slide's regions as the pieces of a GeoJSON file's text, made while others are answered; who waits hears how far it is.
import type { AppEvent } from '../../../app/contract'
import { breather, inSteps } from '../../base/breather'
import type { Corner } from '../../base/corner'
import { Throttle } from '../../run/schedule/throttle'
import { exportOf } from './geojson'
import type { Content } from '../content'
import { placing } from '../regions/placed'

const progressMs = 200
/** Nobody wants to hear of what takes no longer. */
const usualPatienceMs = 400

interface Asked {
  readonly key: string
  /** null: all of the slide's. */
  readonly ids: readonly string[] | null
  readonly hidden: boolean
  readonly corner: Corner | null
}

/** The pieces of its text, in order. Throws CancelledError. */
export async function exportRegions(
  content: Content,
  { key, ids, hidden, corner }: Asked,
  signal: AbortSignal,
  emit: (event: AppEvent) => void,
  patienceMs = usualPatienceMs,
): Promise<string[]> {
  const regions = await inSteps(placing(content, key), breather(signal))
  const count = ids?.length ?? regions.length
  const begun = performance.now()
  let done = 0
  const progress = new Throttle(progressMs, () => emit({ type: 'regions:written', key, fraction: Math.min(0.99, done / count) }))
  const wrote = (): void => {
    done += 1
    if (performance.now() - begun > patienceMs) progress.poke()
  }
  try {
    return await exportOf(regions, content, ids, hidden, { signal, each: wrote }, corner)
  } finally {
    progress.stop()
  }
}
