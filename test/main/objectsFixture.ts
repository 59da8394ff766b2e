// Objects drawn by hand: each letter of a picture is one object, as the native engine would report it.
import { MEASUREMENT_FIELDS } from '../../native/index'
import type { MeasurementField, ObjectColumns } from '../../native/index'

/** Rows of equal length; '.' is background. Objects come in raster order of their first pixels. */
export function drawn(...rows: string[]): ObjectColumns {
  const letters = [...new Set(rows.join('').replaceAll('.', ''))]
  const columns = Object.fromEntries(MEASUREMENT_FIELDS.map((field) => [field, new Float64Array(letters.length)])) as Record<
    MeasurementField,
    Float64Array<ArrayBuffer>
  >
  const runs: number[] = []
  const runOffsets = [0]
  letters.forEach((letter, k) => {
    const pixels = rows.flatMap((row, y) => [...row].flatMap((c, x) => (c === letter ? [{ x, y }] : [])))
    rows.forEach((row, y) => {
      for (const m of row.matchAll(new RegExp(`${letter}+`, 'g'))) runs.push(y, m.index, m.index + m[0].length)
    })
    runOffsets.push(runs.length / 3)
    const put = (field: MeasurementField, value: number): void => void (columns[field][k] = value)
    put('label', k + 1)
    put('area', pixels.length)
    put('firstX', pixels[0]!.x)
    put('firstY', pixels[0]!.y)
    put('minX', Math.min(...pixels.map((p) => p.x)))
    put('maxX', Math.max(...pixels.map((p) => p.x)))
    put('minY', Math.min(...pixels.map((p) => p.y)))
    put('maxY', Math.max(...pixels.map((p) => p.y)))
    put('centroidX', pixels.reduce((sum, p) => sum + p.x + 0.5, 0) / pixels.length)
    put('centroidY', pixels.reduce((sum, p) => sum + p.y + 0.5, 0) / pixels.length)
    put('stain1Mean', 0.5)
  })
  return { count: letters.length, columns, runs: Int32Array.from(runs), runOffsets: Int32Array.from(runOffsets) }
}
