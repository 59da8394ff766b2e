// What a page of a Parquet column claims of runs of one value: its decoder makes as many as are claimed, whatever the page has room for. Pure.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import * as zlib from 'node:zlib'
import type { Compressors, PageHeader } from 'hyparquet'
import { snappyUncompress } from 'hyparquet/src/snappy.js'

const unpacked =
  (unpack: (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer) => (bytes: Uint8Array, length: number) =>
    length === 0 ? new Uint8Array(0) : new Uint8Array(unpack(bytes, { maxOutputLength: length }))
const { zstdDecompressSync } = zlib as unknown as {
  zstdDecompressSync?: (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer
}
export const compressors: Compressors = {
  GZIP: unpacked(gunzipSync),
  BROTLI: unpacked(brotliDecompressSync),
  // Node has it since 22.15.
  ...(zstdDecompressSync && { ZSTD: unpacked(zstdDecompressSync) }),
  SNAPPY: (bytes, length) => {
    const page = new Uint8Array(length)
    snappyUncompress(bytes, page)
    return page
  },
}

/** Those whose decoders write no more than they are asked for. */
const plainEncodings = new Set(['PLAIN', 'BYTE_STREAM_SPLIT'])
const dictionaryEncodings = new Set(['PLAIN_DICTIONARY', 'RLE_DICTIONARY'])
export const isKnownEncoding = (encoding: unknown): boolean =>
  plainEncodings.has(String(encoding)) || dictionaryEncodings.has(String(encoding))

/** Whether a page of a flat column has no run that is longer than its values. `optional`: values may be absent. Throws what cannot be unpacked. */
export function isSoundPage(page: PageHeader, bytes: Uint8Array, codec: string, optional: boolean): boolean {
  const unpack = (packed: Uint8Array, length: number): Uint8Array =>
    codec === 'UNCOMPRESSED' ? packed : compressors[codec as 'GZIP']!(packed, length)
  const { data_page_header: first, data_page_header_v2: second } = page
  const told = first ?? second
  if (!told) return true
  const most = told.num_values
  let values: Uint8Array
  if (second) {
    const levels = second.definition_levels_byte_length
    if (second.repetition_levels_byte_length !== 0) return false
    if (optional && !areRuns(bytes.subarray(0, levels), 1, most)) return false
    const packed = bytes.subarray(levels)
    values = second.is_compressed === false ? packed : unpack(packed, page.uncompressed_page_size - levels)
  } else {
    values = unpack(bytes, page.uncompressed_page_size)
    if (optional) {
      if (values.length < 4) return false
      const length = new DataView(values.buffer, values.byteOffset, 4).getUint32(0, true)
      if (length > values.length - 4 || !areRuns(values.subarray(4, 4 + length), 1, most)) return false
      values = values.subarray(4 + length)
    }
  }
  if (!dictionaryEncodings.has(String(told.encoding)) || values.length === 0) return true
  return values[0]! <= 32 && areRuns(values.subarray(1), values[0]!, most)
}

/** Runs of one value, and groups of eight values of `width` bits, by turns: `most` values together. */
export function areRuns(bytes: Uint8Array, width: number, most: number): boolean {
  let [seen, at] = [0, 0]
  while (seen < most && at < bytes.length) {
    let [header, shift] = [0, 0]
    for (;;) {
      if (at >= bytes.length || shift > 28) return false
      const byte = bytes[at++]!
      header += (byte & 0x7f) * 2 ** shift
      shift += 7
      if (byte < 0x80) break
    }
    if (header >= 2 ** 31) return false
    const count = header % 2 === 1 ? 8 * ((header - 1) / 2) : header / 2
    // The last group of eight may be filled up.
    if (count >= most - seen + (header % 2 === 1 ? 8 : 1)) return false
    seen += count
    at += header % 2 === 1 ? ((header - 1) / 2) * width : Math.ceil(width / 8)
  }
  return true
}
