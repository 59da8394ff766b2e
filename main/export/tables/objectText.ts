// Objects into a file as text: the engine formats on all cores while what it has formatted before is written.
import { formatObjects, noClass, objectTable, tokenOf } from '../../../native/index'
import type { Measure, ObjectFormat, ObjectTable, PackedBatch } from '../../../native/index'
import { inUnits, measurements, stainSets } from '../../../app/contract'
import type { Dimension, MeasurementKey } from '../../../app/contract'
import { batchRows } from '../../run/objects/packedObjects'
import type { RunResult } from '../../run/objects/result'
import type { ObjectList } from '../../run/objects/objectList'
import type { ExportJob, ObjectRegions } from '../exporter'
import type { OutputFile } from '../output/outputSet'

/** Of text that is formatted at once, and again of what is being written: bounds the memory. */
const bufferBytes = 16 * 2 ** 20
/** Written and added to the checksum at once: bounds how long tiles for the viewer must wait. */
const writeBytes = 2 * 2 ** 20
/** Objects of the first round, before it is known how long their text is. */
const firstObjects = 4096

/** A measurement in the units of a file, by the factors of `inUnits`. */
export function measureOf(key: MeasurementKey, perAnalysedPx: number): Measure {
  return { field: key, ...factorOf(measurements[key].dimension, perAnalysedPx) }
}

/** From the engine's px to the units of a file. */
export function factorOf(dimension: Dimension, perAnalysedPx: number): Pick<Measure, 'factor' | 'times'> {
  return { factor: inUnits(1, 'length', perAnalysedPx), times: dimension === 'area' ? 2 : dimension === 'length' ? 1 : 0 }
}

/** A stain's figure as files have it: an optical density, or a grey value. */
export function stainMeasure({ spec }: Pick<RunResult, 'spec'>, field: Measure['field']): Measure {
  const { factor } = stainSets[spec.stainSet]
  return { field, factor, times: factor === 1 ? 0 : 1 }
}

/** The text that all UUIDs of a run have in common: the same slide, resolution and pixels give the same one in every export. */
export function uuidPrefix({ slideSeed, result: { scale } }: ExportJob): string {
  return `morphoscope-object\0${slideSeed}\0${scale}\0`
}

/** Some objects of a list as the engine reads them where they lie, with what they are called and of which class each is. O(places and batches). */
export function tableOf(
  { batches, ids, numbers }: ObjectList,
  places: Places,
  marks: RunResult['marks'] = null,
  regions: ObjectRegions | null = null,
  extras: ExportJob['spatial'] = [],
): { readonly table: ObjectTable; readonly groups: readonly number[] } {
  const some = 'begin' in places ? Uint32Array.from({ length: places.end - places.begin }, (_, i) => places.begin + i) : places
  const count = some.length
  const used: PackedBatch[] = []
  /** Of each batch its number among those that are used, + 1. */
  const usedAs = new Uint32Array(batches.length)
  const rows = new Uint32Array(count)
  const called = new Uint32Array(count)
  const classes = new Uint8Array(count).fill(noClass)
  const groups = regions ? new Uint32Array(count) : undefined
  /** The groups that are used, and of each its number among them. The first is that of no region. */
  const usedGroups = [0]
  const groupUsedAs = new Map<number, number>([[0, 0]])
  const beside = extras.length > 0 ? new Float64Array(extras.length * count) : undefined
  for (let i = 0; i < count; i++) {
    const place = some[i]!
    const id = ids[place]!
    const batch = Math.floor(id / batchRows)
    if (usedAs[batch] === 0) usedAs[batch] = used.push(batches[batch]!.batch)
    rows[i] = (usedAs[batch]! - 1) * batchRows + (id % batchRows)
    called[i] = numbers?.[place] ?? place + 1
    if (marks?.classAt) classes[i] = marks.classAt[id]!
    if (groups) {
      const group = regions!.at[id]!
      let as = groupUsedAs.get(group)
      if (as === undefined) groupUsedAs.set(group, (as = usedGroups.push(group) - 1))
      groups[i] = as
    }
    if (beside) for (let k = 0; k < extras.length; k++) beside[k * count + i] = extras[k]!.values[id]!
  }
  return { table: objectTable(used, rows, batchRows, { numbers: called, classes, groups, extras: beside }), groups: usedGroups }
}

