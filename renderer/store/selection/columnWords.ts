// What an object can be coloured by, in words.
import {
  measurements,
  stainSets,
  unitsOf,
  type LengthUnit,
  type MeasurementKey,
  channelColumnOf,
  type ColourColumn,
  type SlideInfo,
  type RecipeSpec,
} from '../../../app/contract'
import { words } from '../../words'
import { stainNames } from '../slices/slideSlice'
import { titled } from '../../words/named'

const stainOf = (column: ColourColumn): number | null => {
  const [, stain] = /^stain(\d)$/.exec(column) ?? []
  return stain === undefined ? null : Number(stain)
}

/** `channels`: the open slide's. */
export function columnTitle(
  column: ColourColumn,
  stainSet: RecipeSpec['stainSet'],
  channels: SlideInfo['channels'] = [],
): string {
  const channel = channelColumnOf(column)?.channel
  if (channel !== undefined) return words.columns.channelMean(channels[channel]?.name ?? words.columns.channel(channel + 1))
  const stain = stainOf(column)
  return stain === null
    ? titled(measurements[column as MeasurementKey].title)
    : words.columns.stainMean(stainNames[stainSet][stain] ?? words.columns.stain, stainSets[stainSet].title)
}

export function columnUnit(column: ColourColumn, stainSet: RecipeSpec['stainSet'], length: LengthUnit): string {
  // The file's own.
  if (channelColumnOf(column)) return ''
  return stainOf(column) === null
    ? unitsOf(measurements[column as MeasurementKey].dimension, length).screen
    : stainSets[stainSet].unit
}
