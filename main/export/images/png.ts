// A picture as PNG that says how large a px is.
import { sharp } from '../../base/sharp'
import type { OutputFile } from '../output/outputSet'
import type { Canvas } from '../picture/slidePicture'

/** Tissue is noise: more work makes it hardly smaller. */
const compressionLevel = 1
/** Of the signature and the first chunk; behind them libvips says how large a px is, of which it knows nothing. */
const headBytes = 33
const sizeBytes = 21

/** `um`: of a px, along each axis; null: nobody knows. */
export async function writePng(
  { rgb, width, height }: Canvas,
  um: readonly [x: number, y: number] | null,
  out: OutputFile,
  signal: AbortSignal,
): Promise<void> {
  let head: Buffer | null = Buffer.alloc(0)
  for await (const part of sharp()(rgb, { raw: { width, height, channels: 3 } }).png({ compressionLevel })) {
    signal.throwIfAborted()
    if (!head) {
      await out.append(part as Buffer)
      continue
    }
    head = Buffer.concat([head, part as Buffer])
    if (head.length < headBytes + sizeBytes) continue
    const isSaid = head.toString('latin1', headBytes + 4, headBytes + 8) === 'pHYs'
    await out.append(head.subarray(0, headBytes))
    if (um) await out.append(sizeChunk(um))
    await out.append(head.subarray(headBytes + (isSaid ? sizeBytes : 0)))
    head = null
  }
}

/** Px a metre, as a whole number: of 0.25 µm it is right to a millionth. */
function sizeChunk([x, y]: readonly [number, number]): Buffer {
  const perMetre = (um: number): number => Math.max(1, Math.min(2 ** 31 - 1, Math.round(1e6 / um)))
  const chunk = Buffer.alloc(sizeBytes)
  chunk.writeUInt32BE(9, 0)
  chunk.write('pHYs', 4, 'latin1')
  chunk.writeUInt32BE(perMetre(x), 8)
  chunk.writeUInt32BE(perMetre(y), 12)
  chunk.writeUInt8(1, 16)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 17)), 17)
  return chunk
}

/** As PNG has it (ISO 3309). Node 22.2 and later has one; of few bytes this is as good. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
