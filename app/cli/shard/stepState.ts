// How far a step of a slide's run on a cluster is, in a file that other machines may read at any time: written whole by rename, without locks.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import type { RunStatus } from '../../contract'
import { asCliError } from '../exitCodes'
import type { ExitCode } from '../exitCodes'

/** Often enough for who looks; a shared file system takes each as a round trip. */
const everyMs = 5000
/** A step that has said nothing for so long is lost: its node went off, or the job was killed. */
export const silentMs = 180_000

export const StepState = z.object({
  step: z.enum(['prepare', 'shard', 'merge']),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  /** From 1: how often it was begun. */
  attempt: z.number(),
  node: z.string(),
  pid: z.number(),
  device: z.string(),
  startedAt: z.string(),
  at: z.string(),
  /** 0 … 1 */
  share: z.number(),
  etaMs: z.number().nullable(),
  objects: z.number().nullable(),
  exitCode: z.number().optional(),
  message: z.string().optional(),
})
export type StepState = z.infer<typeof StepState>

const maxBytes = 1 << 20

/** null where there is none that can be read. */
export function readState(folder: string, step: StepState['step']): StepState | null {
  try {
    const text = readFileSync(join(folder, fileOf(step)), 'utf8')
    const found = text.length > maxBytes ? null : StepState.safeParse(JSON.parse(text))
    return found?.success ? found.data : null
  } catch {
    return null
  }
}

const fileOf = (step: StepState['step']): string => `state-${step}.json`

export interface Told {
  share(share: number, etaMs: number | null): void
  run(status: RunStatus): void
}

/** Does the step, and says in `folder` how far it is and how it ended. Rejects as `work`. */
export async function stated(
  folder: string,
  step: StepState['step'],
  device: string,
  signal: AbortSignal,
  work: (told: Told) => Promise<ExitCode>,
): Promise<ExitCode> {
  const before = readState(folder, step)
  let state: StepState = {
    ...{ step, state: 'running', attempt: (before?.attempt ?? 0) + 1, node: hostname(), pid: process.pid, device },
    ...{ startedAt: new Date().toISOString(), at: '', share: 0, etaMs: null, objects: null },
  }
  const write = (): void => {
    state = { ...state, at: new Date().toISOString() }
    const path = join(folder, fileOf(step))
    const draft = `${path}.${process.pid}.draft`
    try {
      mkdirSync(folder, { recursive: true })
      writeFileSync(draft, JSON.stringify(state))
      renameSync(draft, path)
    } catch {
      // Who cannot be told is not told: the step itself says what is wrong with the folder.
    }
  }
  write()
  const telling = setInterval(write, everyMs)
  try {
    const exitCode = await work({
      share: (share, etaMs) => void (state = { ...state, share, etaMs }),
      run: ({ tilesDone, tilesTotal, objects, etaMs, ground }) => {
        const share = ground ? 0 : tilesTotal > 0 ? tilesDone / tilesTotal : 1
        state = { ...state, share, etaMs: ground ? ground.etaMs : etaMs, objects }
      },
    })
    state = { ...state, state: 'done', share: 1, etaMs: 0, exitCode }
    return exitCode
  } catch (error) {
    const { exitCode, message } = asCliError(error)
    state = { ...state, state: signal.aborted ? 'cancelled' : 'failed', etaMs: null, exitCode, message: message.slice(0, 4000) }
    throw error
  } finally {
    clearInterval(telling)
    write()
  }
}
