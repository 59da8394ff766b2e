// What is measured of an object, once for all: its name in code, on the screen and in files, and its unit. A new one is a row and a place in each order.

/** What a value grows with: the square of a pixel's side, the side, or nothing; points are whole, 0 to 100. */
export type Dimension = 'area' | 'length' | 'angle' | 'ratio' | 'points' | 'percent'
/** Lengths are in µm where the slide is calibrated, else in level-0 px. */
export type LengthUnit = 'um' | 'px'

interface Measurement {
  /** On the screen. */
  readonly title: string
  readonly dimension: Dimension
  /** Begins the header of its column in objects.csv. */
  readonly csv: string
  /** Begins its name in objects.geojson: QuPath's own for what it measures too, so that its scripts and classifiers find it. */
  readonly geojson: string
  /** Some recipes give none: NaN among numbers, null in JSON, nothing in files. */
  readonly optional?: true
}

/** The keys are those of the engine's columns (native/types.ts, which a test holds against them), of RunObject and of ObjectDetails. */
export const measurements = {
  area: { title: 'Area', dimension: 'area', csv: 'area', geojson: 'Area' },
  perimeter: { title: 'Perimeter', dimension: 'length', csv: 'perimeter', geojson: 'Length' },
  majorAxis: { title: 'Major axis', dimension: 'length', csv: 'major_axis', geojson: 'Major axis' },
  minorAxis: { title: 'Minor axis', dimension: 'length', csv: 'minor_axis', geojson: 'Minor axis' },
  circularity: { title: 'Circularity', dimension: 'ratio', csv: 'circularity', geojson: 'Circularity' },
  eccentricity: { title: 'Eccentricity', dimension: 'ratio', csv: 'eccentricity', geojson: 'Eccentricity' },
  solidity: { title: 'Solidity', dimension: 'ratio', csv: 'solidity', geojson: 'Solidity' },
  orientation: { title: 'Orientation', dimension: 'angle', csv: 'orientation', geojson: 'Orientation' },
  contrast: { title: 'Contrast', dimension: 'ratio', csv: 'contrast', geojson: 'Contrast', optional: true },
  score: { title: 'Score', dimension: 'points', csv: 'score', geojson: 'Score', optional: true },
  stainedArea: { title: 'Stained area', dimension: 'percent', csv: 'stained_area', geojson: 'Stained area', optional: true },
} as const satisfies Record<string, Measurement>
export type MeasurementKey = keyof typeof measurements

/** Who shows which, in which order: on the screen as a pathologist asks, in files as they have always had them. */
export const measurementOrder = {
  screen: [
    'area',
    'score',
    'perimeter',
    'majorAxis',
    'minorAxis',
    'circularity',
    'eccentricity',
    'solidity',
    'orientation',
    'contrast',
    'stainedArea',
  ],
  csv: [
    'area',
    'perimeter',
    'majorAxis',
    'minorAxis',
    'orientation',
    'eccentricity',
    'circularity',
    'solidity',
    'contrast',
    'score',
    'stainedArea',
  ],
  geojson: [
    'area',
    'perimeter',
    'circularity',
    'solidity',
    'eccentricity',
    'majorAxis',
    'minorAxis',
    'orientation',
    'contrast',
    'score',
    'stainedArea',
  ],
} as const satisfies Record<string, readonly MeasurementKey[]>

/** Of the optical density of each of a stain set's channels. The engine's columns are stain1Mean, … */
export const stainStatistics = {
  mean: { title: 'mean', csv: 'mean', geojson: 'Mean' },
  std: { title: 'SD', csv: 'std', geojson: 'Std.Dev.' },
  min: { title: 'min', csv: 'min', geojson: 'Min' },
  max: { title: 'max', csv: 'max', geojson: 'Max' },
} as const
export type StainStatistic = keyof typeof stainStatistics
/** In this order everywhere. */
export const stainStatisticKeys = Object.keys(stainStatistics) as readonly StainStatistic[]

/** How the screen, a header of objects.csv and a name in objects.geojson write a unit; '' where there is none. */
export function unitsOf(
  dimension: Dimension,
  length: LengthUnit,
): Pick<Measurement, 'csv' | 'geojson'> & { readonly screen: string } {
  const name = length === 'um' ? 'µm' : 'px'
  switch (dimension) {
    case 'area':
      return { screen: `${name}²`, csv: `${length}2`, geojson: `${name}^2` }
    case 'length':
      return { screen: name, csv: length, geojson: name }
    case 'angle':
      return { screen: '°', csv: 'deg', geojson: '°' }
    case 'percent':
      return { screen: '%', csv: 'percent', geojson: '%' }
    case 'ratio':
    case 'points':
      return { screen: '', csv: '', geojson: '' }
  }
}

/** A value of the analysed image in a unit of which an analysed px has `perPx`. */
export function inUnits(value: number, dimension: Dimension, perPx: number): number {
  return dimension === 'area' ? value * perPx * perPx : dimension === 'length' ? value * perPx : value
}

/** A record with an entry for every key, as the table has them. */
export function byKey<K extends string, T>(keys: readonly K[], value: (key: K) => T): Record<K, T> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, T>
}
export const measurementKeys = Object.keys(measurements) as readonly MeasurementKey[]
export const isMeasurement = (key: string): key is MeasurementKey => Object.hasOwn(measurements, key)
/** Those that some recipes give none of, and those that each gives. */
export const optionalKeys = ['contrast', 'score', 'stainedArea'] as const satisfies readonly MeasurementKey[]
export type OptionalKey = (typeof optionalKeys)[number]
export const isOptional = (key: MeasurementKey): key is OptionalKey => (optionalKeys as readonly MeasurementKey[]).includes(key)
export const requiredKeys = measurementKeys.filter((key): key is Exclude<MeasurementKey, OptionalKey> => !isOptional(key))
/** What a score is the mean of: measurements, each of which gives 0 to 100 (native/contract/object_score.hpp). */
export const scoreKeys = ['contrast', 'solidity'] as const satisfies readonly MeasurementKey[]
