// The picture of a comparison: the image, paler, with every outline in the colour of what became of it.
import type { Comparison, ObjectFate, TruthFate } from './compare'

type Rgb = readonly [number, number, number]

/** Truth that was hit is green, split yellow, merged blue, missed red. */
export const truthColors: Readonly<Record<TruthFate, Rgb>> = {
  hit: [0, 140, 60],
  split: [235, 170, 0],
  merged: [0, 90, 230],
  missed: [220, 20, 30],
}
/** Of the objects those that are no nucleus are shown, in magenta; what the others came to is told by the truth. Thin black: their outlines. */
export const objectColors: Readonly<Record<ObjectFate, Rgb>> = {
  hit: [0, 0, 0],
  piece: [0, 0, 0],
  over: [0, 0, 0],
  false: [210, 0, 210],
}

/** RGBA of the image's size: truths' inner outlines over objects' over the image, which is blended half with white. */
export function pictureOf(
  { width, height, rgba }: { width: number; height: number; rgba: Uint8Array },
  truth: ArrayLike<number>,
  objects: ArrayLike<number>,
  { truthFates, objectFates }: Pick<Comparison, 'truthFates' | 'objectFates'>,
): Uint8Array {
  const out = Uint8Array.from(rgba, (value, k) => (k % 4 === 3 ? 255 : (value + 255) >> 1))
  const outline = (labels: ArrayLike<number>, colorOf: (label: number) => Rgb | undefined): void => {
    for (let y = 0; y < height; ++y) {
      for (let x = 0; x < width; ++x) {
        const p = y * width + x
        const label = labels[p]!
        if (label === 0) continue
        const inner =
          (x === 0 || labels[p - 1] === label) &&
          (x === width - 1 || labels[p + 1] === label) &&
          (y === 0 || labels[p - width] === label) &&
          (y === height - 1 || labels[p + width] === label)
        const color = inner ? undefined : colorOf(label)
        if (color) out.set(color, 4 * p)
      }
    }
  }
  outline(objects, (label) => objectColors[objectFates.get(label) ?? 'false'])
  outline(truth, (label) => truthColors[truthFates.get(label) ?? 'missed'])
  return out
}