/** Of a list. */
export type Places = readonly number[] | { readonly begin: number; readonly end: number }

/** Objects as text or columns, in pieces, each of which is good until the next is asked for. */
export interface Piece {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Objects [begin, end). */
  readonly begin: number
  readonly end: number
}

/** How a piece is formatted; where it says something of regions, of the groups that the piece has. */
export type FormatFor = ObjectFormat | ((groups: readonly number[]) => ObjectFormat)

/** Those of [first, count); as a rule all. */
export async function* formattedObjects(
  job: ExportJob,
  format: FormatFor,
  first = 0,
  count = job.result.objects.length,
): AsyncGenerator<Piece> {
  const { objects } = job.result
  if (first >= count) return
  const cancelToken = tokenOf(job.signal)
  // Of the writer before, where there was one: the collector runs through the whole heap for each that is made.
  const idle = (job.shared.textBuffers ??= [])
  const buffers: Uint8Array<ArrayBuffer>[] = []
  let bytesPerObject = bufferBytes / firstObjects
  const formatted = async (begin: number, into: 0 | 1): Promise<Piece> => {
    const end = Math.min(begin + Math.max(1, Math.floor((0.9 * bufferBytes) / bytesPerObject)), count)
    // A table a round: not all that a large run has found need be in memory at once. With the object before, as none but a
    // table's first is written without a comma.
    const before = Math.min(begin, 1)
    const { table, groups } = tableOf(objects, { begin: begin - before, end }, job.result.marks, job.objectRegions, job.spatial)
    const how = typeof format === 'function' ? format(groups) : format
    const request = { table, format: how, begin: before, end: before + end - begin, threads: job.tools.threads, cancelToken }
    let buffer = (buffers[into] ??= idle.pop() ?? new Uint8Array(bufferBytes))
    let done = await formatObjects({ ...request, out: buffer })
    if (done.objects === 0) {
      // Outlines beyond all measure: a buffer of their own.
      buffer = new Uint8Array(done.bytes)
      done = await formatObjects({ ...request, out: buffer })
    }
    bytesPerObject = done.bytes / done.objects
    return { bytes: buffer.subarray(0, done.bytes), begin, end: begin + done.objects }
  }
  let next: Promise<Piece> | undefined = formatted(first, 0)
  try {
    for (let round = 0; next; round++) {
      const piece: Piece = await next
      next = piece.end < count ? formatted(piece.end, round % 2 === 0 ? 1 : 0) : undefined
      yield piece
      job.progress(piece.end / objects.length)
    }
  } finally {
    // The round under way writes into memory that is this call's.
    await next?.catch(() => undefined)
    idle.push(...buffers)
  }
}

/** Written and added to the checksum a little at a time. */
export async function appendBytes(job: ExportJob, out: OutputFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += writeBytes) {
    job.signal.throwIfAborted()
    await out.append(bytes.subarray(at, at + writeBytes))
  }
}

/** Who made an object; null: nobody made any of the run's by hand, so files say nothing of it. */
export type Maker = 'program' | 'hand' | null

/** Found ones, then those made by hand: each as `formatOf` says. */
export async function appendObjects(job: ExportJob, out: OutputFile, formatOf: (by: Maker) => FormatFor): Promise<void> {
  const { found, length } = job.result.objects
  const parts: readonly [Maker, number, number][] =
    found === length
      ? [[null, 0, length]]
      : [
          ['program', 0, found],
          ['hand', found, length],
        ]
  for (const [by, first, end] of parts)
    for await (const { bytes } of formattedObjects(job, formatOf(by), first, end)) await appendBytes(job, out, bytes)
}

/** Of each group of regions what a cell says; `groups`: of these alone. */
export const regionTexts = ({ names }: ObjectRegions, groups?: readonly number[]): string[] =>
  (groups ? groups.map((group) => names[group]!) : names).map((each) => each.join('; '))
