// Runs and exports that a command waits for: their progress in the terminal, and an abort that ends them.
import type { Engine } from '../../../main/engine'
import type { CallArg, ExportResult, RunStatus } from '../../contract'
import { valueOf } from '../exitCodes'
import { pauseOnSignal } from './pause'
import { progressLine } from './runWords'
import type { Terminal } from '../terminal'

/** Begins the run and waits for its end; an abort cancels it, and the terminal's Ctrl-Z pauses it. */
export async function finished(
  engine: Engine,
  terminal: Terminal,
  begin: { readonly call: 'run:start' | 'journal:resume'; readonly arg: unknown },
  signal: AbortSignal,
): Promise<RunStatus> {
  const ended = new Map<string, RunStatus>()
  let runId: string | undefined
  let wake = (): void => undefined
  const stop = engine.onEvent((event) => {
    if (event.type === 'run:end') {
      ended.set(event.status.runId, event.status)
      wake()
    } else if (event.type === 'run:progress' && event.status.runId === runId) {
      terminal.progress(progressLine(event.status), event.status.tilesDone / Math.max(1, event.status.tilesTotal))
    }
  })
  let letGo = (): void => undefined
  const cancel = (): void => void (runId !== undefined && engine.call('run:cancel', { runId }))
  signal.addEventListener('abort', cancel)
  try {
    const started = valueOf(await engine.call(begin.call, begin.arg)) as RunStatus
    runId = started.runId
    const own = [runId]
    letGo = pauseOnSignal(engine, terminal, async () => own)
    if (signal.aborted) cancel()
    // The end may have come before the answer to the start.
    while (!ended.has(runId)) await new Promise<void>((resolve) => (wake = resolve))
    return ended.get(runId)!
  } finally {
    stop()
    letGo()
    signal.removeEventListener('abort', cancel)
    terminal.endProgress()
  }
}

/** Writes the run's files; an abort cancels it. */
export async function exported(
  engine: Engine,
  terminal: Terminal,
  request: CallArg<'export:start'>,
  signal: AbortSignal,
): Promise<ExportResult> {
  const stop = engine.onEvent((event) => {
    if (event.type !== 'export:progress') return
    const what = event.file === null ? 'looking through regions and objects' : `writing ${event.file}`
    terminal.progress(`${what}: ${Math.floor(100 * event.fraction)} %`, 0)
  })
  const cancel = (): void => void engine.call('export:cancel', { runId: request.runId })
  signal.addEventListener('abort', cancel)
  try {
    return valueOf(await engine.call('export:start', request)) as ExportResult
  } finally {
    stop()
    signal.removeEventListener('abort', cancel)
    terminal.endProgress()
  }
}
