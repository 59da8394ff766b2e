// A run's journal as a file: records one after the other, each with its length and a checksum, so that one that was cut off is known. Nothing of what is in them.
//
// 16 bytes that name the format, 16 random bytes, then the records: length of the body (u32), kind (u32), 16 bytes of a SHA-256 over the
// random bytes, the record's place in the file (f64), length, kind and body; the body, and zeros up to a multiple of 8. Little endian.
import { createHash, randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { EngineError } from '../../base/errors'

const magic = Buffer.from('morphoscope-run1', 'latin1')
const headBytes = 32
const frameBytes = 24
/** A window's objects take some MB. What a file claims beyond is no record. */
const maxBodyBytes = 1 << 28
/** What is written is on the disk after so long: with the machine's power a journal loses no more. What dies with the process alone loses nothing. */
const syncEveryMs = 2000
/** Bytes that wait to be written before those that bring more are told to wait. */
const maxWaitingBytes = 32 * 2 ** 20

type Room = (bytes: number) => Uint8Array<ArrayBuffer>
const newRoom: Room = (bytes) => new Uint8Array(new ArrayBuffer(bytes))
/** The same memory each time, where there is enough: fresh memory costs the system more than to fill it. */
export function sameRoom(): Room {
  let kept = new ArrayBuffer(0)
  return (bytes) => {
    if (kept.byteLength < bytes) kept = new ArrayBuffer(bytes)
    return new Uint8Array(kept, 0, bytes)
  }
}

const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8

function digestOf(nonce: Uint8Array, at: number, length: number, kind: number, body: readonly Uint8Array[]): Buffer {
  const place = Buffer.alloc(16)
  place.writeDoubleLE(at, 0)
  place.writeUInt32LE(length, 8)
  place.writeUInt32LE(kind, 12)
  const sum = createHash('sha256').update(nonce).update(place)
  for (const part of body) sum.update(part)
  return sum.digest().subarray(0, 16)
}

export interface JournalRecord {
  readonly kind: number
  /** Memory of its own, which begins at a multiple of 8. */
  readonly body: Uint8Array<ArrayBuffer>
}
/** A record's kind, length and first bytes, neither read whole nor checked: for what a list shows. */
export interface RecordGlance {
  readonly kind: number
  readonly start: Buffer
}

/** Reads records in order up to the first that is not whole. */
export class JournalReader {
  /** Where the records that were read end: what follows is not trusted. */
  end = headBytes
  private readonly handle: FileHandle
  private readonly nonce: Buffer
  readonly sizeBytes: number

  private constructor(handle: FileHandle, nonce: Buffer, sizeBytes: number) {
    this.handle = handle
    this.nonce = nonce
    this.sizeBytes = sizeBytes
  }

  /** null where the file is no journal, or ends before its first record. */
  static async of(handle: FileHandle): Promise<JournalReader | null> {
    const info = await handle.stat()
    if (!info.isFile() || info.size < headBytes) return null
    const head = Buffer.alloc(headBytes)
    await readFully(handle, head, 0)
    return head.subarray(0, 16).equals(magic) ? new JournalReader(handle, head.subarray(16), info.size) : null
  }

  /** Is there anything behind what was read: a record cut off, or bytes that no record has? */
  get torn(): boolean {
    return this.end < this.sizeBytes
  }

  /** null at the end, and where what comes next is not whole, or longer. `room`: gives the memory that its body may be read into, where that is not new. */
  async next(room = newRoom, mostBytes = maxBodyBytes): Promise<JournalRecord | null> {
    const frame = await this.frame()
    if (!frame || frame.length > mostBytes) return null
    const { kind, length, digest } = frame
    const body = room(length)
    await readFully(this.handle, body, this.end + frameBytes)
    if (!digestOf(this.nonce, this.end, length, kind, [body]).equals(digest)) return null
    this.end += frameBytes + padded(length)
    return { kind, body }
  }

  /** The same without its checksum: its first `bytes` bytes at most. */
  async glance(bytes: number): Promise<RecordGlance | null> {
    const frame = await this.frame()
    if (!frame) return null
    const start = Buffer.alloc(Math.min(bytes, frame.length))
    await readFully(this.handle, start, this.end + frameBytes)
    this.end += frameBytes + padded(frame.length)
    return { kind: frame.kind, start }
  }

  private async frame(): Promise<{ kind: number; length: number; digest: Buffer } | null> {
    if (this.end + frameBytes > this.sizeBytes) return null
    const frame = Buffer.alloc(frameBytes)
    await readFully(this.handle, frame, this.end)
    const length = frame.readUInt32LE(0)
    if (length > maxBodyBytes || this.end + frameBytes + padded(length) > this.sizeBytes) return null
    return { kind: frame.readUInt32LE(4), length, digest: frame.subarray(8) }
  }

  close(): Promise<void> {
    return this.handle.close().catch(() => undefined)
  }

  /** To before the first record: what is read counts no more. */
  goBack(): void {
    this.end = headBytes
  }

  /** Goes on writing behind what was read; what was not whole is cut off. Takes the file over. */
  async writer(onFailed: (error: unknown) => void): Promise<JournalWriter> {
    if (this.torn) await this.handle.truncate(this.end)
    return new JournalWriter(this.handle, this.nonce, this.end, onFailed)
  }
}

/** Appends records. What fails once is told once, and nothing is written from then on: what was whole before stays whole. */
export class JournalWriter {
  private readonly handle: FileHandle
  private readonly nonce: Buffer
  private readonly onFailed: (error: unknown) => void
  private at: number
  private waitingBytes = 0
  private tail: Promise<void> = Promise.resolve()
  private syncedAt = performance.now()
  private failed = false
  private closed = false
  /** What was written since this writer began, and how long that took. */
  readonly written = { bytes: 0, ms: 0 }
  /** Told of each record, on performance.now's clock. */
  onWritten: (from: number, to: number, bytes: number) => void = () => undefined

  constructor(handle: FileHandle, nonce: Buffer, at: number, onFailed: (error: unknown) => void) {
    this.handle = handle
    this.nonce = nonce
    this.at = at
    this.onFailed = onFailed
  }

  /** A new file; throws where there is one, or where none can be made. Its first records are on the disk when `sync` has resolved. */
  static async create(path: string, onFailed: (error: unknown) => void): Promise<JournalWriter> {
    const handle = await open(path, 'wx', 0o600)
    const nonce = randomBytes(16)
    try {
      await handle.write(Buffer.concat([magic, nonce]), 0, headBytes, 0)
    } catch (error) {
      await handle.close().catch(() => undefined)
      throw error
    }
    return new JournalWriter(handle, nonce, headBytes, onFailed)
  }

  /** Resolves when there is room for more, not when it is written. The parts must not be changed any more. Never rejects. */
  async append(kind: number, body: readonly Uint8Array[]): Promise<void> {
    if (this.failed || this.closed) return
    const length = body.reduce((sum, { byteLength }) => sum + byteLength, 0)
    if (length > maxBodyBytes) return this.fail(new Error(`a record of ${length} bytes`))
    const at = this.at
    this.at += frameBytes + padded(length)
    const frame = Buffer.alloc(frameBytes)
    frame.writeUInt32LE(length, 0)
    frame.writeUInt32LE(kind, 4)
    digestOf(this.nonce, at, length, kind, body).copy(frame, 8)
    const parts = [frame, ...body, Buffer.alloc(padded(length) - length)].filter(({ byteLength }) => byteLength > 0)
    this.waitingBytes += length
    this.chain(async () => {
      const from = performance.now()
      await writeFully(this.handle, parts, at)
      this.waitingBytes -= length
      this.written.bytes += frameBytes + padded(length)
      if (from - this.syncedAt >= syncEveryMs) await this.syncNow()
      this.written.ms += performance.now() - from
      this.onWritten(from, performance.now(), length)
    })
    if (this.waitingBytes > maxWaitingBytes) await this.tail
  }

  /** Resolves when what was appended is on the disk, or has failed. */
  async sync(): Promise<void> {
    if (this.closed) return this.tail
    this.chain(() => this.syncNow())
    await this.tail
  }

  /** Lets go of the file when what was appended is on the disk. */
  async close(): Promise<void> {
    if (this.closed) return this.tail
    this.chain(() => this.syncNow())
    this.closed = true
    this.tail = this.tail.then(() => this.handle.close().catch(() => undefined))
    await this.tail
  }

  private async syncNow(): Promise<void> {
    await this.handle.datasync()
    this.syncedAt = performance.now()
  }

  private chain(work: () => Promise<void>): void {
    this.tail = this.tail.then(async () => {
      if (this.failed) return
      try {
        await work()
      } catch (error) {
        this.fail(error)
      }
    })
  }

  private fail(error: unknown): void {
    if (this.failed) return
    this.failed = true
    this.onFailed(error)
  }
}

async function writeFully(handle: FileHandle, parts: readonly Uint8Array[], at: number): Promise<void> {
  let left = [...parts]
  while (left.length > 0) {
    // Systems take 1024 pieces at once.
    let { bytesWritten } = await handle.writev(left.slice(0, 512), at)
    if (bytesWritten === 0) throw new Error('nothing could be written')
    at += bytesWritten
    while (left.length > 0 && bytesWritten >= left[0]!.byteLength) bytesWritten -= left.shift()!.byteLength
    if (bytesWritten > 0) left = [left[0]!.subarray(bytesWritten), ...left.slice(1)]
  }
}

async function readFully(handle: FileHandle, into: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < into.byteLength;) {
    const { bytesRead } = await handle.read(into, done, into.byteLength - done, at + done)
    if (bytesRead === 0) throw new EngineError('OUTPUT_FAILED', 'The journal of the run became shorter while it was read.')
    done += bytesRead
  }
}

/** Whether a file is the beginning of a journal, and its writer came to no whole record; false where it is not there, or no journal. */
export async function isBare(path: string): Promise<boolean> {
  const handle = await open(path, 'r').catch(() => null)
  if (!handle) return false
  try {
    const { size } = await handle.stat()
    const begins = Buffer.alloc(Math.min(size, magic.length))
    await readFully(handle, begins, 0)
    if (!magic.subarray(0, begins.length).equals(begins)) return false
    const reader = await JournalReader.of(handle)
    return reader === null || (await reader.glance(0)) === null
  } catch {
    return false
  } finally {
    await handle.close().catch(() => undefined)
  }
}

/** Makes the names in a file's folder last. Some systems cannot open a folder: there the file itself must do. */
export async function syncFolderOf(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r').catch(() => null)
  await folder?.sync().catch(() => undefined)
  await folder?.close().catch(() => undefined)
}
