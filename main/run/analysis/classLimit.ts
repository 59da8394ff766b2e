// The limit between a recipe's two classes as a sample of the slide shows it: Otsu's level of its nuclei's means, within what counts as stained anywhere.
import type { ClassLimit, ClassRule } from '../../../app/contract'
import { memorySlide, planOf, runWindow, tokenOf } from '../../../native/index'
import type { Sample } from '../../slide/overviewSample'
import type { Analysis } from './analysis'
import { isAbove } from '../objects/objectClasses'
import { PackedObjects, stainField } from '../objects/packedObjects'

/** Fewer nuclei tell nothing. */
const leastNuclei = 30
/**
 * OD, both. Where all nuclei are of one class Otsu's level lies within that class: below the first it would part blue nuclei by their noise, above the
 * second brown ones by how brown they are (test/bench/results/quality.md).
 */
const least = 0.15
const most = 0.4
/** Of what is found: hundredths of an OD, as the recipe's own slider has them. */
const stepsPerOd = 100
/** Bins of the histogram that the level is found in, an OD. */
const binsPerOd = 1000

/** Otsu 1979 of `means` (OD, each in a bin of 0.001 of it); of several levels that part them equally well the middle. null: all are in one bin. */
export function otsuOf(means: readonly number[] | Float64Array): number | null {
  const bins = new Map<number, number>()
  let sum = 0
  for (const mean of means) {
    const bin = Math.round(mean * binsPerOd)
    bins.set(bin, (bins.get(bin) ?? 0) + 1)
    sum += bin
  }
  const values = [...bins.keys()].sort((a, b) => a - b)
  let [count, below, best, level] = [0, 0, 0, null as number | null]
  for (const [i, value] of values.entries()) {
    const next = values[i + 1]
    if (next === undefined) break
    count += bins.get(value)!
    below += value * bins.get(value)!
    const apart = below * means.length - sum * count
    const between = apart ** 2 / (count * (means.length - count))
    if (between <= best) continue
    best = between
    level = (value + next) / 2 / binsPerOd
  }
  return level
}

/** Of the objects' means; null where there are too few of them. */
export function limitOf(means: readonly number[] | Float64Array): ClassLimit | null {
  if (means.length < leastNuclei) return null
  // Objects of one and the same mean are as the floor says.
  const level = Math.min(most, Math.max(least, otsuOf(means) ?? least))
  const limit = Math.round(level * stepsPerOd) / stepsPerOd
  const above = Array.from(means).filter((mean) => isAbove({ limits: [limit] }, mean)).length
  return { limit, nuclei: means.length, above }
}

/**
 * What the recipe finds in a sample of its slide, as one picture: patches of it lie side by side, and the few nuclei at their seams are cut or
 * put together. O(sample); the same for the same slide, scale and values.
 */
export async function limitInSample(
  { slide, spec, params }: Analysis,
  { channel }: ClassRule,
  { rgba, width, height }: Sample,
  threads: number,
  signal: AbortSignal,
): Promise<ClassLimit | null> {
  const picture = memorySlide({ path: slide.info.path }, rgba, width, height)
  try {
    const whole = { x: 0, y: 0, width, height }
    const { objects } = await runWindow({
      slide: picture,
      scale: 1,
      ...whole,
      core: whole,
      plan: planOf(spec.pipeline, params),
      threads,
      cancelToken: tokenOf(signal),
    })
    const means = new Float64Array(objects.count)
    PackedObjects.of(objects).copyValues(stainField('mean', channel), means)
    return limitOf(means)
  } finally {
    picture.close()
  }
}
