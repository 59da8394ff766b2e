// The page of a report: what a run found, for readers, the answer first. No script, no address but those of its own pictures. Pure.
import {
  densitiesOf,
  densityTitles,
  hScoreOf,
  intervalText,
  noun,
  positiveShareOf,
  runAreas,
  shareIntervalOf,
} from '../../../app/contract'
import type { HotSpot } from '../../../app/contract'
import type { RunResult } from '../../run/objects/result'
import type { ReportFacts } from './facts'
import { factsOf, html, Markup, numberText, percentText, pictureOf, swatchOf } from './markup'
import { classTable, cutsText, measurementTables, recipeTables, regionTables, scoreOf, timingTable } from './tables'

const style = `body{font:15px/1.45 system-ui,sans-serif;color:#1a1d21;background:#fff;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;margin:0}h2{font-size:1.15rem;margin:2rem 0 .5rem;border-bottom:1px solid #ccc}
.about{color:#555;margin:.2rem 0 1rem}.main b{font-size:2.6rem}.main small,.head small{display:block;color:#555;max-width:34rem}.note{border-left:4px solid #b45309;padding:.1rem .8rem;margin:1rem 0}.note ul{margin:.2rem 0;padding-left:1.2rem}footer{color:#555;margin-top:2rem;border-top:1px solid #ccc}.head{display:flex;flex-wrap:wrap;gap:1rem 2.5rem;margin:1rem 0}.head b{display:block;font-size:1.7rem}
table{border-collapse:collapse;margin:.5rem 0 1rem;width:100%}caption{text-align:left;font-weight:600;padding:.2rem 0}
th,td{text-align:left;font-weight:400;padding:.15rem .6rem .15rem 0;border-bottom:1px solid #e3e3e3;vertical-align:top;overflow-wrap:anywhere}th.t,td.t,th[scope=row]{min-width:5.5rem}
thead th{color:#555}td.n,th.n{overflow-wrap:normal;text-align:right;font-variant-numeric:tabular-nums}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:.1rem 2rem;margin:0}dl div{display:flex;justify-content:space-between;gap:1rem;border-bottom:1px solid #e3e3e3}
dt{color:#555}dd{margin:0;text-align:right;overflow-wrap:anywhere}figure{margin:.8rem 0;break-inside:avoid}figure svg{max-width:100%;max-height:46rem;display:block}
figcaption{color:#555;font-size:.9rem}.row{display:flex;flex-wrap:wrap;gap:1rem}.histogram{width:18rem}.channel{margin-left:.9em;white-space:nowrap}.swatch{display:inline-block;width:.8em;height:.8em;border-radius:50%;border:1px solid #333;print-color-adjust:exact}
@page{margin:16mm 15mm 18mm;@bottom-right{content:counter(page) " / " counter(pages);font:9pt system-ui,sans-serif;color:#555}}
@media print{body{margin:0;padding:0;max-width:none;font-size:10pt}h1,h2,caption,summary{break-after:avoid}table,tr,li,dl div,.head,.histogram{break-inside:avoid}
.row{flex-wrap:nowrap}.histogram{width:calc((100% - 3rem)/4)}details table{break-inside:auto}thead{display:table-header-group}p{orphans:3;widows:3}figure:not(.histogram) svg{max-height:200mm}
details::details-content{content-visibility:visible;block-size:auto}summary{display:none}}`

function pixelText({ umPerPxX: x, umPerPxY: y }: ReportFacts['pixelSize']): string {
  if (x === null || y === null) return 'not known'
  const [across, down] = [numberText(x), numberText(y)]
  return across === down ? `${across} µm` : `${across} × ${down} µm`
}

/** "2026-11-22, 14:05 UTC". */
const dateText = (iso: string): string => `${iso.slice(0, 10)}, ${iso.slice(11, 16)} UTC`

/** Of which objects a share or a score is: those of the classes that it counts. */
function countedText({ classes = [] }: RunResult['status']): string {
  const all = classes.reduce((sum, { objects }) => sum + objects, 0)
  return `of ${numberText(all)} classified ${noun(all, 'object')}: ${classes.map(({ label, objects }) => `${numberText(objects)} ${label}`).join(', ')}`
}

