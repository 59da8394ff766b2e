// `--spatial`: which measures of where objects lie tables and bands.csv tell.
import { InvalidArgumentError } from 'commander'
import { bandLimits, DensityMapAsk, noSpatial, SpatialMeasures, usualBands, usualMap, usualSpatial } from '../contract'
import type { BandsAsk, ExportFile } from '../contract'

/** "border,density=50", "bands=Tumor:-50/0/50", or "all". */
function spatialMeasures(text: string): SpatialMeasures {
  const wrong = (): InvalidArgumentError =>
    new InvalidArgumentError(
      `expected all, or some of border, nearest, density=UM, mean=N, neighbours=UM and bands=CLASS:UM/UM/UM with commas, UM from 1 to 10000 (of bands from -10000, rising) and N from 1 to 100, but received ${text}`,
    )
  const { densityRadiusUm, nearestCount } = usualSpatial
  const parts =
    text === 'all' ? ['border', 'nearest', 'density', 'mean', 'neighbours'] : text.split(',').map((part) => part.trim())
  let measures: SpatialMeasures = noSpatial
  for (const part of parts) {
    const [name, given, ...more] = part.split('=')
    const value = given === undefined ? null : /^\s*(\d+\.?\d*|\.\d+)\s*$/.test(given) ? Number(given) : NaN
    if (name === 'bands') {
      const bands = bandsOf(part.slice('bands'.length))
      if (!bands) throw wrong()
      measures = { ...measures, bands }
      continue
    }
    if (more.length > 0) throw wrong()
    const asked: Partial<Record<string, Partial<SpatialMeasures>>> = {
      border: value === null ? { border: true } : undefined,
      nearest: value === null ? { nearest: true } : undefined,
      density: { densityRadiusUm: value ?? densityRadiusUm },
      mean: { nearestCount: value ?? nearestCount },
      neighbours: { neighbours: true, neighboursWithinUm: value },
    }
    const own = Object.hasOwn(asked, name!) ? asked[name!] : undefined
    if (!own) throw wrong()
    measures = { ...measures, ...own }
  }
  const checked = SpatialMeasures.safeParse(measures)
  if (!checked.success) throw wrong()
  return checked.data
}

/** "", "=Tumor", "=-50/0/50" or "=Tumor:-50/0/50"; a class's name may hold ": ". null: it is none of them. */
function bandsOf(text: string): BandsAsk | null {
  if (text === '') return usualBands
  const given = text.slice(1).trim()
  const limits = bandLimits(given)
  if (limits) return { of: null, limitsUm: limits }
  const at = given.lastIndexOf(':')
  const named = at < 0 ? null : bandLimits(given.slice(at + 1))
  const of = (named ? given.slice(0, at) : given).trim()
  // What has nothing but signs of numbers was meant to be limits.
  if (of === '' || of.length > 200 || /^[\d\s./:;+−-]*$/.test(of) || (!named && (given.includes('/') || given.endsWith(':'))))
    return null
  return { of, limitsUm: named ?? usualBands.limitsUm }
}

/** Of commands that write tables of objects. */
export const spatialOption = [
  '--spatial <measures>',
  'more columns in objects.csv, .parquet and .h5ad; names with commas, or all. `border`: signed distance to the regions of each class. `nearest`: distance to the nearest object of each class. `density=UM`: objects within a radius. `mean=N`: mean distance to the N nearest. `neighbours=UM`: Delaunay neighbours no farther than that. `bands=CLASS:UM/UM/UM`: bands.csv as well, with objects, area and density between these distances from the border of the class’s regions. Below 0 is inside',
  spatialMeasures,
] as const

/** "", "100", "100,positive" or "100,share". */
function densityMap(text: string): DensityMapAsk {
  const [um, of = null, ...more] = text.split(',').map((part) => part.trim())
  const radiusUm = /^(\d+\.?\d*|\.\d+)$/.test(um!) ? Number(um) : NaN
  const share = of?.toLowerCase() === 'share'
  const asked = DensityMapAsk.safeParse({ radiusUm, of: share ? null : of, share })
  if (asked.success && more.length === 0) return asked.data
  throw new InvalidArgumentError(
    `expected µm from 1 to 10000, and after a comma a class of objects, or share for that of positive ones, but received ${text}`,
  )
}

/** Of the same commands. */
export const densityMapOption = [
  '--density-map [um,class]',
  `write density.ome.tif: how many objects lie within so many µm of each place, for each mm² (default: ${usualMap.radiusUm}). \`100,positive\` is of one class, \`100,share\` the share of positive ones`,
  densityMap,
] as const
export interface DensityMapOption {
  /** True: as usual. */
  readonly densityMap?: DensityMapAsk | true
}
/** Both options as one thing that is asked for. */
export function withMap<T extends { readonly spatial?: SpatialMeasures | undefined }>({
  densityMap: map,
  ...options
}: T & DensityMapOption) {
  if (map === undefined) return options
  return { ...options, spatial: { ...(options.spatial ?? noSpatial), map: map === true ? usualMap : map } }
}

/** Who asks for bands or a map means their file. */
export const withSpatialFiles = (files: readonly ExportFile[], spatial: SpatialMeasures | undefined): ExportFile[] => [
  ...new Set<ExportFile>([
    ...files,
    ...(spatial?.bands ? (['bands.csv'] as const) : []),
    ...(spatial?.map ? (['density.ome.tif'] as const) : []),
  ]),
]
