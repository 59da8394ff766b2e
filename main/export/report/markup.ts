// HTML and SVG of a report: text is escaped, always; numbers are as people read them. Pure.
import { noun } from '../../../app/contract'
import { plainText } from '../../base/plainText'

/** Text that is HTML already: made by this file alone, so that nothing foreign gets in unescaped. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
type Cell = string | number | Markup | null

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** As text or as a quoted attribute; what steers reading is shown. */
export const escaped = (text: string): string => plainText(text).replace(/[&<>"']/g, (character) => entities[character]!)

const textOf = (cell: Cell | readonly Markup[]): string =>
  cell === null
    ? '–'
    : cell instanceof Markup
      ? cell.text
      : typeof cell === 'object'
        ? cell.map(({ text }) => text).join('\n')
        : escaped(String(cell))

/** A template whose values are escaped, but for markup. */
export function html(parts: TemplateStringsArray, ...values: readonly (Cell | readonly Markup[])[]): Markup {
  return new Markup(parts.reduce((text, part, i) => `${text}${textOf(values[i - 1] ?? null)}${part}`))
}

/** Three digits of what is small, all of what is counted: 0.0123, 12.3, 1,234. */
export function numberText(value: number | null, digits = 3): string {
  if (value === null || !Number.isFinite(value)) return '–'
  if (Number.isInteger(value) || Math.abs(value) >= 10 ** (digits - 1)) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(digits)))
}
export const percentText = (share: number): string => `${(100 * share).toFixed(1)} %`
export const durationText = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : ms < 120_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`

/** The first `texts` columns hold text, the others numbers. */
export function tableOf(caption: string, heads: readonly string[], rows: readonly (readonly Cell[])[], texts = 1): Markup {
  const kind = (column: number): string => (column < texts ? 't' : 'n')
  const cells = (row: readonly Cell[]) =>
    row.map((cell, i) => (i === 0 ? html`<th scope="row">${cell}</th>` : html`<td class="${kind(i)}">${cell}</td>`))
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${heads.map((head, i) => html`<th scope="col" class="${kind(i)}">${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${cells(row)}
          </tr>`,
      )}
    </tbody>
  </table>`
}

/** Label and value, side by side. */
export const factsOf = (facts: readonly (readonly [label: string, value: Cell])[]): Markup =>
  html`<dl>
    ${facts.map(
      ([label, value]) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`

/** 1, 2 or 5 of a power of ten, a quarter of the whole at most. */
export function barLength(whole: number): number {
  const power = 10 ** Math.floor(Math.log10(whole / 4))
  return [5, 2, 1].map((n) => n * power).find((length) => length <= whole / 4) ?? power
}

export interface ReportPicture {
  readonly title: string
  /** JPEG, base 64. */
  readonly jpeg: string
  readonly width: number
  readonly height: number
  /** Of a px of the picture; null: uncalibrated. */
  readonly umPerPx: number | null
  /** Level-0 px of a px of the picture. */
  readonly scale: number
  /** In px of the picture. */
  readonly frame?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | undefined
  /** Of regions of interest, in px of the picture. */
  readonly outlines?: readonly ReportOutline[] | undefined
  /** The colours of the objects' outlines, where they have classes. */
  readonly legend?: readonly { readonly label: string; readonly color: readonly number[] }[] | undefined
}

export interface ReportOutline {
  /** '': none is written. */
  readonly title: string
  /** #rrggbb. */
  readonly color: string
  /** SVG's. */
  readonly path: string
  /** The middle of its title's line. */
  readonly x: number
  readonly y: number
}

/** A dark rim below, so that it is seen on stain and on glass. */
function outlineOf({ title, color, path, x, y }: ReportOutline, unit: number): Markup {
  const name =
    title === ''
      ? ''
      : html`<text
          x="${x}"
          y="${y}"
          font-size="${2.4 * unit}"
          text-anchor="middle"
          fill="#000"
          stroke="#fff"
          stroke-width="${0.6 * unit}"
          stroke-linejoin="round"
          paint-order="stroke"
          >${title}</text
        >`
  return html`<path d="${path}" fill="none" stroke="#000" stroke-width="${unit * 0.8}" stroke-linejoin="round" /><path
      d="${path}"
      fill="none"
      stroke="${color}"
      stroke-width="${unit * 0.45}"
      stroke-linejoin="round"
    />${name}`
}

