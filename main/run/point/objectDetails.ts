// An object as the user reads it: µm where the slide is calibrated, outline and place in level-0 px.
import { byKey, inUnits, measurements, optionalKeys, requiredKeys, stainSets, stainStatisticKeys } from '../../../app/contract'
import type { ObjectDetails, StainSetId } from '../../../app/contract'
import { CHANNEL_FIGURES, scorePartsOf, traceOutlines } from '../../../native/index'
import type { Outlines } from '../../../native/index'
import { measuredChannels } from '../../slide/measuredChannels'
import type { Draft } from '../analysis/analysis'
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
  /** That objects are measured in. */
  channels: readonly string[]
  classes: Classes | null
  marks: Marks | null
  stainSet: StainSetId
}

export const placeOf = (
  { resolution, stainNames, classes, slide, spec: { stainSet } }: Draft,
  marks: Marks | null = null,
): Place => ({
  ...resolution,
  stainNames,
  channels: measuredChannels(slide.info),
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

function channelOf({ channelFigures = [] }: RunObject, name: string, channel: number) {
  const [mean = NaN, std = NaN, min = NaN, max = NaN, sum = NaN] = channelFigures.slice(channel * CHANNEL_FIGURES.length)
  return { name, mean: orNull(mean), std: orNull(std), min: orNull(min), max: orNull(max), sum: orNull(sum) }
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
    ...(place.channels.length > 0 && { channels: place.channels.map((name, i) => channelOf(object, name, i)) }),
    ...(own && { class: own }),
    outline,
  }
}
