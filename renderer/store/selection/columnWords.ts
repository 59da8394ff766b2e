// What an object can be coloured by, in words.
import {
  measurements,
  stainSets,
  unitsOf,
  type LengthUnit,
  type MeasurementKey,
  type ObjectColumn,
  type RecipeSpec,
} from '../../../app/contract'
import { words } from '../../words'
import { stainNames } from '../slices/slideSlice'

const stainOf = (column: ObjectColumn): number | null =>
  column.startsWith('stain') ? Number(column.slice('stain'.length)) : null

export function columnTitle(column: ObjectColumn, stainSet: RecipeSpec['stainSet']): string {
  const stain = stainOf(column)
  return stain === null
    ? measurements[column as MeasurementKey].title
    : words.columns.stainMean(stainNames[stainSet][stain] ?? words.columns.stain, stainSets[stainSet].title.toLowerCase())
}

export function columnUnit(column: ObjectColumn, stainSet: RecipeSpec['stainSet'], length: LengthUnit): string {
  return stainOf(column) === null
    ? unitsOf(measurements[column as MeasurementKey].dimension, length).screen
    : stainSets[stainSet].unit
}
