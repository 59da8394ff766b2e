// Pictures of regions: a PNG or an OME-TIFF each, in px of the size that is asked for. All of them take their names, or none.
import { mostRegionImages } from '../../../app/contract'
import type { RegionImages, RegionImagesRequest, Shape, SlideInfo } from '../../../app/contract'
import { EngineError } from '../../base/errors'
import { intersection } from '../../base/rect'
import type { PixelRect } from '../../base/rect'
import type { Box } from '../../base/shapes'
import type { RunResult } from '../../run/objects/result'
import type { ExportTools } from '../exporter'
import { Names, pseudonymOf } from '../names'
import { outputDirectory } from '../output/folder'
import { OutputSet } from '../output/outputSet'
import { checkTargets } from '../output/targets'
import { withSlide } from '../picture/slidePixels'
import { stems } from '../tables/regionTables'
import { PaintedSlide } from './paintedSlide'
import { writePng } from './png'
import { writeTiledPicture } from './tiledPicture'

/** It is held as a whole, at 8 bytes a px while it is made. */
const mostPngPx = 2 ** 25
const mostTiledPx = 2 ** 34
const tidyMs = 3000

export interface PicturedRegion {
  /** As lists call it, or under a pseudonym. */
  readonly title: string
  readonly shape: Shape
  /** Level-0 px. */
  readonly box: Box
}

export interface ImagesAsked extends Pick<RegionImagesRequest, 'directory' | 'form' | 'pixel' | 'border' | 'overwrite'> {
  readonly slide: SlideInfo
  readonly regions: readonly PicturedRegion[]
  /** Whose objects are outlined. */
  readonly result: RunResult | null
  readonly hidden: boolean
}

/** Throws INVALID_PARAMETER, OUTPUT_EXISTS, OUTPUT_FAILED, SLIDE_CHANGED, and the signal's reason: then the folder is as it was. */
export async function writeRegionImages(
  asked: ImagesAsked,
  tools: ExportTools,
  told: (fraction: number) => void,
  signal: AbortSignal,
): Promise<RegionImages> {
  const { slide, form, overwrite = false } = asked
  const warnings: string[] = []
  const scale = scaleOf(asked, warnings)
  const names = stems(asked.regions.map(({ title }) => title)).map(
    (stem) => `region-${stem}.${form === 'png' ? 'png' : 'ome.tif'}`,
  )
  const pictures = asked.regions.flatMap((region, i) => {
    const area = areaOf(region.box, slide, scale)
    if (!area) warnings.push(`${region.title} lies beyond the slide, and has no picture.`)
    return area ? [{ ...region, area, name: names[i]! }] : []
  })
  for (const { title, area } of pictures) requireSize(title, area, form)
  if (pictures.length === 0) throw new EngineError('INVALID_PARAMETER', 'There is no region with an area on the slide.')
  if (pictures.length > mostRegionImages)
    throw new EngineError(
      'INVALID_PARAMETER',
      `${pictures.length} regions are chosen, and ${mostRegionImages} pictures are the most at once. Choose fewer.`,
    )
  const set = await OutputSet.in(outputDirectory(asked.directory), signal)
  try {
    warnings.push(...set.notes)
    const files = pictures.map(({ name }) => name)
    await checkTargets({ directory: set.directory, files, overwrite, isSource: tools.isSource }, signal)
    const seed = asked.hidden ? ((await tools.sha256OfSlide(signal)).sha256 ?? tools.seed) : null
    const called = new Names(slide, seed === null ? null : pseudonymOf(seed)).shown
    const made: RegionImages['files'] = []
    const whole = pictures.reduce((sum, { area }) => sum + area.width * area.height, 0)
    const um = slide.mppX !== null && slide.mppY !== null ? ([scale * slide.mppX, scale * slide.mppY] as const) : null
    let lost = 0
    let before = 0
    const gone = await withSlide(tools, async () => {
      for (const { name, title, shape, area } of pictures) {
        const file = await set.create(name)
        const painted = new PaintedSlide({ tools, scale, result: asked.result, borders: asked.border ? [shape] : [] })
        const share = (area.width * area.height) / whole
        const report = (fraction: number): void => told(before + share * fraction)
        if (form === 'png') {
          const picture = await painted.read(area, signal)
          report(0.5)
          await writePng(picture, um, file, signal)
        } else {
          await writeTiledPicture(
            {
              ...{ width: area.width, height: area.height, title: `${title} of ${called}`, app: tools.versions.app, signal },
              um: um && { px: um, at: [area.x * um[0], area.y * um[1]] },
              read: (part) => painted.read({ ...part, x: area.x + part.x, y: area.y + part.y }, signal),
              told: report,
            },
            file,
          )
        }
        await file.finish()
        lost += painted.lost
        before += share
        told(before)
        made.push({ name, path: file.path, bytes: file.bytes, sha256: file.sha256, width: area.width, height: area.height })
      }
    })
    if (gone !== null)
      throw new EngineError('SLIDE_CHANGED', `The slide’s file ${gone} since it was opened: no picture was written.`)
    if (lost > 0) warnings.push('Parts of the slide could not be read, and are hatched in the pictures.')
    signal.throwIfAborted()
    await set.commit()
    return { directory: set.directory, files: made, warnings }
  } catch (error) {
    await Promise.race([set.discard(), new Promise((resolve) => setTimeout(resolve, tidyMs).unref())])
    throw error
  }
}

/** Level-0 px per px. Throws INVALID_PARAMETER where the slide does not say what that is. */
function scaleOf({ pixel, slide }: Pick<ImagesAsked, 'pixel' | 'slide'>, warnings: string[]): number {
  if (!pixel) return 1
  const { mppX, mppY, objectivePower } = slide
  const mpp = mppX !== null && mppY !== null ? Math.sqrt(mppX * mppY) : null
  const per =
    'um' in pixel
      ? mpp && pixel.um / mpp
      : objectivePower
        ? objectivePower / pixel.magnification
        : mpp && umAtOne / pixel.magnification / mpp
  if (!per)
    throw new EngineError(
      'INVALID_PARAMETER',
      'The slide says neither its pixel size nor its objective: give the pixel size, or take its own px.',
    )
  if (per >= 1) return per
  warnings.push('That is finer than the slide: the pictures have its own px.')
  return 1
}

/** µm a px at a magnification of one, where a slide has no objective: 0.25 µm is 40×. */
const umAtOne = 10

/** Px of the picture that the box touches, as far as they lie on the slide. */
function areaOf(box: Box, { widthPx, heightPx }: SlideInfo, scale: number): PixelRect | null {
  const [x, y] = [Math.floor(box.minX / scale), Math.floor(box.minY / scale)]
  const wanted = { x, y, width: Math.ceil(box.maxX / scale) - x, height: Math.ceil(box.maxY / scale) - y }
  return intersection(wanted, { x: 0, y: 0, width: Math.ceil(widthPx / scale), height: Math.ceil(heightPx / scale) })
}

function requireSize(title: string, { width, height }: PixelRect, form: RegionImagesRequest['form']): void {
  const most = form === 'png' ? mostPngPx : mostTiledPx
  if (width * height <= most) return
  const instead = form === 'png' ? 'Choose OME-TIFF, or larger px.' : 'Choose larger px.'
  throw new EngineError(
    'INVALID_PARAMETER',
    `The picture of ${title} would have ${width} × ${height} px: expected ${most / 2 ** 20} Mi px at most. ${instead}`,
  )
}
