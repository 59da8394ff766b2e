// overlay.png: the slide with the objects' outlines painted on it, at most 4096 px on its long side.
import type { ExportJob } from './exporter'
import type { OutputFile } from './outputSet'
import { sharp } from '../base/sharp'
import { paintOutlines, readPicture } from './slidePicture'

const longSidePx = 4096
/** Level 2 takes three quarters longer for 9 % less, level 6 twice as long for 11 %: tissue is noise. */
const compressionLevel = 1

export async function writeOverlayPng(job: ExportJob, out: OutputFile): Promise<void> {
  const picture = await readPicture(job, job.result.status.region, longSidePx, (part) => job.progress(0.6 * part))
  if (picture.lost > 0) job.warnings.push('Parts of the slide could not be read for overlay.png and are hatched there.')
  await paintOutlines(job, picture, (part) => job.progress(0.6 + 0.2 * part))
  job.signal.throwIfAborted()
  const { rgb, width, height } = picture
  const png = sharp()(rgb, { raw: { width, height, channels: 3 } }).png({ compressionLevel })
  for await (const chunk of png) {
    job.signal.throwIfAborted()
    await out.append(chunk as Buffer)
  }
}
