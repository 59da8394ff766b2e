// `--spatial`: which measures of where objects lie tables and bands.csv tell.
import { InvalidArgumentError } from 'commander'
import { bandLimits, noSpatial, SpatialMeasures, usualBands, usualSpatial } from '../contract'
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
  'more columns in objects.csv, .parquet and .h5ad: border (signed distance to the regions of each class), nearest (distance to the nearest object of each class), density=UM (objects within a radius), mean=N (mean distance to the N nearest), neighbours=UM (Delaunay neighbours no farther than that); with commas, or all. bands=CLASS:UM/UM/UM also writes bands.csv: objects, area and density between these distances from the border of the class’s regions, below 0 inside',
  spatialMeasures,
] as const

/** Who asks for bands means their file. */
export const withSpatialFiles = (files: readonly ExportFile[], spatial: SpatialMeasures | undefined): ExportFile[] =>
  spatial?.bands && !files.includes('bands.csv') ? [...files, 'bands.csv'] : [...files]
