// overlay.png: the slide with the objects' outlines painted on it, and with the shapes that were run in, at most 4096 px on its long side.
import type { Region } from '../../../app/contract'
import { intersection } from '../../base/rect'
import type { ExportJob } from '../exporter'
import type { OutputFile } from '../output/outputSet'
import { sharp } from '../../base/sharp'
import { marginFor, paintShapes } from './shapeLines'
import { paintOutlines, readPicture } from './slidePicture'

const longSidePx = 4096
/** Level 2 takes three quarters longer for 9 % less, level 6 twice as long for 11 %: tissue is noise. */
const compressionLevel = 1

export async function writeOverlayPng(job: ExportJob, out: OutputFile): Promise<void> {
  const picture = await readPicture(job, regionOf(job), longSidePx, (part) => job.progress(0.6 * part))
  if (picture.lost > 0) job.warnings.push('Parts of the slide could not be read for overlay.png and are hatched there.')
  await paintOutlines(job, picture, (part) => job.progress(0.6 + 0.2 * part))
  await paintShapes(job.result.shapes ?? [], picture, job.signal)
  job.signal.throwIfAborted()
  const { rgb, width, height } = picture
  const png = sharp()(rgb, { raw: { width, height, channels: 3 } }).png({ compressionLevel })
  for await (const chunk of png) {
    job.signal.throwIfAborted()
    await out.append(chunk as Buffer)
  }
}

/** Of a run within shapes: around them, so that their lines lie in the picture. Its own region is that of what was computed. */
function regionOf({ result: { status, slide } }: ExportJob): Region {
  const { withinBox: box } = status
  if (!box) return status.region
  const margin = marginFor(box.width, box.height, longSidePx)
  const wide = { x: box.x - margin, y: box.y - margin, width: box.width + 2 * margin, height: box.height + 2 * margin }
  return intersection(wide, { x: 0, y: 0, width: slide.widthPx, height: slide.heightPx })!
}
