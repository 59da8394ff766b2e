// The report's page: takes a run's pictures, figures and tables together, and writes them as one page that needs nothing else.
import type { Region, Shape } from '../../app/contract'
import { partsOf } from '../base/shapes'
import { sharp } from '../base/sharp'
import { stainField } from '../run/packedObjects'
import { Columns } from '../table/columns'
import { histogramOf, statisticsOf } from '../table/figures'
import { calibrationOf } from './calibration'
import type { ExportJob } from './exporter'
import type { ReportPicture } from './markup'
import type { OutputFile } from './outputSet'
import { reportPage } from './reportPage'
import { withSlide } from './slidePixels'
import { paintOutlines, readPicture } from './slidePicture'

/** Long sides, px: the whole slide, the region, and a part of it px by px. */
const sides = { slide: 700, region: 1600, detail: 900 } as const
const quality = 82

/** report.html. */
export async function writeReport(job: ExportJob, out: OutputFile): Promise<void> {
  await out.append(await reportOf(job))
}

/** The page, made once an export: report.pdf is the same. */
export function reportOf(job: ExportJob): Promise<string> {
  return (job.shared.reportPage ??= makeReport(job))
}

async function makeReport(job: ExportJob): Promise<string> {
  const { result, reportNames, tools, regions } = job
  const pictures: ReportPicture[] = []
  const lost = await withSlide(tools, async () => void pictures.push(...(await picturesOf(job))))
  if (lost !== null) job.warnings.push(`The report has no pictures: the slide’s file ${lost} since it was opened.`)
  const page = reportPage({
    result,
    slideName: reportNames.shown,
    pictures: lost === null ? pictures : [],
    ...figuresOf(job),
    regions,
    warnings: [...result.status.warnings, ...job.warnings].map((text) => reportNames.clean(text)),
    versions: tools.versions,
    pixelSize: calibrationOf(result),
  })
  job.signal.throwIfAborted()
  return page
}

async function picturesOf(job: ExportJob): Promise<ReportPicture[]> {
  const { slide, status } = job.result
  const whole = { x: 0, y: 0, width: slide.widthPx, height: slide.heightPx }
  const { shapes } = job.result
  // Of a run within shapes the shapes are drawn, and the picture is of them.
  const region = status.withinBox ?? status.region
  const detail = detailOf(job)
  const isWhole = region.width >= whole.width && region.height >= whole.height
  const wanted: readonly { title: string; part: Region; side: number; outlined: boolean; framed?: Region }[] = [
    ...(isWhole
      ? []
      : [
          {
            ...{ title: 'The slide, and the region', part: whole, side: sides.slide, outlined: false },
            ...(!shapes && { framed: region }),
          },
        ]),
    {
      title: isWhole ? 'The slide, with the objects’ outlines' : 'The region, with the objects’ outlines',
      part: region,
      side: sides.region,
      outlined: true,
      ...(detail && { framed: detail }),
    },
    ...(detail ? [{ title: 'Where objects are dense (the frame above)', part: detail, side: sides.detail, outlined: true }] : []),
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
      shapes: shapes ? pathOf(shapes, (x, y) => [x / scale - x0, y / scale - y0]) : undefined,
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

/** As SVG, a hundredth of a px exact. */
function pathOf(shapes: readonly Shape[], place: (x: number, y: number) => readonly [number, number]): string {
  const point = ([x, y]: readonly [number, number]): string =>
    place(x, y)
      .map((each) => String(Math.round(each * 100) / 100))
      .join(' ')
  const rings = shapes.flatMap((shape) => partsOf(shape).flat())
  return rings.map((ring) => `M${ring.map(point).join('L')}Z`).join('')
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

/** Of area, circularity, the stain that matters, and the score where there is one. */
function figuresOf({ result }: ExportJob) {
  const { spec, status, scale, stainNames, classes, marks, objects } = result
  const columns = new Columns(objects, {
    ...{ scale, stainNames, classes, marks, stainSet: spec.stainSet },
    analysedMpp: status.analysedMpp,
  })
  const keys = ['area', 'circularity', stainField('mean', spec.classes?.channel ?? 0), 'score']
  const measured = keys.flatMap((key) => {
    const column = columns.find(key)
    const sorted = column
      ? columns
          .values(key)
          .filter((value) => Number.isFinite(value))
          .sort()
      : new Float64Array()
    const of = statisticsOf(sorted)
    return column && of ? [{ title: column.title, unit: column.unit, of, sorted }] : []
  })
  return {
    statistics: measured,
    histograms: measured.map(({ title, unit, sorted }) => {
      const { low, high, all } = histogramOf(sorted, sorted)
      return { title, unit, low, high, bins: all }
    }),
  }
}
