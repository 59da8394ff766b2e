// The grid over the slide: squares of a round length, from the slide's corner, as far apart as can be told apart on the screen. Pure.
import { formatUm } from './format'
import { visibleBox, type View } from './geometry'

export interface Grid {
  /** Level-0 px between lines. */
  readonly stepX: number
  readonly stepY: number
  readonly label: string
  /** Level-0 px. */
  readonly xs: readonly number[]
  readonly ys: readonly number[]
}

/** Between lines on the screen at least, CSS px. */
const leastPx = 90

/** The shortest of 1, 2, 5 × 10ⁿ that is `least` or more. */
function roundUp(least: number): number {
  const decade = 10 ** Math.floor(Math.log10(least))
  return decade * ([1, 2, 5, 10].find((n) => n * decade >= least * (1 - 1e-9)) ?? 10)
}

function placesIn(from: number, to: number, step: number, end: number): number[] {
  const places: number[] = []
  for (let n = Math.max(0, Math.ceil(from / step)); n * step <= Math.min(to, end); n++) places.push(n * step)
  return places
}

/** `mppX`, `mppY` null: squares of px, which says so. */
export function gridLines(
  view: View,
  slide: { readonly widthPx: number; readonly heightPx: number; readonly mppX: number | null; readonly mppY: number | null },
): Grid {
  const { mppX, mppY } = slide
  const box = visibleBox(view)
  const known = mppX !== null && mppY !== null
  const length = roundUp((leastPx / view.zoom) * (known ? Math.max(mppX, mppY) : 1))
  const stepX = known ? length / mppX : length
  const stepY = known ? length / mppY : length
  return {
    stepX,
    stepY,
    label: known ? formatUm(length) : `${length} px`,
    xs: placesIn(box.x, box.x + box.width, stepX, slide.widthPx),
    ys: placesIn(box.y, box.y + box.height, stepY, slide.heightPx),
  }
}
