// Intermediate images as squares of numbers: padded to a tile, and halved for views from afar.
import type { PlaneTile } from '../../app/contract'
import { EngineError } from '../base/errors'
import type { LayerPlane } from '../run/tiles/layerPlane'
import type { Run } from '../run/run'

export type PlaneSquare = Pick<PlaneTile, 'kind' | 'values'>
const known = 256

/** In the top left corner of a square of which nothing else is known. Binary images hold 0 and 255. */
export function padded({ kind, width, height, data }: LayerPlane, sizePx: number): PlaneSquare {
  const values = new Uint16Array(sizePx * sizePx)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = data[y * width + x]!
      values[y * sizePx + x] = known + (kind === 'binary' && value > 0 ? 255 : value)
    }
  }
  return { kind, values }
}

/** What the run's slide shows as tissue; of a run that takes all of the slide, everything. NOT_FOUND before its overview was looked at. */
export function tissueTile({ draft, analysis, runId }: Run, level: number, x: number, y: number): PlaneTile {
  if (!analysis) throw new EngineError('NOT_FOUND', `The tissue of the run ${runId} is not known yet.`)
  const { tileSizePx: side, widthPx, heightPx } = draft.grid
  const values = new Uint16Array(side * side)
  for (let j = 0; j < side; j++) {
    for (let i = 0; i < side; i++) {
      const at = { x: (x * side + i) * 2 ** level, y: (y * side + j) * 2 ** level }
      if (at.x >= widthPx || at.y >= heightPx) continue
      values[j * side + i] = known + ((analysis.tissue?.at(at.x, at.y) ?? true) ? 255 : 0)
    }
  }
  return { kind: 'binary', values, sidePx: side }
}

/** Four squares side by side, halved: the mean of what is known; of colours, which have none, the first. Order: 00 10 01 11. null where there is nothing. */
export function halve(parts: readonly (PlaneSquare | null)[], sizePx: number): PlaneSquare | null {
  const kind = parts.find((part) => part)?.kind
  if (!kind) return null
  const values = new Uint16Array(sizePx * sizePx)
  const half = sizePx / 2
  parts.forEach((part, n) => {
    if (!part) return
    const left = (n % 2) * half
    const top = Math.floor(n / 2) * half
    for (let j = 0; j < half; j++) {
      for (let i = 0; i < half; i++) {
        let sum = 0
        let count = 0
        for (let k = 0; k < 4; k++) {
          const value = part.values[(j * 2 + (k >> 1)) * sizePx + i * 2 + (k & 1)]!
          if (value < known || (kind === 'colored' && count > 0)) continue
          sum += value - known
          count++
        }
        if (count > 0) values[(top + j) * sizePx + left + i] = known + Math.round(sum / count)
      }
    }
  })
  return { kind, values }
}