/** The figure that the recipe is for, with what it is of and the cut-offs that it stands on; then counts, densities and areas. */
function headline({ result, hotSpot }: ReportFacts): Markup {
  const { status, objects } = result
  const areas = runAreas(status)
  const { perMm2, perMm2Tissue } = densitiesOf(objects.length, areas)
  const figure = (value: number | null, unit: string, words: string): Markup =>
    value === null ? new Markup('') : html`<div><b>${numberText(value)}${unit}</b>${words}</div>`
  const score = scoreOf(status.classes, status.cuts)
  return html`${
      score
        ? html`<div class="head main">
            <div>
              <b>${score[1]}</b>${score[0]}
              <small>${countedText(status)}</small>
              <small>Cut-offs: ${cutsText(result)}</small>
            </div>
          </div>`
        : ''
    }
    ${hotSpot ? hotSpotLine(hotSpot) : ''}
    <div class="head">
      <div><b>${numberText(objects.length)}</b>${noun(objects.length, 'object')}</div>
      ${figure(perMm2, '', densityTitles.perMm2)} ${figure(perMm2Tissue, '', densityTitles.perMm2Tissue)}
      ${figure(areas.mm2, ' mm²', 'examined area')} ${figure(areas.tissueMm2, ' mm²', 'tissue in it')}
    </div>`
}

/** "Hot spot: 62.1 % (57.8 to 66.2 %) of 512 objects are positive, in a circle of 500 µm." */
function hotSpotLine({ diameterUm, leastObjects, measure }: HotSpot): Markup {
  const { classes = [], cuts } = measure
  const share = positiveShareOf(classes)
  const score = hScoreOf(classes, cuts)
  const counted = classes.map(({ label, objects }) => `${numberText(objects)} ${label}`).join(', ')
  if (share === null) return new Markup('')
  return html`<p data-of="hot-spot">
    Hot spot: <b>${percentText(share)} positive</b> (95 % interval ${intervalText(shareIntervalOf(classes)!)}): ${counted}.
    ${score === null ? '' : `H-score ${numberText(score)}.`} The circle of ${numberText(diameterUm)} µm with the highest share, of
    those with ${numberText(leastObjects)} classified objects or more.
  </p>`
}

function slideFacts({ result, pixelSize, slideName, channels }: ReportFacts): Markup {
  const { slide, status } = result
  const { x, y, width, height } = status.withinBox ?? status.region
  const isWhole = !status.withinBox && width >= slide.widthPx && height >= slide.heightPx
  const field = `${numberText(width)} × ${numberText(height)} px from ${numberText(x)}, ${numberText(y)}`
  return factsOf([
    ['Slide', slideName],
    ['Examined', isWhole ? 'the whole slide' : `${status.name}: ${status.withinBox ? 'regions within ' : ''}${field}`],
    ['Slide size', `${numberText(slide.widthPx)} × ${numberText(slide.heightPx)} px`],
    ['Pixel size', pixelText(pixelSize)],
    ['Objective', slide.objectivePower === null ? 'not known' : `${slide.objectivePower}×`],
    ['Scanner’s format', slide.vendor],
    ...(channels.length > 0 ? [['Channels', html`${channels.map(channelText)}`] as const] : []),
    [
      'Analysed at',
      (status.analysedMpp === null ? `1 of ${numberText(result.scale)} px` : `${numberText(status.analysedMpp)} µm/px`) +
        (status.analysedBits ? `, ${status.analysedBits} bits` : ''),
    ],
    ['Segmented', dateText(status.startedAt)],
  ])
}

const notes = ({ warnings }: ReportFacts): Markup =>
  warnings.length === 0
    ? new Markup('')
    : html`<div class="note">
        <b>Please note</b>
        <ul>
          ${warnings.map((warning) => html`<li>${warning}</li>`)}
        </ul>
      </div>`

const channelText = ({ name, analysed, color }: ReportFacts['channels'][number]): Markup => {
  const notes = [...(analysed ? ['analysed'] : []), ...(color ? [] : ['not shown'])]
  return html`<span class="channel"
    >${color ? html`${swatchOf(color)} ` : ''}${name}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}</span
  >`
}

/** The whole page. */
export function reportPage(facts: ReportFacts): string {
  const { result, slideName, pictures, versions, madeAt } = facts
  const { status, spec } = result
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'" />
        <title>${slideName}: ${spec.name}</title>
        <style>
          ${new Markup(style)}
        </style>
      </head>
      <body>
        <main>
          <h1>${spec.name}: ${slideName}</h1>
          <p class="about">
            Report of ${dateText(madeAt.toISOString())}. Result:
            ${status.name}${status.state === 'done' ? '' : ` (${status.state}: the part that was done)`}.
          </p>
          ${slideFacts(facts)}
          <h2>Result</h2>
          ${headline(facts)} ${notes(facts)} ${pictures.map(pictureOf)} ${regionTables(facts)}
          <h2>Objects</h2>
          ${classTable(facts)} ${measurementTables(facts)} ${recipeTables(facts)} ${timingTable(facts)}
          <footer>
            <p>Morphoscope ${versions.app}. For research use only: not for diagnosis.</p>
          </footer>
        </main>
      </body>
    </html> `
  return page.text
}
