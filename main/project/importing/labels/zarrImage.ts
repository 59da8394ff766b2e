// A label image that is a folder of OME-Zarr on this machine, by the reader of slides: Zarr 2 and 3, Blosc, Zstandard, gzip, shards.
import { openSlide, tokenOf } from '../../../../native/index'
import { EngineError } from '../../../base/errors'
import type { Band, LabelImage } from './labelImage'

/** Rows of a chunk, as nobody says how many it has. */
const usualChunkRows = 1024
const bandPx = 2 ** 24

/** The caller closes it. Throws INVALID_PARAMETER, by its name. */
export async function openZarrImage(folder: string, called: string, signal: AbortSignal): Promise<LabelImage> {
  const refused = (why: string): EngineError => new EngineError('INVALID_PARAMETER', `${called} ${why}`)
  const failed = (error: unknown): EngineError => {
    signal.throwIfAborted()
    return refused(`cannot be read as a label image: ${(error as Error).message}`)
  }
  const slide = await openSlide(folder, tokenOf(signal)).catch((error: unknown) => {
    throw failed(error)
  })
  try {
    const { vendor, channels, levels } = slide.info()
    if (vendor !== 'ome-zarr') throw refused('is no OME-Zarr: expected a folder with a label image.')
    if (channels.length !== 1)
      throw refused(`has ${channels.length === 0 ? 'colours' : `${channels.length} channels`}: expected one plane of labels.`)
    const { width, height } = levels[0]!
    const step = Math.max(1, Math.min(usualChunkRows, Math.floor(bandPx / width)))
    const read = async (y: number): Promise<Band> => {
      const rows = Math.min(step, height - y)
      const { samples, unreadable } = await slide
        .readChannel(0, 0, 0, y, width, rows, tokenOf(signal))
        .catch((error: unknown) => {
          throw failed(error)
        })
      const [first] = unreadable
      if (first) throw refused(`is damaged: ${first.reason}`)
      return { y, rows, values: samples }
    }
    return {
      ...{ width, height, others: 0, description: '' },
      async *bands() {
        for (let y = 0; y < height; y += step) yield await read(y)
      },
      close: () => Promise.resolve(slide.close()),
    }
  } catch (error) {
    slide.close()
    throw error
  }
}
