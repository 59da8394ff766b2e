// Numbers as people read them: lengths, magnification, times, counts, the scale bar. Pure.
import { measurements, type MeasurementKey } from '../../app/contract'

export interface ScaleBar {
  /** CSS px on screen. */
  readonly widthPx: number
  readonly label: string
}

/** The longest of 1, 2, 5 × 10ⁿ that fits. `mpp` null: the bar counts level-0 px and says so. */
export function scaleBar(zoom: number, mpp: number | null, maxWidthPx = 140): ScaleBar {
  const perUnit = mpp === null ? zoom : zoom / mpp
  const longest = maxWidthPx / perUnit
  const decade = 10 ** Math.floor(Math.log10(longest))
  const step = [5, 2, 1].find((n) => n * decade <= longest) ?? 1
  const length = step * decade
  return { widthPx: length * perUnit, label: mpp === null ? `${plain(length)} px` : formatUm(length) }
}

/** Without exponent and without binary noise. */
const plain = (value: number): string => String(Number(value.toPrecision(6)))

export function formatUm(um: number): string {
  if (um >= 1000) return `${plain(um / 1000)} mm`
  if (um < 1) return `${plain(um * 1000)} nm`
  return `${plain(um)} µm`
}

/** What a microscope's objective would show: 10x is 1 µm/px by convention; uncalibrated slides say per cent. */
export function magnification(zoom: number, mpp: number | null, objective: number | null, deviceRatio = 1): string {
  const perDevicePx = zoom * deviceRatio
  const power = objective !== null ? objective * perDevicePx : mpp !== null ? (10 / mpp) * perDevicePx : null
  if (power === null) return `${formatPercent(perDevicePx)}`
  return `${power >= 10 ? Math.round(power) : power >= 1 ? power.toFixed(1) : power.toFixed(2)}×`
}

export const formatPercent = (fraction: number): string => {
  const percent = fraction * 100
  return `${percent >= 10 ? Math.round(percent) : percent >= 1 ? percent.toFixed(1) : percent.toFixed(2)} %`
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
  const minutes = Math.floor(seconds / 60)
  const rest = Math.floor(seconds % 60)
  if (minutes < 60) return `${minutes} min ${String(rest).padStart(2, '0')} s`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}

const groups = new Intl.NumberFormat('en-US')
/** Thousands apart by a thin space: neither a decimal comma nor a decimal point. */
export const formatCount = (n: number): string => groups.format(Math.round(n)).replaceAll(',', '\u202f')

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['KiB', 'MiB', 'GiB', 'TiB']
  let value = bytes / 1024
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit] ?? 'KiB'}`
}

/** Three significant digits, no exponent. */
export function formatMeasure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  if (size >= 1000) return formatCount(value)
  if (size >= 100) return value.toFixed(1)
  if (size >= 10) return value.toFixed(2)
  return value.toFixed(3)
}

/** A sample of a channel: most are whole numbers. */
export const sampleText = (value: number): string => (Number.isInteger(value) ? formatCount(value) : formatMeasure(value))

/** A measurement of an object by its key, or the position of a column; null and NaN: it was not measured. */
export const formatMeasured = (key: string, value: number | null): string =>
  value !== null && Number.isFinite(value) && key in measurements && measurements[key as MeasurementKey].dimension === 'points'
    ? value.toFixed(0)
    : formatMeasure(value ?? Number.NaN)

/** In mm², below a hundredth of one in µm²; null: nobody knows how large a pixel is, so in Mpx. */
export function formatArea(mm2: number | null, megapixels: number): string {
  if (mm2 === null) return `${formatMeasure(megapixels)} Mpx`
  return mm2 < 0.01 ? `${formatCount(mm2 * 1e6)} µm²` : `${formatMeasure(mm2)} mm²`
}

/** As many decimals as a step needs. */
export function decimalsOf(step: number): number {
  const text = plain(step)
  const exponent = /e-(\d+)$/.exec(text)
  if (exponent) return Number(exponent[1])
  return text.includes('.') ? (text.split('.')[1]?.length ?? 0) : 0
}
export const formatParam = (value: number, step: number): string => {
  const digits = decimalsOf(step)
  const rounded = value.toFixed(digits)
  // A loaded value may lie between the steps: show all of it.
  return Number(rounded) === value ? rounded : String(value)
}
