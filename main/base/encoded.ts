// An image as it leaves the engine: its bytes, and what of it could not be read.

export interface Encoded {
  type: 'image/jpeg' | 'image/png' | 'application/octet-stream'
  body: Uint8Array<ArrayBuffer>
  /** Parts that the file could not give: drawn hatched, and named in a header. */
  unreadable?: number
  /** Why the first of them could not be read. */
  reason?: string
  /** The time for it was up: it is not kept, as another try gets further. */
  timedOut?: boolean
  /** n: of every n × n squares of the file one was read and stands for the others; named in a header where it is more than 1. */
  sampledEvery?: number
}

/** sharp hands out Node buffers that may share a pool: a response owns its bytes. */
export function ownBytes(buffer: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer)
}
