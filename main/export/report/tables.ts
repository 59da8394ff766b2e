// The tables of a report: classes, regions of interest, measurements, the recipe's values, timings and versions. Pure.
import {
  allredOf,
  cutWords,
  densitiesOf,
  densityTitles,
  hScoreOf,
  intervalText,
  positiveShareOf,
  shareIntervalOf,
  stageAndPart,
  unitSymbols,
  variantWords,
  wilsonInterval,
} from '../../../app/contract'
import type { ClassCuts, ParamSpec, StageTiming } from '../../../app/contract'
import type { RunResult } from '../../run/objects/result'
import type { ReportRegion } from '../exporter'
import { durationText, factsOf, histogramPicture, html, Markup, numberText, percentText, swatchOf, tableOf } from './markup'
import type { ReportFacts } from './facts'

export type Classed = readonly { readonly id: string; readonly label: string; readonly objects: number }[]
/** "H-score", "Positive" or nothing, as objects have classes. */
export function scoreOf(
  classes: Classed | undefined,
  cuts: ClassCuts | undefined,
): readonly [label: string, value: string] | null {
  if (!classes) return null
  const [score, share, interval] = [hScoreOf(classes, cuts), positiveShareOf(classes), shareIntervalOf(classes)]
  if (score !== null) return ['H-score', numberText(score)]
  return share === null || !interval ? null : ['Positive (95 % interval)', `${percentText(share)} (${intervalText(interval)})`]
}

/** What the classes stand on: no share is told without it. */
export function cutsText({ status: { cuts, byHand } }: RunResult): string {
  const hands = byHand ? `${numberText(byHand)} of them set by hand` : ''
  return [cuts ? cutWords(cuts) : 'classes set by hand', ...(cuts && hands ? [hands] : [])].join('; ')
}

export function classTable({ result }: ReportFacts): Markup {
  const { classes } = result.status
  if (!classes) return new Markup('')
  const all = classes.reduce((sum, { objects }) => sum + objects, 0)
  const rows = classes.map(({ label, color, objects }) => [
    html`${swatchOf(color)} ${label}`,
    numberText(objects),
    all > 0 ? percentText(objects / all) : null,
    all > 0 ? intervalText(wilsonInterval(objects, all)!) : null,
  ])
  const { cuts } = result.status
  const [score, allred, interval] = [hScoreOf(classes, cuts), allredOf(classes, cuts), shareIntervalOf(classes)]
  return html`${tableOf('Classes', ['Class', 'Objects', 'Share', '95 % interval (Wilson)'], rows)}
    <p>
      Cut-offs: ${cutsText(result)}.
      ${score === null ? '' : `H-score ${numberText(score)}: the percentages of 1+, 2+ and 3+, times 1, 2 and 3.`}
      ${allred ? `Allred score ${allred.score}: ${allred.proportion} for the share of positive cells, ${allred.intensity} for their mean grade.` : ''}
      ${interval ? `Positive: ${percentText(positiveShareOf(classes)!)}; 95 % interval of the count (Wilson) ${intervalText(interval)}.` : ''}
    </p>`
}

/** Areas with what lies in them, then what was counted point by point, then lengths. */
export function regionTables({ regions }: ReportFacts): Markup {
  if (regions.length === 0) return new Markup('')
  const areas = regions.filter(({ measure }) => measure.points === undefined && measure.lengthPx === undefined)
  const points = regions.filter(({ measure }) => measure.points !== undefined)
  const lines = regions.filter(({ measure }) => measure.lengthPx !== undefined)
  return html`<h2>By region</h2>
    ${areas.length > 0 ? areaTable(areas) : ''} ${points.length > 0 ? pointTable(points) : ''}
    ${lines.length > 0 ? lineTable(lines) : ''}`
}

function lineTable(regions: readonly ReportRegion[]): Markup {
  const rows = regions.map(({ name, className, measure: { lengthPx, lengthUm } }) => [
    name,
    className,
    lengthUm == null ? `${numberText(lengthPx!)} px` : `${numberText(lengthUm)} µm`,
  ])
  return tableOf('Lines', ['Line', 'Class', 'Length'], rows, 2)
}

function pointTable(regions: readonly ReportRegion[]): Markup {
  const all = regions.reduce((sum, { measure }) => sum + measure.points!, 0)
  const rows = regions.map(({ name, className, measure }) => [
    name,
    className,
    numberText(measure.points!),
    percentText(measure.points! / all),
  ])
  return tableOf('Points counted by hand', ['Points', 'Class', 'Count', 'Share'], rows, 2)
}

