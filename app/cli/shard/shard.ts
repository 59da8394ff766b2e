// `morphoscope run SLIDE --shard I/N --out DIR`: a part of a slide's tiles, which another command, on any machine, goes on with or merges.
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { preparedName, shardFolder } from '../../../main/engine'
import type { Engine, JournalPlace } from '../../../main/engine'
import { choiceOf, counted } from '../../contract'
import type { RunRequest, RunStatus, ShardRef } from '../../contract'
import { asCliError, CliError, ExitCode, valueOf } from '../exitCodes'
import { openSlide } from '../info'
import { finished } from '../run/followed'
import { journalIn, partOf, requireSameRun } from '../run/resume'
import type { JournalEntry } from '../run/resume'
import { outputDirectory, recipeFor } from '../run/run'
import type { RunOptions } from '../run/run'
import { stageVariants } from '../run/stageVariants'
import { parseRegion } from '../run/verify'
import { duration } from '../terminal'
import type { Terminal } from '../terminal'
import { meansOf } from './means'
import { requireOfShard } from './shardOptions'
import { readState, stated } from './stepState'

/** A journal that no machine has written to for so long is left over: its node is gone, and the scheduler has given the shard to this one. */
const idleMs = 120_000
const lookEveryMs = 5000

export interface ShardOptions extends RunOptions {
  readonly shard: ShardRef
}

/** Where the shard's journal lies. */
export function shardJournal(options: ShardOptions): JournalPlace {
  const directory = shardFolder(outputDirectory(options), options.shard)
  return { directory, note: null, nameless: options.deidentify === true, keepsOver: true, idleMs }
}

/** What is to be run: as it was prepared, else as the options say. */
type Asked = Pick<RunRequest, 'recipe' | 'region' | 'mpp'> & { readonly path: string; readonly channel: string | undefined }

export async function runShard(
  engine: Engine,
  terminal: Terminal,
  path: string | undefined,
  options: ShardOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const out = outputDirectory(options)
  const ref = options.shard
  const folder = shardFolder(out, ref)
  // Before anything is written of it.
  requireOfShard(options, existsSync(join(out, preparedName)))
  const means = await meansOf(engine, options)
  const lastAt = readState(folder, 'shard')?.node
  return stated(folder, 'shard', means.device ?? 'cpu', signal, async (told) => {
    const work = await engine.shards()
    const prepared = await work.prepared(out)
    const asked = prepared
      ? { ...prepared.request, path: slidePath(path ?? prepared.slide.path), channel: channelText(prepared.request.channel) }
      : await askedNow(engine, terminal, slidePath(path ?? null), options)
    const { recipe, region, mpp } = asked
    const slide = await openSlide(engine, asked.path, mpp, asked.channel)
    for (const warning of slide.warnings) terminal.note(`warning: ${warning}`)
    const { slideId } = slide
    if (prepared) await work.take(prepared, out, slideId)
    const request: RunRequest = {
      ...{ slideId, region, recipe, purpose: 'run', shard: ref, ...means },
      ...(mpp !== undefined && { mpp }),
    }
    const before = options.overwrite === true ? null : await work.finished(out, ref, request)
    if (before) {
      terminal.note(`shard ${ref.shard} of ${ref.of} is there already`)
      return codeOf(before)
    }
    const entry = await journalLeft(engine, terminal, folder, lastAt !== hostname(), signal)
    if (entry && options.overwrite !== true) requireSameRun(entry, { recipe, region, mpp })
    else if (entry) valueOf(await engine.call('journal:delete', { journalId: entry.journalId }))
    const goesOn = entry !== null && options.overwrite !== true
    if (goesOn) terminal.note(`resuming: ${partOf(entry)} is there, ${entry.tilesDone} of ${counted(entry.tilesTotal, 'tile')}`)
    const begin = goesOn
      ? { call: 'journal:resume' as const, arg: { journalId: entry.journalId, slideId, ...means } }
      : { call: 'run:start' as const, arg: { ...request, ...stageVariants(options.variant) } }
    const stop = engine.onEvent((event) => {
      if (event.type === 'run:progress') told.run(event.status)
    })
    const status = await finished(engine, terminal, begin, signal).finally(stop)
    for (const warning of status.warnings) terminal.note(`warning: ${warning}`)
    requireDone(status, signal)
    told.run(status)
    const file = await work.keep(out, ref, status.runId)
    valueOf(await engine.call('run:delete', { runId: status.runId }))
    if (options.json)
      terminal.print(
        JSON.stringify({ ...ref, file, objects: status.objects, tiles: status.tilesTotal, elapsedMs: status.elapsedMs }, null, 2),
      )
    else
      terminal.print(
        `shard ${ref.shard} of ${ref.of}: ${counted(status.objects, 'object')} in ${duration(status.elapsedMs)}: ${file}`,
      )
    return codeOf(status)
  })
}

async function askedNow(engine: Engine, terminal: Terminal, path: string, options: ShardOptions): Promise<Asked> {
  const { mpp, channel, region } = options
  const recipe = await recipeFor(engine, terminal, path, options)
  return {
    path,
    recipe,
    channel,
    region: region === undefined ? 'whole' : parseRegion(region),
    ...(mpp !== undefined && { mpp }),
  }
}

const channelText = (channel: number | undefined): string | undefined => (channel === undefined ? undefined : choiceOf(channel))

function slidePath(path: string | null): string {
  if (path !== null) return path
  throw new CliError(ExitCode.usage, 'expected a slide: what was prepared does not say where it lies')
}

const codeOf = ({ unreadableTiles, uncertainTiles = 0 }: Pick<RunStatus, 'unreadableTiles' | 'uncertainTiles'>): ExitCode =>
  unreadableTiles + uncertainTiles > 0 ? ExitCode.partial : ExitCode.ok

function requireDone({ state, error }: RunStatus, signal: AbortSignal): void {
  const hint = 'What is finished is kept: the same command goes on with it.'
  if (state === 'failed') {
    const { exitCode, message, detail } = asCliError(error)
    throw new CliError(exitCode, `${message} ${hint}`, detail)
  }
  if (state !== 'done' || signal.aborted) throw new CliError(ExitCode.interrupted, `Cancelled. ${hint}`)
}

/** Of the attempt before; null: it has left nothing. `waits`: another machine had it, and may still write to it. */
async function journalLeft(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  waits: boolean,
  signal: AbortSignal,
): Promise<JournalEntry | null> {
  const until = performance.now() + idleMs + 2 * lookEveryMs
  for (let isTold = false; ; isTold = true) {
    try {
      return await journalIn(engine, folder)
    } catch (error) {
      const isHeld = error instanceof CliError && error.exitCode === ExitCode.tryAgain
      if (!isHeld || !waits || signal.aborted || performance.now() > until) throw error
      if (!isTold) terminal.note('another machine has this shard, or had: waiting until it is surely gone, two minutes at most')
      await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined)
    }
  }
}
