// A run's timeline as files: a table of its windows, all that is known of it, and a picture for paper. Pure.
import { csvRows, stageAndPart, variantWords, workRows, type RunStatus, type RunTimeline } from '../../../app/contract'
import { barsOf, shortMs, stageLooks, standsOf, stepOf } from '../../arithmetic/timeline'
import { words } from '../../words'
import { busyWords, queueWords, stageName, standWords } from './timelineWords'

type Run = Pick<RunStatus, 'name' | 'elapsedMs' | 'tilesDone' | 'tilesTotal' | 'objects' | 'timings'>

/** A row an entry, which is a window, or several of one lane in a long run; times are ms from the run's start. */
export function timelineCsv({ stages, stageMs, lanes, lane, x, y, tiles, windows, from, to }: RunTimeline): string {
  const heads = stages.map(
    (each) => `${stageAndPart(each)} ms (${[each.device, variantWords(each)].filter((word) => word !== '').join(' ')})`,
  )
  return csvRows([
    ['device', 'lane', 'tile_x', 'tile_y', 'tiles', 'windows', 'from_ms', 'to_ms', ...heads],
    ...lane.map((at, i) => [
      lanes[at]!.device,
      ...[at, x[i]!, y[i]!, tiles[i]!, windows[i]!, from[i]!, to[i]!],
      ...stageMs.map((ms) => ms[i]!),
    ]),
  ])
}

/** As in run.json, with what the run came to. */
export function timelineJson({ name, elapsedMs, tilesDone, tilesTotal, objects, timings }: Run, timeline: RunTimeline): string {
  return `${JSON.stringify({ name, elapsedMs, tilesDone, tilesTotal, objects, timings, timeline }, null, 2)}\n`
}

const width = 1000
const left = 60
const laneHeight = 18
const rowHeight = 22
const top = 46
const legendColumns = 4

const escaped = (text: string): string =>
  // XML has no place for control characters and halves of characters.
  text
    .replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
const rect = (x: number, y: number, wide: number, high: number, fill: string): string =>
  `<rect x="${x.toFixed(2)}" y="${y}" width="${wide.toFixed(2)}" height="${high}" fill="${fill}"/>`
const textAt = (x: number, y: number, text: string, more = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y}"${more}>${escaped(text)}</text>`

/** The chart of the dialog on white, with its legend and the algorithms that ran: no file besides is needed. */
export function timelineSvg({ name, elapsedMs, tilesDone, tilesTotal, timings }: Run, timeline: RunTimeline): string {
  const { lanes, endedMs } = timeline
  const looks = stageLooks(timeline)
  const colours = new Map(looks.map(({ name: stage, colour }) => [stage, colour]))
  const px = (ms: number): number => left + (ms / Math.max(1, endedMs)) * (width - left - 20)
  const bottom = top + Math.max(1, lanes.length) * rowHeight
  const parts = [
    textAt(0, 14, words.timeline.pictureTitle(name, shortMs(elapsedMs), tilesDone, tilesTotal), ' font-weight="bold"'),
    textAt(0, 32, busyWords(timeline) || words.timeline.nothingComputed),
    ...lanes.map((_, lane) => rect(left, top + lane * rowHeight, width - left - 20, laneHeight, '#eef1f4')),
  ]
  for (const { from, to, why } of standsOf(timeline)) {
    const fill = why === 'paused' ? '#f6e3b0' : '#d3dae2'
    parts.push(rect(px(from), top, Math.max(1, px(to) - px(from)), bottom - top, fill))
    if (px(to) - px(from) > 80) parts.push(textAt(px(from) + 6, top + 13, standWords(why)))
  }
  timeline.lane.forEach((lane, entry) => {
    const y = top + lane * rowHeight
    for (const { from, to, colour } of barsOf(timeline, entry, colours))
      parts.push(rect(px(from), y + 1, Math.max(0.3, px(to) - px(from)), laneHeight - 2, colour))
    // Where one window ends and the next begins.
    parts.push(rect(px(timeline.to[entry]!) - 0.25, y, 0.5, laneHeight, '#222'))
  })
  lanes.forEach(({ device }, lane) => {
    if (lane === 0 || lanes[lane - 1]!.device !== device) parts.push(textAt(0, top + lane * rowHeight + 13, device))
  })
  const step = stepOf(endedMs)
  for (let ms = 0; ms <= endedMs; ms += step) {
    parts.push(rect(px(ms), top, 0.5, bottom - top, '#9aa3ad'))
    parts.push(textAt(px(ms), bottom + 14, shortMs(ms), ' text-anchor="middle"'))
  }
  looks.forEach(({ name: stage, colour, ms }, i) => {
    const [x, y] = [(i % legendColumns) * (width / legendColumns), bottom + 28 + Math.floor(i / legendColumns) * rowHeight]
    parts.push(rect(x, y, 12, 12, colour), textAt(x + 18, y + 10, words.timeline.stageTook(stageName(stage), shortMs(ms))))
  })
  const below = bottom + 48 + Math.ceil(looks.length / legendColumns) * rowHeight
  const works = workRows(timings)
  works.forEach((row, i) => {
    const { stage, device, op, variant, calls, rounds } = row
    const did = [words.work.callsMade(calls), rounds > 0 && words.work.roundsMade(rounds), queueWords(row)].filter(Boolean)
    parts.push(textAt(0, below + i * 16, words.work.line(stage, device, op, variant, did.join(', '))))
  })
  const height = below - 12 + works.length * 16
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(words.timeline.pictureOf(name))}" font-family="sans-serif" font-size="11" fill="#222">`,
    rect(0, 0, width, height, '#fff'),
    ...parts,
    '</svg>\n',
  ].join('\n')
}
