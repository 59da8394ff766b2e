// `morphoscope status DIR…`: how far slides' runs on a cluster are, by the files that their steps leave. Nothing is locked, and no engine is needed.
import { existsSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { preparedName, shardFolder, shardResult, shardsIn } from '../../../main/engine'
import { counted } from '../../contract'
import { CliError, ExitCode } from '../exitCodes'
import { duration } from '../terminal'
import type { Terminal } from '../terminal'
import { readState, silentMs } from './stepState'
import type { StepState } from './stepState'

export interface StatusOptions {
  readonly json?: boolean | undefined
}
type Stand = 'waiting' | 'preparing' | 'running' | 'merging' | 'done' | 'failed'

/** One slide's. */
export interface SlideStand {
  readonly name: string
  readonly folder: string
  readonly state: Stand
  readonly shards: { readonly done: number; readonly of: number }
  /** 0 … 1 of the step that goes on. */
  readonly share: number
  readonly etaMs: number | null
  readonly objects: number | null
  /** What runs, or ran last: node and device, each once. */
  readonly at: readonly string[]
  /** Of steps that failed or were lost. */
  readonly why: readonly string[]
}

export async function status(terminal: Terminal, folders: readonly string[], options: StatusOptions): Promise<ExitCode> {
  const found = folders.map((folder) => resolve(folder)).flatMap((folder) => slidesIn(folder))
  if (found.length === 0)
    throw new CliError(ExitCode.noInput, `${folders.join(', ')} holds no slide that was prepared, sharded or merged.`)
  const slides: SlideStand[] = []
  for (const folder of found) slides.push(await standOf(folder))
  if (options.json) terminal.print(JSON.stringify(slides, null, 2))
  else {
    for (const slide of slides) terminal.print(lineOf(slide))
    const count = (state: Stand): number => slides.filter((each) => each.state === state).length
    terminal.note(`${count('done')} of ${counted(slides.length, 'slide')} done, ${count('failed')} failed`)
  }
  return slides.some(({ state }) => state === 'failed') ? ExitCode.partial : ExitCode.ok
}

/** The folder itself, or those in it. */
function slidesIn(folder: string): string[] {
  if (isSlide(folder)) return [folder]
  try {
    const below = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory())
    return below
      .map(({ name }) => join(folder, name))
      .filter(isSlide)
      .sort()
  } catch {
    throw new CliError(
      ExitCode.noInput,
      `${folder} cannot be read. Name the folder of a slide's run, or one that holds such folders.`,
    )
  }
}

function isSlide(folder: string): boolean {
  try {
    return readdirSync(folder).some(
      (name) => name === preparedName || name.startsWith('state-') || /^shard-\d+-of-\d+$/.test(name),
    )
  } catch {
    return false
  }
}

async function standOf(folder: string): Promise<SlideStand> {
  const refs = await shardsIn(folder)
  // Of a division that was given up the folders may still be there.
  const of = Math.max(0, ...refs.map((ref) => ref.of))
  const own = refs.filter((ref) => ref.of === of)
  const isFinished = own.map((ref) => existsSync(shardResult(folder, ref)))
  const done = isFinished.filter(Boolean).length
  const open = own.flatMap((ref, k) => (isFinished[k] ? [] : [readState(shardFolder(folder, ref), 'shard')]))
  const [preparing, merging] = [readState(folder, 'prepare'), readState(folder, 'merge')]
  const steps = [preparing, merging, ...open].filter((each) => each !== null)
  const going = steps.filter((each) => each.state === 'running' && !isLost(each))
  const why = [...new Set(steps.flatMap(whyNot))]
  const last = going.length > 0 ? going : [merging ?? preparing ?? readState(shardFolder(folder, own[0]!), 'shard')]
  const sharesOfOpen = going.filter(({ step }) => step === 'shard').reduce((sum, { share }) => sum + share, 0)
  const etas = going.flatMap(({ etaMs }) => etaMs ?? [])
  return {
    name: basename(folder),
    folder,
    state: stateOf({ preparing, merging, going, of, done, isFailed: why.length > 0 }),
    shards: { done, of },
    share: merging?.state === 'done' ? 1 : of > 0 ? (done + sharesOfOpen) / of : (preparing?.share ?? 0),
    etaMs: etas.length > 0 ? Math.max(...etas) : null,
    objects: merging?.objects ?? null,
    at: [...new Set(last.flatMap((each) => (each ? [`${each.node} ${each.device}`] : [])))],
    why,
  }
}

function stateOf(how: {
  preparing: StepState | null
  merging: StepState | null
  going: readonly StepState[]
  of: number
  done: number
  isFailed: boolean
}): Stand {
  const { preparing, merging, going, of, done, isFailed } = how
  if (going.some(({ step }) => step === 'merge')) return 'merging'
  if (merging?.state === 'done' && done === of) return 'done'
  if (going.some(({ step }) => step === 'shard')) return 'running'
  if (going.some(({ step }) => step === 'prepare')) return 'preparing'
  if (isFailed) return 'failed'
  return of > 0 || preparing?.state === 'done' ? 'waiting' : 'preparing'
}

const isLost = ({ state, at }: StepState): boolean => state === 'running' && Date.now() - Date.parse(at) > silentMs

function whyNot(state: StepState): string[] {
  const { step, node, attempt, message } = state
  const which = attempt > 1 ? `${step}, attempt ${attempt}` : step
  if (isLost(state)) return [`${which}: ${node} has said nothing since ${state.at}`]
  return state.state === 'failed' || state.state === 'cancelled' ? [`${which}: ${message ?? state.state}`] : []
}

function lineOf({ name, state, shards, share, etaMs, objects, at, why }: SlideStand): string {
  const parts = [
    `${state.padEnd(9)} ${name}`,
    shards.of > 0 ? `${shards.done} of ${counted(shards.of, 'shard')}` : '',
    state === 'running' || state === 'preparing' ? `${Math.floor(100 * share)} %` : '',
    etaMs !== null && etaMs > 0 ? `${duration(etaMs)} left of what runs` : '',
    objects === null ? '' : counted(objects, 'object'),
    at.join(', '),
    ...why,
  ]
  return parts.filter((part) => part !== '').join('; ')
}
