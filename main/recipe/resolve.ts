// From µm to pixels: at which scale a recipe analyses a slide, and what its lengths and areas are there.
import type { ParamValue, Recipe, RecipeSpec, SlideInfo } from '../../app/contract'
import { invalidParam } from '../base/errors'

/** A level within this ratio of the wanted resolution is analysed as it is: resampling would blur for no gain. */
const snapTolerance = 0.12
/** What the native reader can deliver: level-0 px per analysed px. */
const minScale = 1 / 16
/** µm/px where neither the slide nor its objective says: 40x, the most common scan. */
const fallbackMpp = 0.25

export type Calibration = Pick<SlideInfo, 'mppX' | 'mppY' | 'objectivePower' | 'widthPx' | 'heightPx'> & {
  levels: readonly Pick<SlideInfo['levels'][number], 'widthPx' | 'heightPx' | 'downsample'>[]
}

export interface Resolution {
  /** Level-0 px per analysed px. */
  scale: number
  /** The whole slide in analysed px. */
  widthPx: number
  heightPx: number
  /** µm per analysed px; null = uncalibrated. */
  analysedMpp: number | null
  /** A pixel's width over its height; 1: square, or nobody knows. Its area is that of a square of `nominalMpp`. */
  aspect: number
  /** The µm per analysed px at which µm parameters are read; equals analysedMpp where that is known. */
  nominalMpp: number
  warnings: string[]
}

/** `pixelSizeUm` 0 = the slide's own; `mpp` overrides the slide's calibration. */
export function resolution(slide: Calibration, pixelSizeUm: number, mpp?: number): Resolution {
  const warnings: string[] = []
  const known = mpp ?? (slide.mppX && slide.mppY ? Math.sqrt(slide.mppX * slide.mppY) : null)
  const aspect = mpp === undefined && slide.mppX && slide.mppY ? slide.mppX / slide.mppY : 1
  if (Math.abs(aspect - 1) > 0.01) {
    const reach = (stretch: number): string => `${Number((10 * Math.sqrt(stretch)).toPrecision(3))} µm`
    warnings.push(
      `The slide's pixels are not square (${slide.mppX} by ${slide.mppY} µm). Objects are measured by axis. The recipe's radii, distances and shape limits count pixels: 10 µm reach ${reach(aspect)} across and ${reach(1 / aspect)} down.`,
    )
  }
  const ownMpp = known ?? (slide.objectivePower ? 10 / slide.objectivePower : fallbackMpp)
  if (known === null) {
    const reason = slide.objectivePower ? `its objective of ${slide.objectivePower}x` : 'the usual 40x scan'
    warnings.push(
      `The slide does not state its pixel size: lengths in µm are read at ${ownMpp} µm/px, from ${reason}, and results are in pixels. Give the pixel size to calibrate.`,
    )
  }
  const wanted = pixelSizeUm > 0 ? pixelSizeUm / ownMpp : 1
  const level = nearestLevel(slide, wanted)
  const scale = level?.downsample ?? wanted
  if (scale < minScale) {
    const least = `at least ${ownMpp * minScale} µm (a sixteenth of the slide's own pixel)`
    throw invalidParam(least, 'image', 'pixelSizeUm', pixelSizeUm)
  }
  if (scale < 1)
    warnings.push(
      `The recipe works at ${round(pixelSizeUm)} µm/px and the slide has ${round(ownMpp)} µm/px: its pixels are enlarged, which adds no detail.`,
    )
  return {
    scale,
    widthPx: sideAt(scale, slide.widthPx, level?.widthPx),
    heightPx: sideAt(scale, slide.heightPx, level?.heightPx),
    analysedMpp: known === null ? null : known * scale,
    aspect,
    nominalMpp: ownMpp * scale,
    warnings,
  }
}

/**
 * A level's own side is what the reader has, where the scale is that side's: a level's sides may be reduced by factors that differ, and the
 * shorter one is then resampled. Elsewhere a last pixel that the slide covers in part does not count.
 */
function sideAt(scale: number, slidePx: number, levelPx: number | undefined): number {
  if (levelPx !== undefined && Math.abs(levelPx - slidePx / scale) < 1 + 1e-6) return levelPx
  return Math.max(1, Math.floor(slidePx / scale + 1e-6))
}

function nearestLevel(slide: Calibration, wanted: number): Calibration['levels'][number] | undefined {
  let best: Calibration['levels'][number] | undefined
  let bestDistance = Infinity
  for (const level of slide.levels) {
    const ratio = wanted / level.downsample
    if (Math.abs(ratio - 1) > snapTolerance) continue
    const distance = Math.abs(Math.log(ratio))
    if (distance < bestDistance) {
      best = level
      bestDistance = distance
    }
  }
  return best
}

function round(value: number): number {
  return Number(value.toPrecision(4))
}

/** Every parameter as the native pipeline takes it, by "stage.key": µm and µm² in px and px² of the analysed image. */
export function resolveParams(spec: RecipeSpec, complete: Recipe, nominalMpp: number): Record<string, ParamValue> {
  const resolved: Record<string, ParamValue> = {}
  for (const stage of spec.stages) {
    for (const param of stage.params) {
      const value = complete.params[stage.id]?.[param.key] ?? param.default
      const unit = param.kind === 'number' ? param.unit : 'none'
      const divisor = unit === 'um' ? nominalMpp : unit === 'um2' ? nominalMpp * nominalMpp : 1
      resolved[`${stage.id}.${param.key}`] = typeof value === 'number' ? value / divisor : value
    }
  }
  return resolved
}

/** The resolution that a complete recipe analyses at, µm/px; 0 = the slide's own. */
export function pixelSizeUm(complete: Recipe): number {
  const value = complete.params['image']?.['pixelSizeUm']
  return typeof value === 'number' ? value : 0
}
