// The pictures of a report: what was examined with the objects' outlines and the regions of interest, a dense part of it, and where it lies.
import { isDeepStrictEqual } from 'node:util'
import type { Region, Shape } from '../../../app/contract'
import { boxOf, partsOf } from '../../base/shapes'
import { sharp } from '../../base/sharp'
import { calibrationOf } from '../calibration'
import type { ExportJob } from '../exporter'
import { paintOutlines, readPicture } from '../picture/slidePicture'
import type { SlidePicture } from '../picture/slidePicture'
import type { ReportOutline, ReportPicture } from './markup'

/** Long sides, px: the whole slide, the region, and a part of it px by px. */
const sides = { slide: 700, region: 1600, detail: 900 } as const
const quality = 82
/** Of the slide: where so much of it was examined, its own picture would show the same once more. */
const nearlyAll = 0.5

export async function picturesOf(job: ExportJob): Promise<ReportPicture[]> {
  const { slide, status } = job.result
  const regions = drawnRegions(job)
  const legend = status.classes?.map(({ label, color }) => ({ label, color }))
  const whole = { x: 0, y: 0, width: slide.widthPx, height: slide.heightPx }
  // Of a run within shapes the picture is of them, and a little of what is beside them.
  const examined = status.withinBox ? widened(status.withinBox, whole) : status.region
  const detail = detailOf(job)
  const isWhole = examined.width >= whole.width && examined.height >= whole.height
  const what = isWhole ? 'The slide' : status.withinBox ? 'The examined regions' : 'The examined field'
  const wanted: readonly { title: string; part: Region; side: number; outlined: boolean; framed?: Region }[] = [
    {
      ...{ title: `${what}, with the outline of each object.`, part: examined, side: sides.region, outlined: true },
      ...(detail && { framed: detail }),
    },
    ...(detail
      ? [{ title: 'Enlarged: the frame above, where objects are dense.', part: detail, side: sides.detail, outlined: true }]
      : []),
    ...(job.hotSpot
      ? [{ title: 'The hot spot.', part: widened(outwards(job.hotSpot.shape), whole), side: sides.detail, outlined: true }]
      : []),
    ...(examined.width * examined.height > nearlyAll * whole.width * whole.height
      ? []
      : [
          {
            ...{ title: `Where it lies on the slide.`, part: whole, side: sides.slide, outlined: false },
            ...(!status.withinBox && { framed: examined }),
          },
        ]),
  ]
  const made: ReportPicture[] = []
  // Of the picture's scale bar, which lies.
  const umPerPx = calibrationOf(job.result).umPerPxX
  for (const { title, part, side, outlined, framed } of wanted) {
    const told = (share: number): void => job.progress((made.length + share) / wanted.length)
    const picture = await readPicture(job, part, side, (share) => told(share / 2))
    if (picture.lost > 0) job.warnings.push(`Parts of the slide could not be read for the report and are hatched there.`)
    if (outlined) await paintOutlines(job, picture, (share) => told(0.5 + share / 2))
    const { rgb, width, height, scale, x0, y0 } = picture
    const jpeg = await sharp()(rgb, { raw: { width, height, channels: 3 } })
      .jpeg({ quality })
      .toBuffer()
    made.push({
      ...{ title, width, height, scale, jpeg: jpeg.toString('base64') },
      umPerPx: umPerPx === null ? null : umPerPx * scale,
      outlines: regions.flatMap((each) => outlineIn(each, picture)),
      ...(outlined && legend && { legend }),
      frame: framed && {
        x: framed.x / scale - x0,
        y: framed.y / scale - y0,
        width: framed.width / scale,
        height: framed.height / scale,
      },
    })
  }
  return made
}

/** The box of whole px around a shape. */
function outwards(shape: Shape): Region {
  const box = boxOf(shape)
  const [x, y] = [Math.floor(box.minX), Math.floor(box.minY)]
  return { x, y, width: Math.ceil(box.maxX) - x, height: Math.ceil(box.maxY) - y }
}

function widened({ x, y, width, height }: Region, whole: Region): Region {
  const margin = Math.ceil(0.03 * Math.max(width, height))
  const [left, top] = [Math.max(whole.x, x - margin), Math.max(whole.y, y - margin)]
  return {
    x: left,
    y: top,
    width: Math.min(whole.x + whole.width, x + width + margin) - left,
    height: Math.min(whole.y + whole.height, y + height + margin) - top,
  }
}

