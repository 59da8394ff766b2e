// The rows of an image that is open by parts, one after the other: only some of a large one are in memory.
import { open } from 'node:fs/promises'
import { EngineError } from '../base/errors'
import type { PartedImage } from './byParts'
import { bytesOf } from './npy'

export type ImageRow = Uint8Array | Uint16Array | Int32Array
export interface ImageRows {
  /** Good until another is asked for. */
  row(y: number): Promise<ImageRow>
  close(): Promise<void>
}

/** Of a file so much is read at once, or one row where that is more. */
const blockBytes = 2 ** 20
const arrays = { uint8: Uint8Array, uint16: Uint16Array, int32: Int32Array } as const

/** Grey images. The caller closes it before it disposes of the image. */
export async function openRows(image: PartedImage): Promise<ImageRows> {
  const { width, height, type } = image
  if ('image' in image) {
    const { data } = image.image
    return {
      row: (y) => Promise.resolve(data.subarray(y * width, (y + 1) * width)),
      close: () => Promise.resolve(),
    }
  }
  const rowBytes = width * bytesOf[type]
  const rows = Math.max(1, Math.min(height, Math.floor(blockBytes / Math.max(1, rowBytes))))
  const block = new Uint8Array(rows * rowBytes)
  const file = await open(image.path)
  let [begin, end] = [0, 0]
  return {
    row: async (y) => {
      if (y < begin || y >= end) {
        const wanted = Math.min(rows, height - y) * rowBytes
        for (let done = 0; done < wanted;) {
          const { bytesRead } = await file.read(block, done, wanted - done, image.offset + y * rowBytes + done)
          if (bytesRead === 0) throw new EngineError('INVALID_PARAMETER', `${image.path} became shorter while it was read`)
          done += bytesRead
        }
        ;[begin, end] = [y, y + wanted / rowBytes]
      }
      return new arrays[type](block.buffer, (y - begin) * rowBytes, width)
    },
    close: () => file.close(),
  }
}
