// The page of a report: what a run found, for readers. No script, no address but those of its own pictures. Pure.
import { cutWords, densitiesOf, densityTitles, hScoreOf, positiveShareOf, runAreas, unitSymbols } from '../../app/contract'
import type { ClassCuts, ColumnStatistics, ParamSpec, StageTiming } from '../../app/contract'
import type { RunResult } from '../run/result'
import type { Calibration } from './calibration'
import type { ExportTools, ReportRegion } from './exporter'
import { durationText, factsOf, histogramPicture, html, Markup, numberText, percentText, pictureOf, tableOf } from './markup'
import type { ReportHistogram, ReportPicture } from './markup'

export interface ReportFacts {
  readonly result: RunResult
  /** What the slide is called here. */
  readonly slideName: string
  readonly pictures: readonly ReportPicture[]
  readonly histograms: readonly ReportHistogram[]
  readonly statistics: readonly { readonly title: string; readonly unit: string; readonly of: ColumnStatistics }[]
  readonly regions: readonly ReportRegion[]
  readonly warnings: readonly string[]
  readonly versions: ExportTools['versions']
  /** Of a level-0 px. */
  readonly pixelSize: Pick<Calibration, 'umPerPxX' | 'umPerPxY'>
}

const style = `body{font:15px/1.45 system-ui,sans-serif;color:#1a1d21;background:#fff;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;margin:0}h2{font-size:1.15rem;margin:2rem 0 .5rem;border-bottom:1px solid #ccc}
.about{color:#555;margin:.2rem 0 1rem}.head{display:flex;flex-wrap:wrap;gap:1rem 2.5rem;margin:1rem 0}.head b{display:block;font-size:1.7rem}
table{border-collapse:collapse;margin:.5rem 0 1rem;width:100%}caption{text-align:left;font-weight:600;padding:.2rem 0}
th,td{text-align:left;font-weight:400;padding:.15rem .6rem .15rem 0;border-bottom:1px solid #e3e3e3;vertical-align:top;overflow-wrap:anywhere}
thead th{color:#555}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:.1rem 2rem;margin:0}dl div{display:flex;justify-content:space-between;gap:1rem;border-bottom:1px solid #e3e3e3}
dt{color:#555}dd{margin:0;text-align:right;overflow-wrap:anywhere}figure{margin:.8rem 0;break-inside:avoid}figure svg{max-width:100%;max-height:46rem;display:block}
figcaption{color:#555;font-size:.9rem}.row{display:flex;flex-wrap:wrap;gap:1rem}.histogram{width:18rem}.swatch{display:inline-block;width:.8em;height:.8em;border-radius:50%;border:1px solid #333;print-color-adjust:exact}
@page{margin:16mm 15mm 18mm;@bottom-right{content:counter(page) " / " counter(pages);font:9pt system-ui,sans-serif;color:#555}}
@media print{body{margin:0;padding:0;max-width:none;font-size:10pt}h1,h2,caption,summary{break-after:avoid}table,tr,li,dl div,.head,.histogram{break-inside:avoid}
.row{flex-wrap:nowrap}.histogram{width:calc((100% - 2rem)/3)}details table{break-inside:auto}thead{display:table-header-group}p{orphans:3;widows:3}figure:not(.histogram) svg{max-height:200mm}
details::details-content{content-visibility:visible;block-size:auto}summary{display:none}}`

type Classed = readonly { readonly id: string; readonly label: string; readonly objects: number }[]
/** "H-score", "Positive" or nothing, as objects have classes. */
function scoreOf(classes: Classed | undefined, cuts: ClassCuts | undefined): readonly [label: string, value: string] | null {
  if (!classes) return null
  const [score, share] = [hScoreOf(classes, cuts), positiveShareOf(classes)]
  return score !== null ? ['H-score', numberText(score)] : share !== null ? ['Positive', percentText(share)] : null
}

function pixelText({ umPerPxX: x, umPerPxY: y }: ReportFacts['pixelSize']): string {
  if (x === null || y === null) return 'not known'
  const [across, down] = [numberText(x), numberText(y)]
  return across === down ? `${across} µm` : `${across} × ${down} µm`
}

/** What the classes stand on: no share is told without it. */
function cutsText({ status: { cuts, byHand } }: RunResult): string {
  const hands = byHand ? `${numberText(byHand)} of them set by hand` : ''
  return [cuts ? cutWords(cuts) : 'classes set by hand', ...(cuts && hands ? [hands] : [])].join('; ')
}

function headline({ result }: ReportFacts): Markup {
  const { status, objects } = result
  const areas = runAreas(status)
  const { perMm2, perMm2Tissue } = densitiesOf(objects.length, areas)
  const figure = (value: number | null, unit: string, words: string): Markup =>
    value === null ? new Markup('') : html`<div><b>${numberText(value)}${unit}</b>${words}</div>`
  const score = scoreOf(status.classes, status.cuts)
  return html`<div class="head">
    <div><b>${numberText(objects.length)}</b>objects</div>
    ${figure(perMm2, '', densityTitles.perMm2)} ${figure(perMm2Tissue, '', densityTitles.perMm2Tissue)}
    ${score ? html`<div><b>${score[1]}</b>${score[0]}<br /><small>${cutsText(result)}</small></div>` : new Markup('')}
    ${figure(areas.mm2, ' mm²', 'area')} ${figure(areas.tissueMm2, ' mm²', 'tissue')}
  </div>`
}

