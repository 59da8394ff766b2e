// Looks for a tissue microarray on a slide: its tissue at low power becomes a map, in which the cores are found. All answers are level-0 px.
import type { CoreSearch, FoundCores } from '../../app/contract'
import { breather, inSteps } from '../base/breather'
import { EngineError, invalid } from '../base/errors'
import { recogniseSlide } from '../slide/recognise'
import type { OpenSlide } from '../slide/slides'
import { tissueOf } from '../slide/tissue'
import type { Tissue } from '../slide/tissue'
import type { CoverMap } from './coverMap'
import { dearraying } from './dearray'

/** Of the map: enough for cores of 0.3 mm on all of a slide. */
const mostMapPx = 2_000_000
/** Map px across a core whose diameter is known: more tells no more. */
const enoughAcross = 48
/** µm around a bit of tissue that may be of the same core. */
const gapUm = 25
/** How far from the glass, grey levels: as the recipes have it at first. */
const levels = { shines: 3, dark: 8 } as const

/** Throws INVALID_PARAMETER without a pixel size, SLIDE_UNREADABLE, and NOT_FOUND where there is no array. */
export async function findCores(
  slide: OpenSlide,
  { mpp: given, diameterUm, rows, columns }: Omit<CoreSearch, 'slideId'>,
  threads: number,
  signal: AbortSignal,
): Promise<FoundCores> {
  const { widthPx, heightPx, mppX, mppY } = slide.info
  const mpp = given ?? (mppX && mppY ? Math.sqrt(mppX * mppY) : null)
  if (mpp === null) throw invalid('µm per px, which the slide does not say', 'mpp', given)
  const shines = await recogniseSlide(slide, signal).then(
    ({ stain }) => stain === 'fluorescence',
    (error: unknown) => {
      if (signal.aborted) throw error
      return false
    },
  )
  const tissue = await tissueOf(slide, mpp, { shines, level: shines ? levels.shines : levels.dark }, threads, signal)
  if (!tissue)
    throw new EngineError(
      'SLIDE_UNREADABLE',
      'The slide has no small picture of itself, and reading all of it would take too long.',
    )
  const across = diameterUm === undefined ? 0 : diameterUm / mpp / enoughAcross
  const scale = Math.max(tissue.scale, Math.sqrt((widthPx * heightPx) / mostMapPx), across)
  const breathe = breather(signal)
  const map = await inSteps(mapOf(tissue, widthPx, heightPx, scale), breathe)
  const wanted = {
    diameter: diameterUm === undefined ? null : diameterUm / mpp / scale,
    rows: rows ?? null,
    columns: columns ?? null,
    gap: Math.max(1, Math.round(gapUm / mpp / scale)),
  }
  const found = await inSteps(dearraying(map, wanted), breathe)
  if (!found)
    throw new EngineError(
      'NOT_FOUND',
      diameterUm === undefined
        ? 'No array of cores was found on this slide. Say what diameter its cores have, and try again.'
        : `No array of cores of ${diameterUm} µm was found on this slide. Try another diameter.`,
    )
  const px = (value: number): number => Math.round(value * scale * 100) / 100
  return {
    ...{ rows: found.rows, columns: found.columns },
    diameterPx: px(found.diameter),
    diameterUm: Math.round(found.diameter * scale * mpp * 10) / 10,
    rotation: Math.round(found.rotation * 100) / 100,
    cores: found.cores.map((core) => ({ ...core, x: px(core.x), y: px(core.y) })),
    outside: found.outside.map(({ x, y }) => ({ x: px(x), y: px(y) })),
    unread: tissue.unknown?.reason ?? null,
  }
}

/** `scale`: level-0 px of a px. */
function* mapOf(tissue: Tissue, widthPx: number, heightPx: number, scale: number): Generator<void, CoverMap, void> {
  const [width, height] = [Math.ceil(widthPx / scale), Math.ceil(heightPx / scale)]
  const share = new Uint8Array(width * height)
  const area = scale * scale
  for (let y = 0; y < height; y++) {
    if (y % 16 === 0) yield
    for (let x = 0; x < width; x++)
      share[y * width + x] = Math.round((255 * tissue.areaIn({ x: x * scale, y: y * scale, width: scale, height: scale })) / area)
  }
  return { width, height, share }
}
