// What the colours on the slide mean now: for the legends over it and for a picture of the view. Pure.
import { comparedColours, tissueLayer } from '../../../app/contract'
import { cssOf, type ColourScale } from '../../arithmetic/colours'
import { formatMeasure, sampleText } from '../../arithmetic/format'
import { visibleBox } from '../../arithmetic/geometry'
import { indexOf } from '../../arithmetic/regionIndex'
import { columnTitle, columnUnit } from '../../store/selection/columnWords'
import { blendedSlide, looksOf } from '../../store/slices/channelsSlice'
import { colourOf, regionsOf, unclassified } from '../../store/slices/projectSlice'
import { currentSpec } from '../../store/slices/recipeSlice'
import { activeRun, drawOrder } from '../../store/slices/runSlice'
import { slideMpp } from '../../store/slices/slideSlice'
import type { ShownMap } from '../../store/slices/tableSlice'
import type { State } from '../../store/store'
import { words } from '../../words'
import { darkest } from '../tiles/paintTile'

export interface ScaleLegend {
  readonly title: string
  readonly unit: string
  readonly low: string
  readonly high: string
  readonly scale: ColourScale
  /** Where on its 256 colours the scale begins. */
  readonly from: number
}
/** Colours with names, or, without any, a sentence. */
export interface NamedLegend {
  readonly title: string
  readonly rows: readonly { readonly label: string; readonly colour: string }[]
  readonly note?: string
}
export type ShownLegend = ScaleLegend | NamedLegend

export function objectLegend(state: State): ScaleLegend | null {
  const { column, range, scale, visible, densityTop } = state.overlay
  if (state.compare.found !== null || column === null || !range || densityTop !== null || !visible) return null
  if (state.runs.stack.length === 0) return null
  const stainSet = currentSpec(state.recipe)?.stainSet ?? 'h-e'
  return {
    title: columnTitle(column, stainSet, state.slide.info?.channels),
    unit: columnUnit(column, stainSet, slideMpp(state.slide.info) === null ? 'px' : 'um'),
    low: formatMeasure(range.low),
    high: formatMeasure(range.high),
    scale,
    from: darkest,
  }
}

export function densityLegend(state: State): ScaleLegend | null {
  const { densityTop: top, scale, visible } = state.overlay
  if (top === null || !visible) return null
  const run = activeRun(state.runs)
  const isCalibrated = run ? run.analysedMpp !== null : slideMpp(state.slide.info) !== null
  return {
    title: state.compare.found !== null ? words.legends.densityOfOne : words.legends.density,
    unit: isCalibrated ? words.legends.perMm2 : words.legends.perMpx,
    low: '0',
    high: words.legends.andMore(top),
    scale,
    from: 0,
  }
}

/** The map that is on show. */
export const mapOn = ({ table, ui }: Pick<State, 'table' | 'ui'>): ShownMap | null =>
  table.map && ui.layer === `layer:${table.map.layer}` ? table.map : null
/** Of a level from 0 to 255. */
export const mapValue = ({ highest, share }: ShownMap, level: number): string =>
  share ? `${((100 * highest * level) / 255).toFixed(0)} %` : formatMeasure((highest * level) / 255)

export function layerLegend(state: State): ScaleLegend | null {
  const { layer } = state.ui
  const { layerRange: range, layerScale } = state.overlay
  const label = currentSpec(state.recipe)?.layers.find(({ id }) => `layer:${id}` === layer)?.label
  const map = mapOn(state)
  if (map && range) {
    const { share, unit } = map
    const valueAt = (level: number): string => mapValue(map, level)
    return {
      title: share ? words.map.share : words.map.title,
      unit: share ? words.legends.shareUnit : unit === 'um' ? words.legends.perMm2 : words.legends.perMpx,
      low: valueAt(range.low),
      high: valueAt(range.high),
      scale: layerScale,
      from: 0,
    }
  }
  if (label === undefined || !range) return null
  return {
    title: label,
    unit: words.legends.greyLevel,
    low: String(range.low),
    high: String(range.high),
    scale: layerScale,
    from: 0,
  }
}

export const tissueLegend = ({ ui }: Pick<State, 'ui'>): NamedLegend | null =>
  ui.layer === `layer:${tissueLayer}` ? { title: words.names.tissue, rows: [], note: words.legends.tissue } : null

/** Of objects that have colours of their own: their classes', or those of a comparison. */
function classLegend({ compare, overlay, runs }: State): NamedLegend | null {
  if (!overlay.visible || overlay.densityTop !== null) return null
  if (compare.found) {
    const rows = [
      { label: words.compare.onlyInA, colour: cssOf(comparedColours.a) },
      { label: words.compare.onlyInB, colour: cssOf(comparedColours.b) },
      { label: words.compare.inBoth, colour: cssOf(comparedColours.both) },
    ]
    return { title: words.legends.twoResults, rows }
  }
  if (overlay.column !== null) return null
  const rows = new Map(
    drawOrder(runs).flatMap(({ classes }) =>
      (classes ?? []).map(({ label, color }): [string, { label: string; colour: string }] => {
        const colour = cssOf(color)
        return [`${label}\0${colour}`, { label, colour }]
      }),
    ),
  )
  return rows.size > 0 ? { title: words.names.objects, rows: [...rows.values()] } : null
}

/** Of the regions of interest that are in view, in the order of the document's classes. */
function regionLegend({ project, ui }: State): NamedLegend | null {
  if (project.hidden || !ui.view) return null
  const regions = regionsOf(project)
  const inView = indexOf(regions)
    .meeting(visibleBox(ui.view))
    .map((place) => regions[place]!)
  const used = new Set(inView.map(({ classId }) => classId))
  const classes = (project.doc?.classes ?? []).filter(({ id }) => used.has(id))
  const bare = inView.find(({ classId }) => !classes.some(({ id }) => id === classId))
  const rows = [
    ...classes.map(({ name, color }) => ({ label: name, colour: color })),
    ...(bare ? [{ label: words.names.noClass, colour: colourOf(project, bare) || unclassified }] : []),
  ]
  // One region that is of no class says by itself what it is.
  return classes.length > 0 ? { title: words.names.regions, rows } : null
}

/** Of the slide's own picture; a stain or one channel in grey lies over it. */
function channelLegend({ slide: { info }, ui, channels }: State): NamedLegend | null {
  if (!blendedSlide(info) || ui.layer.startsWith('stain:')) return null
  const rows = looksOf(channels, info).flatMap(({ shown, color, low, high }, i) =>
    shown ? [{ label: words.channels.limits(info.channels[i]!.name, sampleText(low), sampleText(high)), colour: color }] : [],
  )
  return rows.length > 0 ? { title: words.channels.legend, rows } : null
}

/** All of them, from the one that lies nearest to the scale bar. */
export const shownLegends = (state: State): ShownLegend[] =>
  [
    regionLegend(state),
    classLegend(state),
    densityLegend(state),
    objectLegend(state),
    layerLegend(state),
    tissueLegend(state),
    channelLegend(state),
  ].filter((legend) => legend !== null)