function classTable({ result }: ReportFacts): Markup {
  const { classes } = result.status
  if (!classes) return new Markup('')
  const all = classes.reduce((sum, { objects }) => sum + objects, 0)
  const rows = classes.map(({ label, color, objects }) => [
    html`<span class="swatch" style="background:rgb(${color.join(' ')})"></span> ${label}`,
    numberText(objects),
    all > 0 ? percentText(objects / all) : null,
  ])
  const score = hScoreOf(classes, result.status.cuts)
  return html`${tableOf('Classes', ['Class', 'Objects', 'Share'], rows)}
    <p>
      Cut-offs: ${cutsText(result)}.
      ${score === null ? '' : `H-score ${numberText(score)}: the percentages of 1+, 2+ and 3+, times 1, 2 and 3.`}
    </p>`
}

/** "Region 2" is the second of all without regard to names, as in the window. */
const regionName = ({ name, measure }: ReportRegion, i: number): string =>
  name !== '' ? name : measure.points !== undefined ? 'Points' : measure.lengthPx !== undefined ? 'Line' : `Region ${i + 1}`

/** Areas with what lies in them, then what was counted point by point, then lengths. */
function regionTables({ regions }: ReportFacts): Markup {
  if (regions.length === 0) return new Markup('')
  const named = regions.map((region, i) => ({ ...region, name: regionName(region, i) }))
  const areas = named.filter(({ measure }) => measure.points === undefined && measure.lengthPx === undefined)
  const points = named.filter(({ measure }) => measure.points !== undefined)
  const lines = named.filter(({ measure }) => measure.lengthPx !== undefined)
  return html`<h2>Regions</h2>
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
  const rows = regions.map(({ name, className, measure }) => {
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
  ]
  return tableOf('Objects whose centre lies in the region', heads, rows, 2)
}

const valueText = (value: unknown, spec: ParamSpec): string => {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (spec.kind === 'choice') return spec.choices.find((choice) => choice.value === value)?.label ?? String(value)
  return spec.kind === 'number' ? `${String(value)} ${unitSymbols[spec.unit]}`.trim() : String(value)
}

function recipeTables({ result }: ReportFacts): Markup {
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

function timingTable({ result, versions }: ReportFacts): Markup {
  const { status } = result
  const rows = status.timings.map(({ stage, device, variant, ms, megapixels }) => [
    stage,
    device,
    variant,
    numberText(ms),
    numberText(megapixels),
  ])
  return html`<h2>How it was computed</h2>
    ${factsOf([
      ['Begun', status.startedAt.slice(0, 16).replace('T', ' ') + ' UTC'],
      ['Took', durationText(status.elapsedMs)],
      ['Morphoscope', versions.app],
      ['Engine', versions.native],
      ['OpenSlide', versions.openslide],
    ])}
    ${tableOf('Stages, summed over all threads', ['Stage', 'Device', 'Variant', 'ms', 'Mpx'], rows, 3)}
    ${workTable(status.timings)}`
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
    ${tableOf('Algorithms that ran', ['Stage', 'Operation', 'Device', 'Algorithm', 'Calls', 'Rounds', 'Queue entries'], rows, 4)}
  </details>`
}

/** The whole page. */
export function reportPage(facts: ReportFacts): string {
  const { result, slideName, pictures, histograms, statistics, warnings, pixelSize } = facts
  const { slide, status } = result
  const region = status.withinBox ?? status.region
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'" />
        <title>${slideName}: ${result.spec.name}</title>
        <style>
          ${new Markup(style)}
        </style>
      </head>
      <body>
        <main>
          <h1>${slideName}</h1>
          <p class="about">
            ${result.spec.name}, ${status.name}${status.state === 'done' ? '' : ` (${status.state}: the part that was done)`}
          </p>
          ${headline(facts)} ${pictures.map(pictureOf)}
          <h2>Slide</h2>
          ${factsOf([
            ['Size', `${numberText(slide.widthPx)} × ${numberText(slide.heightPx)} px`],
            ['Pixel size', pixelText(pixelSize)],
            ['Objective', slide.objectivePower === null ? null : `${slide.objectivePower}×`],
            ['Scanner’s format', slide.vendor],
            [
              status.withinBox ? 'Within regions, around them' : 'Region',
              `${region.x}, ${region.y}, ${region.width} × ${region.height} px`,
            ],
            [
              'Analysed at',
              status.analysedMpp === null ? `1 of ${numberText(result.scale)} px` : `${numberText(status.analysedMpp)} µm/px`,
            ],
          ])}
          <h2>Objects</h2>
          ${classTable(facts)}
          ${
            statistics.length > 0
              ? tableOf(
                  'Measurements',
                  ['Measurement', 'Mean', 'SD', 'Min', 'Q1', 'Median', 'Q3', 'Max'],
                  statistics.map(({ title, unit, of }) => [
                    unit === '' ? title : `${title}, ${unit}`,
                    ...[of.mean, of.sd, of.min, of.lowerQuartile, of.median, of.upperQuartile, of.max].map((value) =>
                      numberText(value),
                    ),
                  ]),
                )
              : html`<p>No object was found.</p>`
          }
          <div class="row">${histograms.map(histogramPicture)}</div>
          ${regionTables(facts)} ${recipeTables(facts)} ${timingTable(facts)}
          ${
            warnings.length > 0
              ? html`<h2>Warnings</h2>
                  <ul>
                    ${warnings.map((warning) => html`<li>${warning}</li>`)}
                  </ul>`
              : new Markup('')
          }
        </main>
      </body>
    </html> `
  return page.text
}
