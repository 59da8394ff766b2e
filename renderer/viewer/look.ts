// The look that the overlay's state asks for, and the ends of its scales as what is in view has them. Pure.
import { placeInTile, type ColourColumn } from '../../app/contract'
import { inks, roundUp, spreadOf } from '../arithmetic/colours'
import type { OverlayState, ScaleRange } from '../store/slices/uiSlice'
import type { Look, Range } from './tiles/paintTile'
import type { LoadedTile } from './tiles/tileCache'

/** A nucleus is some 8 µm: at 40× an outline has its whole width, from afar a px, or nothing of the nucleus would be left. */
const fullWidthUmPerPx = 0.25
export const outlineWidth = (widthPx: number, umPerPx: number): number =>
  Math.max(1, Math.min(widthPx, (widthPx * fullWidthUmPerPx) / umPerPx))
/** Farther away the dark rims of neighbours would run together. */
const rimUmPerPx = 1.1

export function lookOf(overlay: OverlayState, umPerPx: number): Look {
  const { style, opacity, ink, column, scale, layerScale, densityTop } = overlay
  const range = overlay.range ?? { low: 0, high: 1 }
  const layerRange = overlay.layerRange ?? { low: 0, high: 255 }
  const hasRim = umPerPx <= rimUmPerPx
  const parts = [hasRim, style, style === 'filled' ? opacity : '', ink, column, scale, range.low, range.high]
  const key = [...parts, layerScale, layerRange.low, layerRange.high, densityTop].join()
  return {
    key,
    hasRim,
    style,
    ink: inks[ink],
    opacity,
    column,
    range,
    scale,
    layerScale,
    layerRange,
    densityTop: densityTop ?? 1,
  }
}

export const differs = (known: ScaleRange | null, found: ScaleRange | null | undefined): boolean =>
  found != null && (known?.low !== found.low || known.high !== found.high || known.settled !== found.settled)

/** All but the smallest and the largest twentieth. */
export function columnRangeOf(tiles: Iterable<LoadedTile>, column: ColourColumn): Range | null {
  const values: number[] = []
  for (const { data } of tiles) {
    if (data.kind !== 'objects') continue
    const place = placeInTile(data, column)
    if (!place) continue
    for (let n = 0; n < data.count; n++) {
      const value = place.values[place.first + n * place.step]!
      // Not measured.
      if (!Number.isNaN(value)) values.push(value)
    }
  }
  return spreadOf(values, 0.05, 0.95)
}

/** All but one in two hundred px at either end; never less than a few levels, or noise would look like something. */
export function planeRangeOf(tiles: Iterable<LoadedTile>): Range | null {
  const bins = new Uint32Array(256)
  let total = 0
  for (const { data } of tiles) {
    if (data.kind === 'objects' || data.kind === 'density') continue
    for (const value of data.values) {
      if (value < 256) continue
      bins[value - 256]! += 1
      total++
    }
  }
  if (total === 0) return null
  const at = (share: number): number => {
    let sum = 0
    for (let value = 0; value < 256; value++) if ((sum += bins[value]!) > share * total) return value
    return 255
  }
  const low = at(0.005)
  return { low, high: Math.max(at(0.995), Math.min(255, low + 8)) }
}

/** A round number that all but the fullest fiftieth of cells with objects lie below. */
export function densityTopOf(tiles: Iterable<LoadedTile>): number | null {
  const filled: number[] = []
  for (const { data } of tiles) {
    if (data.kind === 'density') for (const count of data.counts) if (count > 0) filled.push(count / data.cellArea)
  }
  const spread = spreadOf(filled, 0, 0.98)
  return spread && roundUp(spread.high)
}
