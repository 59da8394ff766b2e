// overlay.png: the slide with the objects' outlines painted on it, at most 4096 px on its long side.
import { pngBand, pngEnd, pngStart, tokenOf } from '../../native/index'
import type { PngBand, PngSum } from '../../native/index'
import type { ExportJob } from './exporter'
import type { OutputFile } from './outputSet'
import { paintOutlines, readPicture } from './slidePicture'

const longSidePx = 4096
/** Rows that are compressed at once, each band on a thread: some 3 MB of the widest picture, and their chunk. */
const bandRows = 256

export async function writeOverlayPng(job: ExportJob, out: OutputFile): Promise<void> {
  const picture = await readPicture(job, job.result.status.region, longSidePx, (part) => job.progress(0.6 * part))
  if (picture.lost > 0) job.warnings.push('Parts of the slide could not be read for overlay.png and are hatched there.')
  await paintOutlines(job, picture, (part) => job.progress(0.6 + 0.2 * part))
  const { rgb, width, height } = picture
  const { signal } = job
  await out.append(pngStart(width, height))
  const sums: PngSum[] = []
  const waiting: Promise<PngBand>[] = []
  const put = async (): Promise<void> => {
    const { chunk, adler, bytes } = await waiting.shift()!
    signal.throwIfAborted()
    sums.push({ adler, bytes })
    await out.append(chunk)
    job.progress(0.8 + (0.2 * sums.length * bandRows) / (height + bandRows))
  }
  try {
    for (let y = 0; y < height; y += bandRows) {
      signal.throwIfAborted()
      const band = pngBand(rgb, width, y, Math.min(bandRows, height - y), tokenOf(signal))
      // It is waited for in its turn: a failure meanwhile is told then.
      band.catch(() => undefined)
      waiting.push(band)
      if (waiting.length > job.tools.threads) await put()
    }
    while (waiting.length > 0) await put()
  } finally {
    await Promise.allSettled(waiting)
  }
  await out.append(pngEnd(sums))
}
