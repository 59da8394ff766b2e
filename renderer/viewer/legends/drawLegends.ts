// The legends of a picture of the view, one above the other over its scale bar.
import { tableOf } from '../../arithmetic/colours'
import { words } from '../../words'
import type { ScaleLegend, ShownLegend } from './shownLegends'

const left = 14
const padding = 9
const gap = 6
const inner = 186
const titleHeight = 18
const rowHeight = 17
const scaleHeight = 28
/** More no one tells apart. */
const mostRows = 12
const font = 'system-ui, sans-serif'

/** Below `bottom` lies the scale bar; what finds no room above is left out, the ones behind it too. Upwards, CSS px. */
export function drawLegends(pen: CanvasRenderingContext2D, legends: readonly ShownLegend[], bottom: number): void {
  let below = bottom
  for (const legend of legends) {
    const lines = 'scale' in legend ? [] : linesOf(pen, legend)
    const height = 2 * padding + titleHeight + ('scale' in legend ? scaleHeight : lines.length * rowHeight) - 4
    if (below - gap - height < 0) return
    below -= gap + height
    pen.fillStyle = 'rgba(8, 11, 14, 0.72)'
    pen.fillRect(left, below, inner + 2 * padding, height)
    pen.textAlign = 'left'
    const [x, y] = [left + padding, below + padding]
    const hasUnit = 'scale' in legend && legend.unit
    write(pen, hasUnit ? words.legends.titleAndUnit(legend.title, legend.unit) : legend.title, x, y + 10, 600)
    if ('scale' in legend) drawScale(pen, legend, x, y + titleHeight)
    lines.forEach(({ label, colour }, i) => {
      const top = y + titleHeight + i * rowHeight
      if (colour !== undefined) {
        pen.fillStyle = colour
        pen.fillRect(x, top, 11, 11)
      }
      write(pen, label, x + (colour === undefined ? 0 : 18), top + 10, 400, inner - (colour === undefined ? 0 : 18))
    })
  }
}

function linesOf(
  pen: CanvasRenderingContext2D,
  { rows, note = '' }: Exclude<ShownLegend, ScaleLegend>,
): { label: string; colour?: string }[] {
  const more = rows.length - mostRows
  pen.font = `400 12px ${font}`
  return [
    ...rows.slice(0, mostRows),
    ...(more > 0 ? [{ label: words.legends.moreClasses(more) }] : []),
    ...wrapped(pen, note).map((label) => ({ label })),
  ]
}

function drawScale(pen: CanvasRenderingContext2D, { scale, from, low, high }: ScaleLegend, x: number, y: number): void {
  const table = tableOf(scale)
  const gradient = pen.createLinearGradient(x, 0, x + inner, 0)
  for (let n = 0; n <= 16; n++) {
    const at = Math.round(from + (n * (255 - from)) / 16) * 3
    gradient.addColorStop(n / 16, `rgb(${table[at]} ${table[at + 1]} ${table[at + 2]})`)
  }
  pen.fillStyle = gradient
  pen.fillRect(x, y, inner, 9)
  write(pen, low, x, y + 22, 400)
  pen.textAlign = 'right'
  write(pen, high, x + inner, y + 22, 400)
  pen.textAlign = 'left'
}

/** In one line, cut where it is too long. */
function write(pen: CanvasRenderingContext2D, text: string, x: number, y: number, weight: number, most = inner): void {
  pen.font = `${weight} 12px ${font}`
  pen.fillStyle = '#fff'
  let shown = text
  while (shown.length > 1 && pen.measureText(shown).width > most) shown = `${[...shown].slice(0, -2).join('')}…`
  pen.fillText(shown, x, y)
}

function wrapped(pen: CanvasRenderingContext2D, note: string): string[] {
  const lines: string[] = []
  for (const word of note.split(' ').filter(Boolean)) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word
    if (lines.length > 0 && pen.measureText(longer).width <= inner) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
