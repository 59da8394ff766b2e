// The shards of a run as one result: checked against each other, read one after the other, and told as the whole run's.
import { noCertainty } from '../../app/contract'
import type { ShardRecord } from '../../app/contract'
import { digest } from '../base/digest'
import { EngineError } from '../base/errors'
import { requireVersion } from '../run/journal/journal'
import type { JournalHead } from '../run/journal/journal'
import { KeptObjects } from '../run/journal/kept'
import type { KeptFile, KeptNote } from '../run/journal/kept'
import type { JournaledTiles } from '../run/journal/journalTiles'
import type { Grid } from '../run/plan/plan'
import { Timings } from '../run/result/timings'

interface Shard {
  readonly path: string
  readonly head: JournalHead
  readonly note: KeptNote
  readonly record: ShardRecord
}

const refuse = (why: string): EngineError => new EngineError('INVALID_PARAMETER', why)
const nothingThere = refuse('There is no finished shard to merge. Run them first.')

export class MergedShards implements KeptFile {
  readonly keptId = null
  readonly head: JournalHead
  readonly note: KeptNote
  readonly shards: readonly ShardRecord[]
  readonly #all: readonly Shard[]

  private constructor(all: readonly Shard[]) {
    this.#all = all
    const heads = all.map(({ head }) => head)
    const { shard: _, ...request } = heads[0]!.request
    this.shards = all.map(({ record }) => record)
    this.head = {
      ...heads[0]!,
      request,
      startedAt: earliest(heads),
      tilesTotal: heads.reduce((sum, { tilesTotal }) => sum + tilesTotal, 0),
      ...(heads.some(({ valuesUncertain }) => valuesUncertain) && { valuesUncertain: true }),
      ...(heads.some(({ pixelsUncertain }) => pixelsUncertain) && { pixelsUncertain: true }),
    }
    this.note = together(all.map(({ note }) => note))
  }

  /**
   * All shards of one run, in any order. `slideKey`: what the slide's files hold, by contentKey. Throws INVALID_PARAMETER where some are missing, twice, or of another slide, recipe, version or
   * division, and NOT_FOUND. O(shards); objects are read by `windows`.
   */
  static async open(paths: readonly string[], program: string, slideKey: string): Promise<MergedShards> {
    const all: Shard[] = []
    for (const path of paths) all.push(await shardAt(path))
    requireOneRun(all, program, slideKey)
    return new MergedShards(all.sort((a, b) => a.record.shard - b.record.shard))
  }

  /** Which run it is, as the first of the shards has it, unchecked but for when the earliest was begun. */
  static async look(paths: readonly string[]): Promise<JournalHead> {
    const heads: JournalHead[] = []
    for (const path of paths) heads.push((await shardAt(path)).head)
    const [first] = heads
    if (!first) throw nothingThere
    return { ...first, startedAt: earliest(heads) }
  }

  async *windows(grid: Grid): AsyncGenerator<JournaledTiles> {
    for (const { path, head } of this.#all) {
      const kept = await KeptObjects.open(path, '')
      if (kept.head.journalId !== head.journalId) {
        await kept.close()
        throw refuse(`${path} was replaced while shards were merged. Merge them again.`)
      }
      yield* kept.windows(grid)
    }
  }
}

const earliest = (heads: readonly JournalHead[]): string =>
  heads.map(({ startedAt }) => startedAt).reduce((a, b) => (a < b ? a : b))

async function shardAt(path: string): Promise<Shard> {
  const kept = await KeptObjects.open(path, '')
  // So many files at once the system may not give.
  await kept.close()
  const { head, note } = kept
  const { shard: record } = note
  const { shard } = head.request
  if (record && shard && record.shard === shard.shard && record.of === shard.of) return { path, head, note, record }
  throw refuse(`${path} holds no shard of a run.`)
}

