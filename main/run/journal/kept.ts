// The objects of a run that is done as a file of their own, made of the run and read back as the run: nothing is computed.
import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { AppError, Region, RunStatus, ShardRecord } from '../../../app/contract'
import type { PackedTiles } from '../../../native/index'
import { EngineError, schemaError, toAppError } from '../../base/errors'
import { messageOf } from '../../base/jsonFile'
import { openStrange } from '../../base/regularFile'
import { columnsOf, headOf, headRecord, tilesKind } from './journal'
import type { JournalHead } from './journal'
import { JournalReader, JournalWriter, sameRoom, syncFolderOf } from './journalFile'
import { BadRecord, decodeTiles, encodeTiles } from './journalTiles'
import type { JournaledTiles } from './journalTiles'
import type { ObjectStore } from '../objects/objectStore'
import { PackedObjects } from '../objects/packedObjects'
import type { Grid, TileIndex } from '../plan/plan'
import { TileObjects } from '../objects/tileObjects'
import type { UnreadablePart } from '../tiles/trust'

/** What a run was beside its objects, in the head's note. */
const KeptNote = z.object({
  /** It was cancelled: not all of its tiles are there. Absent: it was done. */
  state: z.literal('cancelled').optional(),
  objects: z.number().int().min(0),
  cutObjects: z.number(),
  unreadableTiles: z.number(),
  unreadable: z.array(Region.extend({ reason: z.string() })).max(1_000_000),
  /** Absent in files of before it was told. */
  uncertainTiles: z.number().optional(),
  uncertain: z
    .array(Region.extend({ reason: z.string() }))
    .max(1_000_000)
    .optional(),
  elapsedMs: z.number(),
  certainty: RunStatus.shape.certainty,
  timings: RunStatus.shape.timings,
  warnings: z.array(z.string()),
  error: AppError.nullable(),
  /** It is a shard's. */
  shard: ShardRecord.optional(),
})
export type KeptNote = z.infer<typeof KeptNote>

/** What a run that is over is read from: one file, or the shards that it was computed in. */
export interface KeptFile {
  /** null: no document has it. */
  readonly keptId: string | null
  readonly head: JournalHead
  readonly note: KeptNote
  readonly shards?: readonly ShardRecord[]
  /** Its windows, once; then it is closed. Throws INVALID_PARAMETER where it cannot be trusted. */
  windows(grid: Grid): AsyncGenerator<JournaledTiles>
}

export interface Keepable {
  readonly status: RunStatus
  readonly objects: ObjectStore
  readonly unreadable: readonly UnreadablePart[]
  readonly uncertain: readonly UnreadablePart[]
  readonly tiles: Iterable<TileIndex>
  readonly head: (note: KeptNote) => Promise<JournalHead>
  readonly shard?: ShardRecord | undefined
}

/** A run's objects and what it was beside them, as `writeKept`. Throws INVALID_PARAMETER where it is not done. */
export async function keepRun(
  path: string,
  { status, objects, unreadable, uncertain, tiles, head, shard }: Keepable,
): Promise<void> {
  const { state, purpose, tilesDone } = status
  if ((state !== 'done' && (state !== 'cancelled' || tilesDone === 0)) || purpose !== 'run')
    throw new EngineError(
      'INVALID_PARAMETER',
      'Only the objects of a run that has come to its end, or was cancelled with a part done, can be changed and kept.',
    )
  const { cutObjects, unreadableTiles, certainty, timings, warnings, error, elapsedMs } = status
  const note: KeptNote = {
    ...(state === 'cancelled' && { state }),
    objects: objects.count,
    ...{ cutObjects, unreadableTiles, certainty, timings, warnings, error, elapsedMs },
    unreadable: [...unreadable],
    ...(uncertain.length > 0 && { uncertain: [...uncertain], uncertainTiles: status.uncertainTiles }),
    ...(shard && { shard }),
  }
  const checked = KeptNote.safeParse(note)
  if (!checked.success) throw schemaError(`the result ${status.name}`, note, checked.error)
  await writeKept(path, await head(note), tiles, objects)
}

/** Objects and tiles of a record: some 4 MB. */
const recordObjects = 16_384
const recordTiles = 16_384

/**
 * The run's objects, deleted or not, with their tiles: in the journal's form, record by record with checksums. The file appears whole or not at
 * all, and is on the disk when this resolves. Throws OUTPUT_FAILED, INVALID_PARAMETER. O(objects); 180 bytes an object.
 */
export async function writeKept(
  path: string,
  head: JournalHead,
  tiles: Iterable<TileIndex>,
  objects: ObjectStore,
): Promise<void> {
  const headBody = headRecord.body(head)
  const draft = join(dirname(path), `.${randomBytes(6).toString('hex')}.draft`)
  let failure: Error | undefined
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const writer = await JournalWriter.create(
      draft,
      (error) => (failure ??= error instanceof Error ? error : new Error(messageOf(error))),
    )
    await writer.append(headRecord.kind, headBody)
    for (const record of recordsOf(tiles, objects, head.grid)) {
      await writer.append(tilesKind, encodeTiles(record.tiles, TileObjects.split(record.window), null))
      // What looks at the engine meanwhile has its turn.
      await new Promise((resolve) => setImmediate(resolve))
    }
    await writer.close()
    if (failure) throw failure
    await rename(draft, path)
    await syncFolderOf(path)
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw new EngineError(
      'OUTPUT_FAILED',
      `The objects could not be kept in ${dirname(path)} (${toAppError(cause).message}). Check the disk's free space and the folder's permissions.`,
      undefined,
      { cause },
    )
  }
}

