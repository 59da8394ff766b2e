// Objects drawn by hand: each letter of a picture is one object, as the native engine would report it.
import type { MeasurementField } from '../../native/index'
import type { Plain } from './packing'

/** Rows of equal length; '.' is background. Objects come in raster order of their first pixels. */
export function drawn(...rows: string[]): Plain[] {
  const letters = [...new Set(rows.join('').replaceAll('.', ''))]
  return letters.map((letter) => {
    const pixels = rows.flatMap((row, y) => [...row].flatMap((c, x) => (c === letter ? [{ x, y }] : [])))
    const runs = rows.flatMap((row, y) =>
      [...row.matchAll(new RegExp(`${letter}+`, 'g'))].flatMap((m) => [y, m.index, m.index + m[0].length]),
    )
    const mean = (values: number[]): number => values.reduce((sum, value) => sum + value + 0.5, 0) / values.length
    const xs = pixels.map(({ x }) => x)
    const ys = pixels.map(({ y }) => y)
    const values: Partial<Record<MeasurementField, number>> = {
      area: pixels.length,
      firstX: pixels[0]!.x,
      firstY: pixels[0]!.y,
      minX: Math.min(...xs),
      maxX: Math.max(...xs),
      minY: Math.min(...ys),
      maxY: Math.max(...ys),
      centroidX: mean(xs),
      centroidY: mean(ys),
      stain1Mean: 0.5,
    }
    return { value: (field) => values[field] ?? 0, runs: Int32Array.from(runs) }
  })
}