function requireOneRun(all: readonly Shard[], program: string, slideKey: string): void {
  const [first] = all
  if (!first) throw nothingThere
  for (const { path, head, record } of all) {
    if (record.slideKey !== slideKey)
      throw refuse(`${path} is of another slide: its bytes differ. Name the slide that it was run on with --slide.`)
    try {
      requireVersion(head, program)
    } catch (error) {
      throw error instanceof EngineError ? refuse(`${path}: ${error.message}`) : error
    }
  }
  const { of } = first.record
  for (const { path, head, record } of all) {
    if (record.of !== of)
      throw refuse(`${first.path} is one of ${of} shards, and ${path} one of ${record.of}. Merge those of one division.`)
    const other = differsIn(first.head, head)
    if (other !== null) throw refuse(`${path} was run with another ${other} than ${first.path}. Run it again as that one.`)
  }
  const there = new Map<number, string>()
  for (const { path, record } of all) {
    const before = there.get(record.shard)
    if (before !== undefined) throw refuse(`Shard ${record.shard} is there twice: ${before} and ${path}. Name one of them.`)
    there.set(record.shard, path)
  }
  const missing = Array.from({ length: of }, (_, k) => k + 1).filter((shard) => !there.has(shard))
  if (missing.length > 0)
    throw refuse(`${missingWords(missing)} of ${of} missing. Run ${missing.length > 1 ? 'them' : 'it'}, then merge again.`)
}

/** "Shards 3, 5 to 9 are". */
export function missingWords(missing: readonly number[]): string {
  const spans: [number, number][] = []
  for (const n of missing) {
    const last = spans.at(-1)
    if (last && last[1] === n - 1) last[1] = n
    else spans.push([n, n])
  }
  const shown = spans.slice(0, 20).map(([a, b]) => (a === b ? `${a}` : `${a} to ${b}`))
  const rest = spans.length > 20 ? ' and others' : ''
  return missing.length === 1 ? `Shard ${shown[0]} is` : `Shards ${shown.join(', ')}${rest} are`
}

/** What decides the pixels of a result; devices and threads do not. */
function differsIn(a: JournalHead, b: JournalHead): string | null {
  const parts: Record<string, (head: JournalHead) => unknown> = {
    recipe: ({ request }) => request.recipe,
    region: ({ request }) => [request.region, request.within],
    'pixel size': ({ request }) => request.mpp,
    channel: ({ request }) => request.channel,
    'set of values from the slide': ({ resolved }) => Object.entries(resolved).sort(([x], [y]) => (x < y ? -1 : 1)),
    grid: ({ grid, haloPx }) => [grid, haloPx],
  }
  const differs = Object.entries(parts).find(([, of]) => digest([of(a)]) !== digest([of(b)]))
  return differs ? differs[0] : null
}

/** Of the run as a whole: sums; its time is that of all shards, one after the other. */
function together(notes: readonly KeptNote[]): KeptNote {
  const sum = (of: (note: KeptNote) => number): number => notes.reduce((all, note) => all + of(note), 0)
  const timings = new Timings()
  timings.set(notes.flatMap((note) => note.timings))
  const certainty = { ...noCertainty }
  for (const note of notes)
    for (const key of Object.keys(certainty) as (keyof typeof certainty)[]) certainty[key] += note.certainty[key]
  const uncertain = notes.flatMap((note) => note.uncertain ?? [])
  return {
    objects: sum(({ objects }) => objects),
    cutObjects: sum(({ cutObjects }) => cutObjects),
    unreadableTiles: sum(({ unreadableTiles }) => unreadableTiles),
    unreadable: notes.flatMap((note) => note.unreadable),
    ...(uncertain.length > 0 && { uncertain, uncertainTiles: sum((note) => note.uncertainTiles ?? 0) }),
    elapsedMs: sum(({ elapsedMs }) => elapsedMs),
    certainty,
    timings: timings.list(),
    warnings: [...new Set(notes.flatMap((note) => note.warnings))],
    error: notes.find((note) => note.error !== null)?.error ?? null,
  }
}