function* recordsOf(
  tiles: Iterable<TileIndex>,
  objects: ObjectStore,
  grid: Grid,
): Generator<{ tiles: TileIndex[]; window: PackedTiles }> {
  const seen = new Set<number>()
  const keyOf = ({ x, y }: TileIndex): number => y * 2 ** 26 + x
  let open = new Gathering(grid)
  for (const { tile, first, end } of objects.owned()) {
    seen.add(keyOf(tile))
    open.take(tile, objects, first, end)
    if (open.count >= recordObjects) {
      yield open.done()
      open = new Gathering(grid)
    }
  }
  for (const tile of tiles) {
    if (seen.has(keyOf(tile))) continue
    open.take(tile, objects, 0, 0)
    if (open.tiles.length >= recordTiles) {
      yield open.done()
      open = new Gathering(grid)
    }
  }
  if (open.tiles.length > 0) yield open.done()
}

/** Tiles with their objects, as a window of the engine's gives them. */
class Gathering {
  readonly tiles: TileIndex[] = []
  private readonly grid: Grid
  private readonly rows = new PackedObjects(1024)
  private readonly starts: number[] = [0]
  private readonly crossings: number[] = []

  constructor(grid: Grid) {
    this.grid = grid
  }

  get count(): number {
    return this.rows.count
  }

  take(tile: TileIndex, objects: ObjectStore, first: number, end: number): void {
    const t = this.grid.tileSizePx
    const from = this.rows.count
    objects.copyTo(this.rows, first, end)
    this.tiles.push(tile)
    this.starts.push(this.rows.count)
    for (let row = from; row < this.rows.count; row++) {
      const [x0, y0] = [Math.floor(this.rows.value(row, 'minX') / t), Math.floor(this.rows.value(row, 'minY') / t)]
      const [x1, y1] = [Math.floor(this.rows.value(row, 'maxX') / t), Math.floor(this.rows.value(row, 'maxY') / t)]
      for (let y = y0; y <= y1; y++)
        for (let x = x0; x <= x1; x++) if (x !== tile.x || y !== tile.y) this.crossings.push(row, x, y)
    }
  }

  done(): { tiles: TileIndex[]; window: PackedTiles } {
    this.rows.trim()
    const { batch } = this.rows
    const window: PackedTiles = {
      ...batch,
      starts: Uint32Array.from(this.starts),
      // How many there were is in the note: which, nobody asks.
      cut: new Uint32Array(0),
      crossings: Int32Array.from(this.crossings),
    }
    return { tiles: this.tiles, window }
  }
}

/** A file of `writeKept`'s, open. Its head is checked; its records as they are read. */
export class KeptObjects implements KeptFile {
  readonly keptId: string
  readonly head: JournalHead
  readonly note: KeptNote
  private readonly reader: JournalReader
  private readonly path: string
  /** Fewer than this version's where an earlier one wrote it. */
  private readonly columnCount: number

  private constructor(
    keptId: string,
    head: JournalHead,
    note: KeptNote,
    reader: JournalReader,
    path: string,
    columnCount: number,
  ) {
    this.keptId = keptId
    this.head = head
    this.note = note
    this.reader = reader
    this.path = path
    this.columnCount = columnCount
  }

  /** Throws NOT_FOUND, or INVALID_PARAMETER where the file is none, or of a version whose columns were others. */
  static async open(path: string, keptId: string): Promise<KeptObjects> {
    const handle = await openStrange(path).catch(() => null)
    if (!handle) throw new EngineError('NOT_FOUND', `The objects of a run are not there any more: ${path}.`)
    const reader = await JournalReader.of(handle)
    const head = reader && (await headOf(reader))
    const note = KeptNote.safeParse(head?.note)
    if (!reader || !head || !note.success) {
      await handle.close()
      throw new EngineError('INVALID_PARAMETER', `${path} holds no objects of a run.`)
    }
    const columnCount = columnsOf(head.layout)
    if (columnCount === null) {
      await handle.close()
      throw new EngineError('INVALID_PARAMETER', `${path} was written by Morphoscope ${head.program}, whose columns were others.`)
    }
    return new KeptObjects(keptId, head, note.data, reader, path, columnCount)
  }

  get unreadable(): UnreadablePart[] {
    return this.note.unreadable
  }

  get uncertain(): UnreadablePart[] {
    return this.note.uncertain ?? []
  }

  /** Of one whose records nobody reads. */
  close(): Promise<void> {
    return this.reader.close()
  }

  /** Record by record, once: what a record held is gone when the next is asked for. Throws INVALID_PARAMETER where a record cannot be trusted or some are missing. Closes the file. */
  async *windows(grid: Grid): AsyncGenerator<JournaledTiles> {
    const wrong = (why: string): EngineError => new EngineError('INVALID_PARAMETER', `${this.path} cannot be trusted: ${why}.`)
    try {
      const same = (['widthPx', 'heightPx', 'tileSizePx', 'scale'] as const).every((key) => this.head.grid[key] === grid[key])
      if (!same) throw wrong('its objects are of another slide, or of another pixel size')
      let objects = 0
      // In turns: the next is read while one is taken.
      const rooms = [sameRoom(), sameRoom()] as const
      let coming = this.reader.next(rooms[0])
      coming.catch(() => undefined)
      for (let n = 1; ; n++) {
        const record = await coming
        if (!record) break
        coming = this.reader.next(rooms[n % 2])
        // It is waited for in its turn.
        coming.catch(() => undefined)
        if (record.kind !== tilesKind) continue
        const window = decodeTiles(record.body, grid, this.columnCount)
        objects += window.objects.reduce((sum, { count }) => sum + count, 0)
        yield window
      }
      if (this.reader.torn || objects !== this.note.objects) throw wrong('a part of it is damaged or missing')
    } catch (error) {
      throw error instanceof BadRecord ? wrong(error.message) : error
    } finally {
      await this.reader.close()
    }
  }
}
