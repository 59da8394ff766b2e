// What the columns of spatial measures are called, on the screen and in files, and in which unit they are.
import { createHash } from 'node:crypto'
import { unitsOf } from '../../app/contract'
import type { SpatialMeasures } from '../../app/contract'
import type { SpatialValues } from './measure'

/** By id; NaN: there is nothing to measure. */
export interface SpatialColumn {
  readonly key: string
  readonly title: string
  /** As the screen writes it. */
  readonly unit: string
  /** In the header of objects.csv, its unit and all. */
  readonly csv: string
  /** The class that it is of; '': of none. */
  readonly of: string
  readonly values: Float64Array<ArrayBuffer>
}

/** A class, of objects or of regions, as it is called. */
export interface Named {
  readonly id: string
  readonly name: string
}

/** Of a class's columns, so that they are known again when classes come and go. */
const keyOf = (measure: string, id: string): string =>
  `spatial${measure}${createHash('sha256').update(id).digest('hex').slice(0, 12)}`
const inHeader = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '') || 'class'

/** `objects`: the classes that objects are parted by; `regions`: those of regions that there are some of, as the values have them. */
export function spatialColumns(
  values: SpatialValues,
  { densityRadiusUm, nearestCount, neighboursWithinUm }: SpatialMeasures,
  objects: readonly Named[],
  regions: readonly Named[],
  isCalibrated: boolean,
): SpatialColumn[] {
  const { screen, csv } = unitsOf('length', isCalibrated ? 'um' : 'px')
  const ofClass = (
    measure: string,
    title: (name: string) => string,
    header: (name: string) => string,
    unit: string,
    classes: readonly Named[],
    columns: readonly Float64Array<ArrayBuffer>[],
  ): SpatialColumn[] =>
    columns.map((own, i) => {
      const { id, name } = classes[i]!
      return { key: keyOf(measure, id), title: title(name), unit, csv: header(inHeader(name)), of: name, values: own }
    })
  const one = (
    key: string,
    title: string,
    unit: string,
    header: string,
    own: Float64Array<ArrayBuffer> | null,
  ): SpatialColumn[] => (own ? [{ key, title, unit, csv: header, of: '', values: own }] : [])
  const perArea = isCalibrated ? ['1/mm²', 'per_mm2'] : ['1/Mpx', 'per_mpx']
  const nearest = nearestCount === 1 ? 'Distance to nearest object' : `Mean distance to ${nearestCount} nearest`
  const within =
    neighboursWithinUm === null ? ['', ''] : [` within ${neighboursWithinUm} ${screen}`, `_within_${neighboursWithinUm}_${csv}`]
  return [
    ...ofClass('Border', (of) => `Distance to border of ${of}`, (of) => `distance_border_${of}_${csv}`, screen, regions, values.border), // oxfmt-ignore
    ...ofClass('Nearest', (of) => `Distance to nearest ${of}`, (of) => `distance_nearest_${of}_${csv}`, screen, objects, values.nearest), // oxfmt-ignore
    ...one('spatialDensity', `Density within ${densityRadiusUm} ${screen}`, perArea[0]!, `density_within_${densityRadiusUm}_${csv}_${perArea[1]!}`, values.density), // oxfmt-ignore
    ...one('spatialMean', nearest, screen, `distance_mean_${nearestCount}_nearest_${csv}`, values.meanOfNearest),
    ...one('spatialNeighbours', `Neighbours${within[0]}`, '', `neighbours${within[1]}`, values.neighbours),
    ...ofClass(
      'Neighbours',
      (of) => `Neighbours${within[0]}: ${of}`,
      (of) => `neighbours_${of}${within[1]}`,
      '',
      objects,
      values.neighboursByClass,
    ),
  ]
}
