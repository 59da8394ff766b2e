// Batches of objects that a run's memory has no room for: in a file without a name, read back when somebody asks.
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PackedBatch, PackedNumbers } from '../../../native/index'

type Numbers = PackedNumbers | PackedBatch['ends'] | PackedBatch['outlines']
type NumbersOf = new (buffer: ArrayBuffer, offset: number, length: number) => Numbers

interface Part {
  readonly of: NumbersOf
  /** From the batch's first byte on. */
  readonly offset: number
  readonly length: number
}

/** Where a batch lies in the file. */
export interface Away {
  readonly count: number
  readonly at: number
  readonly bytes: number
  readonly columns: readonly (Part | null)[]
  readonly ends: Part
  readonly outlines: Part
}

/** Whoever was given a batch back, until it is asked to let go of it. */
export interface Reader {
  readonly away: Away
  letGo(): void
}

/** Of every kind of numbers. */
const alignment = 8

/** The file is nobody's any more with the objects that were in it: it has no name from the start, and the system frees it with its handle. */
const handles = new FinalizationRegistry((file: number) => closeSync(file))

/**
 * Batches are written once and read any number of times, while its caller waits: from the system's cache as a rule, at some 1 GB/s. Of
 * those that were read, the latest stay, up to `mostBytes` together.
 */
export class AwayBatches {
  private readonly mostBytes: number
  private readonly folder: string
  private file: number | undefined
  private end = 0
  private readonly read = new Set<Reader>()
  private readBytes = 0

  constructor(mostBytes: number, folder: string = tmpdir()) {
    this.mostBytes = mostBytes
    this.folder = folder
  }

  /** Throws where the file cannot be written; the batch is then not in it. */
  put({ count, columns, ends, outlines }: PackedBatch): Away {
    this.file ??= this.open()
    let bytes = 0
    const written: Numbers[] = []
    const partOf = (numbers: Numbers): Part => {
      const part = { of: numbers.constructor as NumbersOf, offset: bytes, length: numbers.length }
      written.push(numbers)
      bytes += Math.ceil(numbers.byteLength / alignment) * alignment
      return part
    }
    const at = this.end
    const away = {
      count,
      at,
      columns: columns.map((column) => column && partOf(column)),
      ends: partOf(ends),
      outlines: partOf(outlines),
      bytes: 0,
    }
    const whole = new Uint8Array(bytes)
    let offset = 0
    for (const numbers of written) {
      whole.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), offset)
      offset += Math.ceil(numbers.byteLength / alignment) * alignment
    }
    for (let done = 0; done < bytes;) done += writeSync(this.file, whole, done, bytes - done, at + done)
    this.end += bytes
    return { ...away, bytes }
  }

  /** Throws where the file cannot be read. */
  get(reader: Reader): PackedBatch {
    const { count, at, bytes, columns, ends, outlines } = reader.away
    const whole = new Uint8Array(bytes)
    for (let done = 0; done < bytes;) {
      const n = readSync(this.file!, whole, done, bytes - done, at + done)
      if (n === 0) throw new Error('The file of a run’s objects ended before its end.')
      done += n
    }
    const of = (part: Part): Numbers => new part.of(whole.buffer, part.offset, part.length)
    this.keep(reader)
    return {
      count,
      columns: columns.map((part) => part && (of(part) as PackedNumbers)),
      ends: of(ends) as PackedBatch['ends'],
      outlines: of(outlines) as PackedBatch['outlines'],
    }
  }

  private keep(reader: Reader): void {
    this.read.add(reader)
    this.readBytes += reader.away.bytes
    for (const oldest of this.read) {
      if (this.readBytes <= this.mostBytes || oldest === reader) break
      this.read.delete(oldest)
      this.readBytes -= oldest.away.bytes
      oldest.letGo()
    }
  }

  private open(): number {
    const path = join(this.folder, `morphoscope-objects-${randomBytes(8).toString('hex')}`)
    const file = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
    handles.register(this, file)
    return file
  }
}