interface DrawnRegion {
  readonly title: string
  readonly color: string
  readonly shape: Shape
}
/** Of a region without a class: none of the colours that objects have. */
const plainColor = '#ffffff'
/** As the window draws it. */
const hotSpotColor = '#ffd60a'

/** The document's regions of interest, and shapes that the run looked at and the document has no more. */
function drawnRegions({ regions, result, hotSpot }: ExportJob): DrawnRegion[] {
  const known = regions.flatMap(({ name, color, shape }) => (shape ? [{ title: name, color: color ?? plainColor, shape }] : []))
  const others = (result.shapes ?? []).filter((shape) => !known.some((each) => isDeepStrictEqual(each.shape, shape)))
  const field = hotSpot ? [{ title: 'Hot spot', color: hotSpotColor, shape: hotSpot.shape }] : []
  return [...known, ...others.map((shape) => ({ title: '', color: plainColor, shape })), ...field]
}

/** As SVG, a hundredth of a px exact; none where the region lies beside the picture. Its title stands at its top, within the picture. */
function outlineIn({ title, color, shape }: DrawnRegion, { scale, x0, y0, width, height }: SlidePicture): ReportOutline[] {
  const box = boxOf(shape)
  const [left, top] = [box.minX / scale - x0, box.minY / scale - y0]
  if (left > width || top > height || box.maxX / scale < x0 || box.maxY / scale < y0) return []
  const rounded = (value: number): number => Math.round(value * 100) / 100
  const rings = partsOf(shape)
    .flat()
    .map((ring) => ring.map(([x, y]) => [x / scale - x0, y / scale - y0] as const))
  const path = rings.map((ring) => `M${ring.map(([x, y]) => `${rounded(x)} ${rounded(y)}`).join('L')}Z`).join('')
  const unit = Math.max(width, height) / 100
  const right = box.maxX / scale - x0
  const x = (Math.max(0, left) + Math.min(width, right)) / 2
  const within = (value: number, least: number, most: number): number => rounded(Math.max(least, Math.min(value, most)))
  return [{ title, color, path, x: within(x, 6 * unit, width - 6 * unit), y: within(top + 3 * unit, 3 * unit, height - unit) }]
}

/** The part of the region, px by px, whose middle third is dense (denseCell); null: the region's own picture shows them as well. */
function detailOf({ result }: ExportJob): Region | null {
  const { objects, scale, status } = result
  const region = status.withinBox ?? status.region
  const side = Math.ceil(sides.detail * scale)
  if (objects.length === 0 || Math.max(region.width, region.height) < 2 * side) return null
  const cell = side / 3
  const { column, row } = denseCell(
    Array.from({ length: objects.length }, (_, i) => {
      const { centroidX, centroidY } = objects.at(i)
      return { column: Math.floor((centroidX * scale) / cell), row: Math.floor((centroidY * scale) / cell) }
    }),
  )
  const within = (at: number, from: number, length: number): number =>
    Math.round(Math.max(from, Math.min(at, from + length - side)))
  return {
    x: within((column - 1) * cell, region.x, region.width),
    y: within((row - 1) * cell, region.y, region.height),
    width: Math.min(side, region.width),
    height: Math.min(side, region.height),
  }
}

/**
 * Of the squares that hold objects the one whose count is the ninth tenth (nearest rank; of several the first that an object is in): dense, and not
 * the densest, which is more often debris, a fold or ink that was taken for nuclei than it is tissue. Of fewer than ten squares it is the densest:
 * among so few a sparse one would show next to nothing.
 */
export function denseCell(cells: readonly { readonly column: number; readonly row: number }[]): { column: number; row: number } {
  const counts = new Map<string, number>()
  for (const { column, row } of cells) counts.set(`${column},${row}`, (counts.get(`${column},${row}`) ?? 0) + 1)
  const ascending = [...counts.values()].sort((a, b) => a - b)
  const typical = ascending[Math.ceil(0.9 * ascending.length) - 1]
  const [key = '0,0'] = [...counts].find(([, count]) => count === typical) ?? []
  const [column = 0, row = 0] = key.split(',').map(Number)
  return { column, row }
}