function areaTable(regions: readonly ReportRegion[]): Markup {
  const field = regions.find(({ hotSpot }) => hotSpot)?.hotSpot
  const rows = regions.map(({ name, className, measure, hotSpot }) => {
    const { areaMm2, areaPx, analysedMm2 = null, tissueMm2 = null, objects, classes, cuts } = measure
    const { perMm2, perMm2Tissue } = densitiesOf(objects, { mm2: analysedMm2, tissueMm2 })
    const score = scoreOf(classes, cuts)
    return [
      name,
      className,
      areaMm2 === null ? `${numberText(areaPx / 1e6)} Mpx` : `${numberText(areaMm2)} mm²`,
      tissueMm2 === null ? null : `${numberText(tissueMm2)} mm²`,
      objects === null ? null : numberText(objects),
      perMm2 === null ? null : numberText(perMm2),
      perMm2Tissue === null ? null : numberText(perMm2Tissue),
      score && `${score[0]} ${score[1]}`,
      score && (cuts ? cutWords(cuts) : 'classes set by hand'),
      ...(field ? [hotSpot ? hotSpotText(hotSpot) : null] : []),
    ]
  })
  const heads = [
    'Region',
    'Class',
    'Area',
    'Tissue',
    'Objects',
    densityTitles.perMm2,
    densityTitles.perMm2Tissue,
    'Score',
    'Cut-offs',
    ...(field ? ['Hot spot'] : []),
  ]
  return html`${tableOf('Objects whose centre lies in the region', heads, rows, 2)}
  ${
    field
      ? html`<p>
          Hot spot: of the circles of ${numberText(field.diameterUm)} µm the one with the highest positive share of the region’s
          own objects, of those with ${numberText(field.leastObjects)} or more that are classified.
        </p>`
      : ''
  }`
}

/** "37.0 % (32.7 to 41.6 %) of 451". */
function hotSpotText({ classes, objects }: NonNullable<ReportRegion['hotSpot']>): string {
  return `${percentText(positiveShareOf(classes)!)} (${intervalText(shareIntervalOf(classes)!)}) of ${numberText(objects)}`
}

const valueText = (value: unknown, spec: ParamSpec): string => {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (spec.kind === 'choice') return spec.choices.find((choice) => choice.value === value)?.label ?? String(value)
  return spec.kind === 'number' ? `${String(value)} ${unitSymbols[spec.unit]}`.trim() : String(value)
}

export function recipeTables({ result }: ReportFacts): Markup {
  const { spec, recipe } = result
  const all = spec.stages.flatMap(({ id, label: stage, params }) =>
    params.map((param) => {
      const value = recipe.params[id]?.[param.key] ?? param.default
      return {
        changed: value !== param.default,
        cells: [`${stage}: ${param.label}`, valueText(value, param), valueText(param.default, param)],
      }
    }),
  )
  const changed = all.filter((row) => row.changed)
  return html`<h2>Recipe: ${spec.name}</h2>
    <p>${spec.description}</p>
    ${
      changed.length > 0
        ? tableOf(
            'Values that differ from the defaults',
            ['Value', 'Here', 'Default'],
            changed.map(({ cells }) => cells),
          )
        : html`<p>All values are the defaults.</p>`
    }
    <details>
      <summary>All values</summary>
      ${tableOf(
        'All values',
        ['Value', 'Here', 'Default'],
        all.map(({ cells }) => cells),
      )}
    </details>`
}

export function timingTable({ result, versions }: ReportFacts): Markup {
  const { status } = result
  const rows = status.timings.map((timing) => [
    stageAndPart(timing),
    timing.device,
    variantWords(timing),
    numberText(timing.ms),
    numberText(timing.megapixels),
  ])
  return html`<h2>How it was computed</h2>
    ${factsOf([['Took', durationText(status.elapsedMs)]])}
    ${tableOf('Steps, summed over all threads', ['Step', 'Device', 'Variant', 'ms', 'Mpx'], rows, 3)} ${workTable(status.timings)}
    <h2>Versions</h2>
    ${factsOf([
      ['Morphoscope', versions.app],
      ['Engine', versions.native],
      ['OpenSlide', versions.openslide],
      ['Node', versions.node],
    ])}`
}

/** What `auto` came to: no result depends on it, but whoever measures wants to know. */
function workTable(timings: readonly StageTiming[]): Markup {
  const rows = timings.flatMap(({ stage, device, work = [] }) =>
    work.map(({ op, variant, calls, rounds, queued }) => [
      stage,
      op.replaceAll('_', '-'),
      device,
      variant,
      ...[calls, rounds, queued].map((each) => numberText(each)),
    ]),
  )
  if (rows.length === 0) return new Markup('')
  return html`<details>
    <summary>Algorithms that ran</summary>
    ${tableOf('Algorithms that ran', ['Step', 'Operation', 'Device', 'Algorithm', 'Calls', 'Rounds', 'Queue entries'], rows, 4)}
  </details>`
}

/** Histograms first: how values are spread is seen before it is read. */
export function measurementTables({ statistics, histograms }: ReportFacts): Markup {
  if (statistics.length === 0) return html`<p>No object was found.</p>`
  const rows = statistics.map(({ title, unit, of }) => [
    unit === '' ? title : `${title}, ${unit}`,
    ...[of.mean, of.sd, of.min, of.lowerQuartile, of.median, of.upperQuartile, of.max].map((value) => numberText(value)),
  ])
  return html`<div class="row">${histograms.map(histogramPicture)}</div>
    ${tableOf('Measurements of the objects', ['Measurement', 'Mean', 'SD', 'Min', 'Q1', 'Median', 'Q3', 'Max'], rows)}`
}
