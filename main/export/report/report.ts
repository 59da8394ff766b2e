// The report's page: takes a run's pictures, figures and tables together, and writes them as one page that needs nothing else.
import { firstLooks, isBlended, rgbOf } from '../../../app/contract'
import { stainField } from '../../run/objects/packedObjects'
import { Columns } from '../../table/columns'
import { histogramOf, statisticsOf } from '../../table/figures'
import { calibrationOf } from '../calibration'
import type { ExportJob } from '../exporter'
import type { OutputFile } from '../output/outputSet'
import { withSlide } from '../picture/slidePixels'
import type { ReportFacts } from './facts'
import type { ReportPicture } from './markup'
import { reportPage } from './page'
import { picturesOf } from './pictures'

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
    hotSpot: job.hotSpot,
    madeAt: new Date(),
    channels: shownChannels(job),
    warnings: [...result.status.warnings, ...job.warnings].map((text) => reportNames.clean(text)),
    versions: tools.versions,
    pixelSize: calibrationOf(result),
  })
  job.signal.throwIfAborted()
  return page
}

function shownChannels({ result: { slide }, reportNames, looks }: ExportJob): ReportFacts['channels'] {
  if (!isBlended(slide)) return []
  const own = looks ?? firstLooks(slide)
  return slide.channels.map(({ name, shown }, i) => ({
    name: reportNames.clean(name),
    analysed: shown === 'gray',
    color: own[i]?.shown ? rgbOf(own[i].color) : null,
  }))
}

/** Of area, circularity, the stain that matters, and the score where there is one. */
function figuresOf({ result }: ExportJob) {
  const { spec, status, scale, stainNames, classes, marks, objects } = result
  const columns = new Columns(objects, {
    ...{
      scale,
      stainNames,
      channels: result.channels,
      cellsAt: result.cellsAt,
      membranes: result.membranes,
      classes,
      marks,
      stainSet: spec.stainSet,
    },
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
