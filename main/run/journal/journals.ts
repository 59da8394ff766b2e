// Where journals of runs lie, whose they are, and which of them a run left that died.
import { randomBytes } from 'node:crypto'
import { lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { JournalEntry } from '../../../app/contract'
import { EngineError } from '../../base/errors'
import type { Log } from '../../base/log'
import { host, startOf } from '../../base/process'
import { headOf, RunJournal, tilesKind, writtenKind } from './journal'
import type { JournalFiles, JournalHead, NewHead } from './journal'
import { isBare, JournalReader, JournalWriter } from './journalFile'
import { glanceAtTiles, glanceBytes } from './journalTiles'

export interface JournalPlace {
  /** Made with the first journal. */
  readonly directory: string
  /** For whoever goes on: JSON. */
  readonly note?: unknown
  /** Slides' names and folders are not written. */
  readonly nameless?: boolean
  /** Journals of runs that are over stay when the engine is closed: on the command line, where a run that was cancelled can go on. */
  readonly keepsOver?: boolean
  /** After so long a journal of another machine is nobody's; absent: a day. */
  readonly idleMs?: number
}

const names = /^run-(j[a-f0-9]{12,32})-([0-9a-f]{8})-(\d{1,10})-(\d{1,20})\.journal$/
/** Whether a process of another machine lives cannot be asked: what it has not touched for so long is left over. */
const foreignIdleMs = 24 * 60 * 60_000
/** Nobody has wanted it for so long. */
const forgottenMs = 30 * 24 * 60 * 60_000

/** Those that this process writes or reads. */
const held = new Set<string>()

const nameFor = (journalId: string): string => `run-${journalId}-${host}-${process.pid}-${startOf(process.pid) ?? 0}.journal`

async function isLive(path: string, [, , ofHost, pid, start]: RegExpExecArray, idleMs: number): Promise<boolean> {
  if (held.has(path)) return true
  if (ofHost !== host) {
    const touched = await stat(path).catch(() => null)
    return touched !== null && Date.now() - touched.mtimeMs < idleMs
  }
  return Number(pid) !== process.pid && startOf(Number(pid)) === Number(start)
}

interface JournalName {
  readonly path: string
  readonly journalId: string
  /** A process has it, this one or another. */
  readonly live: boolean
}

export class Journals implements JournalFiles {
  readonly place: JournalPlace
  private readonly program: string
  private readonly log: Log

  constructor(place: JournalPlace, program: string, log: Log) {
    this.place = place
    this.program = program
    this.log = log
  }

  begin(head: () => Promise<Omit<NewHead, 'program' | 'journalId' | 'note'>>): RunJournal {
    const journalId = `j${randomBytes(8).toString('hex')}`
    const { note } = this.place
    return RunJournal.begin(this, async () => ({ ...(await head()), program: this.program, journalId, note }), journalId)
  }

  async create(journalId: string, onFailed: (error: unknown) => void): ReturnType<JournalFiles['create']> {
    const { directory } = this.place
    const path = join(directory, nameFor(journalId))
    const made = await mkdir(directory, { recursive: true, mode: this.place.keepsOver ? 0o777 : 0o700 })
    await this.sweep()
    held.add(path)
    try {
      return { path, writer: await JournalWriter.create(path, onFailed), madeFolder: made !== undefined }
    } catch (error) {
      held.delete(path)
      throw error
    }
  }

  release(path: string): void {
    held.delete(path)
  }

  /** Of runs that died, the newest first; on the command line also of those that other processes are at. What is no journal any more is passed over. */
  async list(): Promise<JournalEntry[]> {
    const entries: JournalEntry[] = []
    for (const { path, live } of await this.there()) {
      if (live && (!this.place.keepsOver || held.has(path))) continue
      const handle = await open(path, 'r').catch(() => null)
      if (!handle) continue
      try {
        const reader = await JournalReader.of(handle)
        const head = reader && (await headOf(reader))
        if (head) entries.push({ ...(await entryOf(head, reader)), ...(live && { live: true as const }) })
      } catch (error) {
        this.log({ level: 'warn', message: `The journal ${path} cannot be read: ${String(error)}` })
      } finally {
        await handle.close().catch(() => undefined)
      }
    }
    return entries.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1))
  }

  /** Takes it: two that want it at once cannot both have it. Throws NOT_FOUND and INVALID_PARAMETER. */
  async claim(journalId: string): Promise<{ head: JournalHead; journal: RunJournal }> {
    const found = (await this.left()).find((each) => each.journalId === journalId)
    const path = join(this.place.directory, nameFor(journalId))
    const gone = new EngineError(
      'NOT_FOUND',
      'The journal of this run is not there any more, or another program goes on with it.',
    )
    if (!found || held.has(path)) throw gone
    await this.sweep()
    held.add(path)
    let handle
    try {
      await rename(found.path, path)
      handle = await open(path, 'r+')
      const reader = await JournalReader.of(handle)
      const head = reader && (await headOf(reader))
      if (!reader || head?.journalId !== journalId)
        throw new EngineError(
          'INVALID_PARAMETER',
          `${path} is no journal that a run can go on from. Delete it, and start the run again.`,
        )
      return { head, journal: RunJournal.of(this, head, { path, reader }) }
    } catch (error) {
      await handle?.close().catch(() => undefined)
      held.delete(path)
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? gone : error
    }
  }

  async delete(journalId: string): Promise<void> {
    for (const each of await this.left()) if (each.journalId === journalId) await rm(each.path, { force: true })
  }

  /** Those that nobody has wanted for a month go. */
  async prune(): Promise<void> {
    for (const { path } of await this.left()) {
      const touched = await stat(path).catch(() => null)
      if (touched && Date.now() - touched.mtimeMs > forgottenMs) await rm(path, { force: true }).catch(() => undefined)
    }
  }

  /** Of processes that were killed before they had written what their run is: nobody can go on with these. Never rejects. */
  private async sweep(): Promise<void> {
    for (const { path } of await this.left()) if (await isBare(path)) await rm(path, { force: true }).catch(() => undefined)
  }

  /** Files of the name of a journal that no living process has. */
  private async left(): Promise<JournalName[]> {
    return (await this.there()).filter(({ live }) => !live)
  }

  private async there(): Promise<JournalName[]> {
    const { directory } = this.place
    const found: JournalName[] = []
    for (const name of await readdir(directory).catch(() => [])) {
      const match = names.exec(name)
      const path = join(directory, name)
      // A link or a pipe of a journal's name is none.
      if (!match || !(await lstat(path).catch(() => null))?.isFile()) continue
      found.push({ path, journalId: match[1]!, live: await isLive(path, match, this.place.idleMs ?? foreignIdleMs) })
    }
    return found
  }
}

async function entryOf(head: JournalHead, reader: JournalReader): Promise<JournalEntry> {
  let tilesDone = 0
  let objects = 0
  let isWritten = false
  for (let record = await reader.glance(glanceBytes); record; record = await reader.glance(glanceBytes)) {
    isWritten = record.kind === writtenKind
    if (record.kind !== tilesKind) continue
    const has = glanceAtTiles(record.start)
    tilesDone += has.tiles
    objects += has.objects
  }
  const { journalId, slide, request, recipeName, note, startedAt, tilesTotal, program } = head
  return {
    journalId,
    slidePath: slide.path,
    slideName: slide.name,
    name: request.name ?? 'Run',
    recipe: request.recipe,
    recipeName,
    region: request.region,
    ...(request.mpp === undefined ? {} : { mpp: request.mpp }),
    ...(request.channel === undefined ? {} : { channel: request.channel }),
    device: request.device ?? 'cpu',
    note,
    startedAt,
    tilesDone: Math.min(tilesDone, tilesTotal),
    tilesTotal,
    objects,
    bytes: reader.sizeBytes,
    ...(isWritten && { written: true }),
    version: program,
  }
}
