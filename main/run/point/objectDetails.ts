// An object as the user reads it: µm where the slide is calibrated, outline and place in level-0 px.
import {
  byKey,
  cellFigures,
  inUnits,
  measurements,
  optionalKeys,
  requiredKeys,
  stainSets,
  stainStatisticKeys,
  unitsOf,
} from '../../../app/contract'
import type { LengthUnit, ObjectDetails, StainSetId } from '../../../app/contract'
import { CHANNEL_FIGURES, scorePartsOf, traceOutlines } from '../../../native/index'
import type { Outlines } from '../../../native/index'
import type { Draft } from '../analysis/analysis'
import { groupsOf } from '../../slide/measuredChannels'
import { classIn } from '../objects/marks'
import type { Marks } from '../objects/marks'
import type { Classes } from '../objects/objectClasses'
import type { RunObject } from '../objects/result'

export interface Place {
  /** Level-0 px per analysed px. */
  scale: number
  /** µm per analysed px; null = uncalibrated. */
  analysedMpp: number | null
  stainNames: readonly string[]
  /** That objects are measured in; behind them with cells what is measured of those. */
  channels: readonly string[]
  cellsAt?: number | undefined
  membranes?: boolean | undefined
  classes: Classes | null
  marks: Marks | null
  stainSet: StainSetId
}

export const placeOf = (
  { resolution, stainNames, classes, slide, cells, spec: { stainSet } }: Draft,
  marks: Marks | null = null,
): Place => ({
  ...resolution,
  stainNames,
  ...groupsOf(slide.info, stainNames, cells),
  classes,
  marks,
  stainSet,
})

export async function objectDetails(object: RunObject, id: number, place: Place): Promise<ObjectDetails> {
  // The native side refuses arrays that may change while it works; a view of a shared block is copied once.
  const runs = object.runs.slice()
  const outlines = await traceOutlines(runs, Int32Array.of(0, runs.length / 3), 0)
  return describeObject(object, id, place, ringsOf(outlines, place.scale))
}

export function ringsOf(outlines: Outlines, scale: number): [number, number][][] {
  const rings: [number, number][][] = []
  for (let ring = 0; ring + 1 < outlines.ringOffsets.length; ring++) {
    const points: [number, number][] = []
    for (let p = outlines.ringOffsets[ring]!; p < outlines.ringOffsets[ring + 1]!; p++) {
      points.push([outlines.xy[p * 2]! * scale, outlines.xy[p * 2 + 1]! * scale])
    }
    rings.push(points)
  }
  return rings
}

/** What was not measured, as its pixels could not be read, is no number. */
const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

function channelOf({ channelFigures = [] }: RunObject, name: string, channel: number, factor = 1) {
  const own = channelFigures.slice(channel * CHANNEL_FIGURES.length).map((value) => factor * value)
  const [mean = NaN, std = NaN, min = NaN, max = NaN, sum = NaN] = own
  return { name, mean: orNull(mean), std: orNull(std), min: orNull(min), max: orNull(max), sum: orNull(sum) }
}

function cellOf({ channelFigures = [] }: RunObject, group: number, perPx: number, unit: LengthUnit): ObjectDetails['cell'] {
  const figures = channelFigures.slice(group * CHANNEL_FIGURES.length)
  return CHANNEL_FIGURES.flatMap((figure, i) => {
    const { title, dimension, ...of } = cellFigures[figure]
    const value = inUnits(figures[i] ?? Number.NaN, dimension, perPx)
    return Number.isNaN(value) ? [] : { title, unit: 'unit' in of ? of.unit : unitsOf(dimension, unit).screen, value }
  })
}

export function describeObject(object: RunObject, id: number, place: Place, outline: [number, number][][]): ObjectDetails {
  const { scale, analysedMpp, stainNames, classes, marks, stainSet } = place
  const own = classIn(classes, marks, object)
  const { factor, title, unit } = stainSets[stainSet]
  const length = analysedMpp ?? scale
  const x = Math.floor(object.minX * scale)
  const y = Math.floor(object.minY * scale)
  return {
    id,
    unit: analysedMpp === null ? 'px' : 'um',
    ...byKey(requiredKeys, (key) => inUnits(object[key], measurements[key].dimension, length)),
    ...byKey(optionalKeys, (key) => (Number.isNaN(object[key]) ? null : object[key])),
    scoreParts: scorePartsOf(object),
    centroid: { x: object.centroidX * scale, y: object.centroidY * scale },
    bounds: {
      x,
      y,
      width: Math.max(1, Math.ceil((object.maxX + 1) * scale) - x),
      height: Math.max(1, Math.ceil((object.maxY + 1) * scale) - y),
    },
    stains: stainNames.map((name, i) => ({ name, ...byKey(stainStatisticKeys, (key) => orNull(factor * object.stain(key, i))) })),
    stainsAre: { title, unit },
    ...(place.channels.length > 0 && {
      channels: place.channels.flatMap((name, i) =>
        i === place.cellsAt ? [] : channelOf(object, name, i, place.cellsAt === 0 ? factor : 1),
      ),
    }),
    ...(place.cellsAt !== undefined &&
      object.cellRuns && { cell: cellOf(object, place.cellsAt, length, analysedMpp === null ? 'px' : 'um') }),
    ...(own && { class: own }),
    outline,
  }
}
