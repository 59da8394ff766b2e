// Messages as frames on a byte stream, for a parent and an engine whose V8s cannot read each other's structured clones.
import type { FromEngine, ToEngine } from './messages'

/** On the command line of the engine's process: messages are frames on its descriptor 3. */
export const pipeFlag = '--framed-pipe'

// A frame: the JSON's length, the length of a tile's or a print's bytes (both uint32, little-endian), the JSON, the bytes. JSON never holds them.
const headerBytes = 8
/** More than any tile or result; a larger length means that the stream is not ours. */
const frameLimitBytes = 1 << 30

export function encodeFrame(message: ToEngine | FromEngine): Buffer {
  const pixels = 'reply' in message ? message.reply.body : new Uint8Array(0)
  const bare = 'reply' in message ? { ...message, reply: { ...message.reply, body: null } } : message
  const json = Buffer.from(JSON.stringify(bare))
  const frame = Buffer.allocUnsafe(headerBytes + json.length + pixels.length)
  frame.writeUInt32LE(json.length, 0)
  frame.writeUInt32LE(pixels.length, 4)
  json.copy(frame, headerBytes)
  frame.set(pixels, headerBytes + json.length)
  return frame
}

function decode(frame: Buffer, jsonBytes: number): unknown {
  const message = JSON.parse(frame.toString('utf8', headerBytes, headerBytes + jsonBytes)) as {
    kind: string
    reply?: { body: Uint8Array | null }
  } | null
  if (message === null || typeof message !== 'object') throw new Error('expected a message but received none')
  // Copied: a small tile must not keep the chunk that it came in.
  if (['tile', 'printed'].includes(message.kind) && typeof message.reply === 'object' && message.reply)
    message.reply.body = Uint8Array.from(frame.subarray(headerBytes + jsonBytes))
  return message
}

/** Puts frames together again from chunks of any size. */
export class FrameReader {
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(private readonly onMessage: (message: unknown) => void) {}

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    while (this.#bytes >= headerBytes) {
      const head = this.#head(headerBytes)
      const jsonBytes = head.readUInt32LE(0)
      const total = headerBytes + jsonBytes + head.readUInt32LE(4)
      if (total > frameLimitBytes)
        throw new Error(`expected a frame of at most ${frameLimitBytes} bytes but received one of ${total}`)
      if (this.#bytes < total) return
      const frame = this.#head(total)
      const [first, ...rest] = this.#chunks
      this.#chunks = first!.length > total ? [first!.subarray(total), ...rest] : rest
      this.#bytes -= total
      this.onMessage(decode(frame, jsonBytes))
    }
  }

  /** The first bytes in one piece. Called when they are all here, so a frame in many chunks is joined once. */
  #head(bytes: number): Buffer {
    if (this.#chunks[0]!.length < bytes) this.#chunks = [Buffer.concat(this.#chunks)]
    return this.#chunks[0]!.subarray(0, bytes)
  }
}