/** A dot of a class's colour. */
export const swatchOf = (color: readonly number[]): Markup =>
  html`<span class="swatch" style="background:rgb(${color.join(' ')})"></span>`

/** With its scale bar in a corner. */
export function pictureOf({
  title,
  jpeg,
  width,
  height,
  umPerPx,
  scale,
  frame,
  outlines = [],
  legend = [],
}: ReportPicture): Markup {
  const perPx = umPerPx ?? scale
  const length = barLength(width * perPx)
  const label =
    umPerPx === null
      ? `${numberText(length)} px`
      : length >= 1000
        ? `${numberText(length / 1000)} mm`
        : `${numberText(length)} µm`
  const [bar, unit] = [length / perPx, Math.max(width, height) / 100]
  const [x, y] = [2 * unit, height - 2 * unit]
  const framed = frame
    ? html`<rect
          x="${frame.x}"
          y="${frame.y}"
          width="${frame.width}"
          height="${frame.height}"
          fill="none"
          stroke="#000"
          stroke-width="${unit}"
        /><rect
          x="${frame.x}"
          y="${frame.y}"
          width="${frame.width}"
          height="${frame.height}"
          fill="none"
          stroke="#beff00"
          stroke-width="${unit / 2}"
        />`
    : new Markup('')
  return html`<figure>
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}; the scale bar is ${label} long">
      <image href="data:image/jpeg;base64,${jpeg}" width="${width}" height="${height}" />
      ${framed}${outlines.map((each) => outlineOf(each, unit))}
      <rect
        x="${x - unit}"
        y="${y - 4.6 * unit}"
        width="${Math.max(bar, 10 * unit) + 2 * unit}"
        height="${5.6 * unit}"
        fill="#fff"
        fill-opacity="0.85"
      />
      <rect x="${x}" y="${y - unit}" width="${bar}" height="${unit * 0.8}" fill="#000" />
      <text x="${x}" y="${y - 1.7 * unit}" font-size="${2.6 * unit}" fill="#000">${label}</text>
    </svg>
    <figcaption>${title}${legend.map(({ label, color }) => html` ${swatchOf(color)} ${label}`)}</figcaption>
  </figure>`
}

export interface ReportHistogram {
  readonly title: string
  readonly unit: string
  readonly low: number
  readonly high: number
  readonly bins: readonly number[]
}

export function histogramPicture({ title, unit, low, high, bins }: ReportHistogram): Markup {
  const [width, height, floor] = [320, 130, 104]
  const most = Math.max(1, ...bins)
  const step = width / bins.length
  const name = unit === '' ? title : `${title}, ${unit}`
  const bars = bins.map((count, i) => {
    const tall = (count / most) * (floor - 8)
    return html`<rect
      x="${(i * step).toFixed(2)}"
      y="${(floor - tall).toFixed(2)}"
      width="${(step * 0.9).toFixed(2)}"
      height="${tall.toFixed(2)}"
    />`
  })
  return html`<figure class="histogram">
    <svg
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label="Histogram of ${name}: from ${numberText(low)} to ${numberText(high)}, at most ${numberText(most)} ${noun(most, 'object')} in a bar"
    >
      <g fill="#2a6f97">${bars}</g>
      <line x1="0" y1="${floor}" x2="${width}" y2="${floor}" stroke="#555" />
      <text x="0" y="${floor + 16}" font-size="12">${numberText(low)}</text>
      <text x="${width}" y="${floor + 16}" font-size="12" text-anchor="end">${numberText(high)}</text>
    </svg>
    <figcaption>${name}; the tallest bar has ${numberText(most)} ${noun(most, 'object')}</figcaption>
  </figure>`
}
