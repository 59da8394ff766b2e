// The end of a command that has a run's result: its files, what is said of it, and the exit code.
import { resourceUsage } from 'node:process'
import type { Engine } from '../../../main/engine'
import { counted, isPartialRun, partialWords } from '../../contract'
import type { CallArg, HotSpot, Origin, RunEstimate, RunStatus } from '../../contract'
import { CliError, ExitCode, valueOf } from '../exitCodes'
import { duration } from '../terminal'
import type { Terminal } from '../terminal'
import { classCounts, classWords, hotSpotWords } from './classWords'
import { exported } from './followed'
import { certainWords, hintOfUnread } from './runWords'
import { verified } from './verify'
import type { parseVerify } from './verify'

export const cancelled = (more = ''): CliError => new CliError(ExitCode.interrupted, `Cancelled: no file was written.${more}`)

export interface HowWritten {
  readonly output: Omit<CallArg<'export:start'>, 'runId' | 'simplifyPx' | 'origin'>
  readonly simplify: number | undefined
  readonly origin: Origin | undefined
  /** It did not come to its end, and what is final is written. */
  readonly stopped: boolean
  /** How to go on with it. */
  readonly hint: string
  readonly toVerify: ReturnType<typeof parseVerify>
  /** Its spec. */
  readonly recipe: string
  /** As it was planned; absent where nothing was computed. */
  readonly memory?: RunEstimate['memory']
  readonly json: boolean
}

/** Throws where an abort came before all was written. */
export async function written(
  engine: Engine,
  terminal: Terminal,
  status: RunStatus,
  { output, simplify, origin, stopped, hint, toVerify, recipe, memory, json }: HowWritten,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { runId } = status
  const verification = stopped ? null : await verified(engine, terminal, runId, toVerify, signal)
  const outcome = await exported(
    engine,
    terminal,
    { runId, ...output, ...(simplify === undefined ? {} : { simplifyPx: simplify }), ...(origin && { origin }) },
    // A signal has ended the run already: another ends the program.
    stopped ? new AbortController().signal : signal,
  ).catch((error: unknown) => {
    throw signal.aborted ? cancelled() : error
  })
  if (outcome.cancelled) throw cancelled(hint)
  for (const warning of outcome.warnings) terminal.note(`warning: ${warning}`)
  const partial = isPartialRun(status) || stopped
  const hotSpot = valueOf(await engine.call('run:hotSpot', { runId })) as HotSpot | null
  if (json) {
    const { state, objects, classes, elapsedMs, megapixelsPerSecond, unreadableTiles, analysedMpp, warnings, timings } = status
    terminal.print(
      JSON.stringify(
        {
          slide: outcome.slideName,
          recipe,
          state,
          partial,
          region: status.region,
          analysedMpp,
          analysedBits: status.analysedBits ?? 8,
          objects,
          ...(classes && { classes: classCounts(status) }),
          ...(hotSpot && { hotSpot: { ...hotSpot, measure: undefined, classes: classCounts(hotSpot.measure) } }),
          unreadableTiles,
          uncertainTiles: status.uncertainTiles ?? 0,
          ...(status.valuesUncertain && { valuesUncertain: true }),
          elapsedMs,
          megapixelsPerSecond,
          timings,
          certainty: status.certainty,
          verification,
          memory: { ...memory, peakRssBytes: resourceUsage().maxRSS * 1024 },
          ...outcome,
          warnings: [...warnings, ...outcome.warnings],
        },
        null,
        2,
      ),
    )
  } else {
    terminal.print(
      `${counted(status.objects, 'object')}${classWords(status)} in ${duration(status.elapsedMs)}${certainWords(status)}`,
    )
    if (hotSpot) terminal.print(hotSpotWords(hotSpot))
    for (const file of outcome.files) terminal.print(file.path)
  }
  if (stopped) terminal.note(`partial: ${status.tilesDone} of ${counted(status.tilesTotal, 'tile')} are final.${hint}`)
  else if (partial) {
    const next = memory ? hintOfUnread(status, output.directory, output.deidentify === true) : ''
    terminal.note(`partial: ${partialWords(status)}; run.json says which.${next}`)
  }
  if (verification?.equal === false) {
    terminal.note('error: the run is not what one window finds there. Please report it, with run.json.')
    return ExitCode.bug
  }
  return partial ? ExitCode.partial : ExitCode.ok
}
