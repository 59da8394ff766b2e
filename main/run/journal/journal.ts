// The journal of one run: what it was asked for, which slide it is of, and every final tile, so that a run that died goes on where it was.
import { rm, rmdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import * as z from 'zod'
import { JournalId, KeptId, ParamValue, RunRequest } from '../../../app/contract'
import { PACKED_COLUMNS } from '../../../native/index'
import { EngineError, schemaError } from '../../base/errors'
import { weightOf } from '../../base/jsonWeight'
import { digest } from '../../base/digest'
import { isAdapted } from '../analysis/analysis'
import type { Analysis } from '../analysis/analysis'
import { mostCellReachPx } from '../analysis/cells'
import { pixelDepth } from '../analysis/draft'
import { syncFolderOf } from './journalFile'
import type { JournalReader, JournalWriter } from './journalFile'
import { BadRecord, decodeTiles, encodeTiles } from './journalTiles'
import type { JournaledTiles } from './journalTiles'
import type { Grid, TileIndex } from '../plan/plan'
import type { TileObjects } from '../objects/tileObjects'

const headKind = 1
export const tilesKind = 2
/** Without a body: the run's files are written. */
export const writtenKind = 3
/** A recipe with every value, the shapes that it is run in, and what a shell wrote of its own. */
const maxHeadBytes = 2 ** 25
const maxHeadWeight = 2 ** 27

/** How objects are packed: another version's columns mean something else. */
const layout = digest(PACKED_COLUMNS)
/** Of earlier versions, by how many of the columns they had: before contrast and score, before the stained area. */
const earlierLayouts = new Map([27, 29].map((columns) => [digest(PACKED_COLUMNS.slice(0, columns)), columns]))

/** How many of PACKED_COLUMNS a file of this layout has; null where its columns were others. */
export const columnsOf = (of: string): number | null => (of === layout ? PACKED_COLUMNS.length : (earlierLayouts.get(of) ?? null))

/** The record that a file begins with, and which columns this version's objects have. */
export const headRecord = {
  kind: headKind,
  layout,
  /** What could not be read again is not written. Throws INVALID_PARAMETER. */
  body: (head: JournalHead): Uint8Array[] => {
    const text = JSON.stringify(head)
    const bytes = Buffer.from(text)
    if (bytes.length > maxHeadBytes || weightOf(text) > maxHeadWeight)
      throw new EngineError(
        'INVALID_PARAMETER',
        'The regions of this run have too many points together, or the slide too many parts that cannot be read, for its objects to be kept.',
      )
    const checked = JournalHead.safeParse(head)
    if (!checked.success) throw schemaError('the run’s head', head, checked.error)
    return [bytes]
  },
} as const

export const JournalHead = z.strictObject({
  format: z.literal('morphoscope-run-journal'),
  version: z.literal(1),
  /** Of the program: another may find other objects. */
  program: z.string().max(200),
  layout: z.string().max(100),
  journalId: JournalId,
  startedAt: z.string().max(100),
  slide: z.strictObject({
    /** null: it must not stand in files. */
    path: z.string().max(4096).nullable(),
    name: z.string().max(4096).nullable(),
    fingerprint: z.string().max(100),
  }),
  request: RunRequest.omit({ slideId: true, page: true }),
  recipeName: z.string().max(1000),
  /** With what was found in the slide's overview. */
  resolved: z.record(z.string().max(200), ParamValue),
  /** Not all could be read that they stand on: with other values its tiles are nobody's. */
  valuesUncertain: z.literal(true).optional(),
  /** The slide's pixels were not known to be the file's (`uncertainPixels`): where they are, its tiles are nobody's. */
  pixelsUncertain: z.literal(true).optional(),
  grid: z.strictObject({
    widthPx: z.number(),
    heightPx: z.number(),
    tileSizePx: z.number(),
    scale: z.number(),
    maxLevel: z.number(),
  }),
  haloPx: z.number(),
  /** The kept run, cancelled, that it goes on from. */
  part: KeptId.optional(),
  tilesTotal: z.number().int().min(0),
  /** No recipe found its objects: they came in with this file, and were measured by the recipe. `cellReachPx`: so far beyond them reach the cells that came too. */
  imported: z
    .strictObject({ from: z.string().max(300), cellReachPx: z.number().positive().max(mostCellReachPx).optional() })
    .optional(),
  /** Of the shell that began it. */
  note: z.unknown().optional(),
})
export type JournalHead = z.infer<typeof JournalHead>

/** What of a head follows from a run's analysis. */
export type AnalysedHead = Pick<JournalHead, 'resolved' | 'valuesUncertain' | 'pixelsUncertain' | 'grid' | 'haloPx'>

export function analysedHead({ params, unread, grid, haloPx, slide }: Analysis): AnalysedHead {
  return {
    resolved: { ...params },
    ...(unread !== null && { valuesUncertain: true }),
    ...(slide.info.uncertainPixels !== undefined && { pixelsUncertain: true }),
    grid: { ...grid },
    haloPx,
  }
}

/** Throws INVALID_PARAMETER where a run of other programs analysed other bits of the same slide: it would not find the same objects now. */
export function requireSameBits(
  before: JournalHead['resolved'],
  { params, spec }: Pick<Analysis, 'params' | 'spec'>,
  next: string,
): void {
  const [then, now] = [before, params].map((values) => Number(values[pixelDepth] ?? 8))
  if (then !== now)
    throw new EngineError(
      'INVALID_PARAMETER',
      `The run analysed this slide at ${then} bits, and ${spec.name} analyses it at ${now} bits now: it may find other objects. ${next}`,
    )
}

/**
 * Whether tiles of a file with this head are those of a run with this analysis. 'adapted': they are not, as not all could be read that the run's
 * values or the slide's pixels stood on, and now it can. Throws INVALID_PARAMETER where they are another run's, and SLIDE_UNREADABLE where the
 * slide's pixels may not be those that they were.
 */
export function sameAnalysis(head: JournalHead, analysis: Analysis, next: string): 'same' | 'adapted' {
  const of = ({ resolved, grid, haloPx }: Pick<JournalHead, 'resolved' | 'grid' | 'haloPx'>): string =>
    digest(sorted({ resolved, grid, haloPx }))
  const now = of(analysedHead(analysis))
  const { uncertainPixels } = analysis.slide.info
  if (uncertainPixels !== undefined && !head.pixelsUncertain)
    throw new EngineError(
      'SLIDE_UNREADABLE',
      `The slide’s pixels may not be those that the run was begun with. ${uncertainPixels} Open the slide again once the file can be read in full, and go on then.`,
    )
  const isHealed = head.pixelsUncertain === true && uncertainPixels === undefined
  if (of(head) === now) return isHealed ? 'adapted' : 'same'
  const adapted = Object.fromEntries(Object.entries(analysis.params).filter(([name]) => isAdapted(name)))
  if (head.valuesUncertain && of({ ...head, resolved: { ...head.resolved, ...adapted } }) === now) return 'adapted'
  requireSameBits(head.resolved, analysis, next)
  throw new EngineError(
    'INVALID_PARAMETER',
    `The values that adapt to the slide are not those that the run was begun with. ${next}`,
  )
}

/** The head that a journal begins with; null where there is none that can be read. */
export async function headOf(reader: JournalReader): Promise<JournalHead | null> {
  const record = await reader.next(undefined, maxHeadBytes)
  if (record?.kind !== headKind) return null
  try {
    const text = Buffer.from(record.body).toString('utf8')
    return weightOf(text) > maxHeadWeight ? null : JournalHead.parse(JSON.parse(text))
  } catch {
    return null
  }
}

const again = 'Delete it, and start the run again.'

/** Throws INVALID_PARAMETER where this program cannot go on with the run. */
export function requireVersion(head: Pick<JournalHead, 'program' | 'layout'>, program: string): void {
  if (head.program !== program || head.layout !== layout) {
    throw new EngineError(
      'INVALID_PARAMETER',
      `This run was begun by Morphoscope ${head.program}, and this is ${program}, which might find other objects: go on with that version, or delete the journal and start the run again.`,
    )
  }
}

/** The same, and where this slide cannot. */
export function requireSame(head: JournalHead, program: string, fingerprint: string): void {
  requireVersion(head, program)
  if (head.slide.fingerprint !== fingerprint) {
    throw new EngineError(
      'INVALID_PARAMETER',
      `The slide is not the one that the run was begun on${head.slide.path === null ? '' : ` (${head.slide.path})`}: its size, its time or its bytes differ. Open that one, or start the run again on this.`,
    )
  }
}

export type NewHead = Omit<JournalHead, 'format' | 'version' | 'layout'>

/** Where the journal of a run that goes on is kept, and who is asked to write it. */
export interface JournalFiles {
  create(
    journalId: string,
    onFailed: (error: unknown) => void,
  ): Promise<{ path: string; writer: JournalWriter; madeFolder: boolean }>
  release(path: string): void
}

/** Written by one run at a time. What cannot be written ends the journal, not the run: what was whole before stays, and it is said once. */
export class RunJournal {
  readonly journalId: string
  /** What there is to read first. */
  private readonly reader: JournalReader | undefined
  private readonly files: JournalFiles
  private head: () => Promise<JournalHead>
  /** Its head: of the run before. */
  readonly begun: JournalHead | null
  private path: string | undefined
  private madeFolder = false
  private writer: Promise<JournalWriter | null> | undefined
  private failed = false
  private ended: Promise<void> | undefined
  private removed: Promise<void> | undefined
  /** What it held is nobody's: the values that adapt to the slide are others, now that all of their sample can be read. */
  anew = false
  /** Told of what was written. */
  onWritten: JournalWriter['onWritten'] = () => undefined
  /** Told once, in words. */
  onGivenUp: (words: string) => void = () => undefined

  private constructor(
    journalId: string,
    files: JournalFiles,
    head: () => Promise<JournalHead>,
    begun: JournalHead | null = null,
    read?: { path: string; reader: JournalReader },
  ) {
    this.journalId = journalId
    this.files = files
    this.head = head
    this.begun = begun
    this.reader = read?.reader
    this.path = read?.path
  }

  /** No file is made before there is a tile to keep. */
  static begin(files: JournalFiles, head: () => Promise<NewHead>, journalId: string): RunJournal {
    const whole = async (): Promise<JournalHead> => ({
      format: 'morphoscope-run-journal',
      version: 1,
      layout,
      ...(await head()),
    })
    return new RunJournal(journalId, files, whole)
  }

  /** One whose head was read. */
  static of(files: JournalFiles, head: JournalHead, read: { path: string; reader: JournalReader }): RunJournal {
    return new RunJournal(head.journalId, files, async () => head, head, read)
  }

  /**
   * What the journal holds, window by window, up to the first record that is not whole. Throws INVALID_PARAMETER where a whole record holds
   * what no run writes: then nobody knows what else is wrong.
   */
  async *windows(analysis: Analysis): AsyncGenerator<JournaledTiles> {
    const { reader, begun } = this
    if (!reader || !begun) return
    if (sameAnalysis(begun, analysis, again) === 'adapted') return this.beginAnew(reader, begun, analysis)
    for (let record = await reader.next(); record; record = await reader.next()) {
      if (record.kind !== tilesKind) continue
      yield this.decoded(record.body, analysis.grid)
    }
  }

  /** With the first tile what it held is cut off. */
  private beginAnew(
    reader: JournalReader,
    { valuesUncertain: _, pixelsUncertain: _pixels, ...begun }: JournalHead,
    analysis: Analysis,
  ): void {
    this.anew = true
    reader.goBack()
    this.head = async () => ({ ...begun, ...analysedHead(analysis) })
  }

  private decoded(body: Uint8Array<ArrayBuffer>, grid: Grid): JournaledTiles {
    try {
      return decodeTiles(body, grid)
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error
      throw new EngineError('INVALID_PARAMETER', `The journal ${this.path} cannot be trusted: ${error.message}. ${again}`)
    }
  }

  /** Is the last record cut off, or what follows it no record? Its tiles are computed again. */
  get torn(): boolean {
    return !this.anew && (this.reader?.torn ?? false)
  }

  /** Final tiles. Resolves when there is room for more. Never rejects. */
  async add(tiles: readonly TileIndex[], objects: readonly TileObjects[], note: unknown): Promise<void> {
    if (this.failed || this.ended) return
    this.writer ??= this.open()
    const writer = await this.writer
    if (writer) writer.onWritten = this.onWritten
    await writer?.append(tilesKind, encodeTiles(tiles, objects, note))
  }

  /** The run's files are written, and only what could not be read is left for whoever goes on. */
  async markWritten(): Promise<void> {
    if (this.failed || this.ended) return
    await (await this.writer)?.append(writtenKind, [])
    await this.sync()
  }

  /** What was added is on the disk. */
  async sync(): Promise<void> {
    await (await this.writer)?.sync()
  }

  /** What writing took so far. */
  async written(): Promise<{ bytes: number; ms: number }> {
    return (await this.writer)?.written ?? { bytes: 0, ms: 0 }
  }

  private async open(): Promise<JournalWriter | null> {
    try {
      if (this.reader && !this.anew) return await this.reader.writer((error) => this.giveUp(error))
      const writer = await this.made()
      try {
        await writer.append(headKind, headRecord.body(await this.head()))
      } catch (error) {
        await writer.close()
        throw error
      }
      void writer.sync().then(() => (this.path === undefined ? undefined : syncFolderOf(this.path)))
      return writer
    } catch (error) {
      this.giveUp(error)
      return null
    }
  }

  /** Of a file without a head. */
  private async made(): Promise<JournalWriter> {
    const onFailed = (error: unknown): void => this.giveUp(error)
    if (this.reader) return this.reader.writer(onFailed)
    const { path, writer, madeFolder } = await this.files.create(this.journalId, onFailed)
    this.path = path
    this.madeFolder = madeFolder
    return writer
  }

  private giveUp(error: unknown): void {
    if (this.failed) return
    this.failed = true
    const reason = error instanceof Error ? error.message : String(error)
    this.onGivenUp(
      `The run’s journal could not be written any further (${reason}). The run goes on: but where it dies, what it computes from here on is lost.`,
    )
  }

  /** The run is over, or dies in an orderly way: the journal stays, for whoever goes on. */
  close(): Promise<void> {
    return this.removed ?? this.closed()
  }

  private closed(): Promise<void> {
    this.ended ??= (async () => {
      const writer = await this.writer
      await writer?.close()
      if (!writer && this.reader) await this.reader.close()
      if (this.path !== undefined) this.files.release(this.path)
    })()
    return this.ended
  }

  /** Another run goes on with it: it is this one's no more, and stays. */
  async handOver(): Promise<void> {
    await this.closed()
    this.path = undefined
  }

  /** Nobody needs it any more. */
  remove(): Promise<void> {
    this.removed ??= (async () => {
      // At once where the system takes an open file's name: who is killed while it is flushed leaves nothing.
      if (this.path !== undefined) await rm(this.path, { force: true }).catch(() => undefined)
      await this.closed()
      if (this.path === undefined) return
      await rm(this.path, { force: true }).catch(() => undefined)
      if (this.madeFolder) await rmdir(dirname(this.path)).catch(() => undefined)
    })()
    return this.removed
  }

  /** For messages. */
  get fileName(): string | null {
    return this.path === undefined ? null : basename(this.path)
  }
}

/** The same whatever the order of its keys. */
function sorted(value: object): unknown {
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, typeof each === 'object' && each !== null ? sorted(each as object) : each]),
  )
}
