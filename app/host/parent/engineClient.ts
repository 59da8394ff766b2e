// The parent's side of the engine's process: calls, tiles and events by message; when it dies, says so and starts another.
import type { AppError, AppEvent, CallArg, CallName, CallValue, Result } from '../../contract'
import { Waiting } from '../../requests'
import { engineEnd } from './engineEnd'
import { isError, isEvent, isReply, isResult } from './fromEngine'
import type { EngineSettings, FromEngine, LogLine, TileReply, ToEngine } from '../messages'
import { Holdings } from './holdings'
import { Printing } from './printing'
import type { Print } from './printing'

/** One live process. */
export interface EnginePort {
  post(message: ToEngine): void
  onMessage(listener: (message: FromEngine) => void): void
  /** Once; `how` is a signal's name or an exit code in words. */
  onExit(listener: (how: string) => void): void
  kill(): void
  readonly pid?: number | undefined
}
export interface EngineClientOptions {
  spawn: () => EnginePort
  settings: EngineSettings
  log?: (line: LogLine) => void
  /** Makes a PDF of an HTML page; absent where this shell cannot. */
  print?: Print
  /** Restarts in a row that come by themselves; after them one is offered ('engine:restart'). */
  restartsByItself?: number
  /** An engine that has lived this long has not failed in a row. */
  stableAfterMs?: number
  /** How long a close may take before the process is killed. */
  closeWithinMs?: number
}

type Outcome = { result: Result<unknown> } | { reply: TileReply } | { error: AppError }
type Lost = Extract<AppEvent, { type: 'engine:lost' }>

/** How long a killed process may take to go before the next one is started beside it: a hung driver can hold it for ever. */
const goneWithinMs = 3000
const askWithinMs = 2000

export class EngineClient {
  readonly #options: Required<Omit<EngineClientOptions, 'log' | 'print'>> & Pick<EngineClientOptions, 'log'>
  readonly #listeners = new Set<(event: AppEvent) => void>()
  readonly #waiting = new Waiting<Outcome>()
  /** Made while there was no process: the next one gets them. What a process had is never given to another. */
  readonly #unsent = new Map<number, ToEngine>()
  readonly #printing: Printing
  readonly #restarts: ((result: Result<null>) => void)[] = []
  /** Slides that were open in an engine that crashed. */
  readonly #suspects = new Set<string>()
  #holdings = new Holdings()
  #port: EnginePort | null = null
  #startedAt = 0
  #endsInARow = 0
  /** Told when the new engine is up, as the contract has it. */
  #lost: Lost | null = null
  /** Why there is no engine and none is coming. */
  #over: AppError | null = null
  /** The end of an engine that another one replaces. */
  #ending: Promise<void> | null = null
  #closed: Promise<void> | undefined

  constructor(options: EngineClientOptions) {
    this.#printing = new Printing(options.print)
    this.#options = { restartsByItself: 2, stableAfterMs: 60_000, closeWithinMs: 5000, ...options }
    this.#start()
  }

  /** For tests and logs. */
  get pid(): number | undefined {
    return this.#port?.pid
  }

  /** Aborted: the engine stops what it can and answers then. */
  call<N extends CallName>(name: N, arg: CallArg<N>, signal?: AbortSignal): Promise<Result<CallValue<N>>>
  call(name: CallName, arg: unknown, signal?: AbortSignal): Promise<Result<unknown>>
  call(name: CallName, arg: unknown, signal?: AbortSignal): Promise<Result<unknown>> {
    if (name === 'engine:restart') return this.restart()
    return new Promise((resolve) => {
      this.#send(
        (id) => ({ kind: 'call', id, name, arg }),
        (outcome) => {
          if ('error' in outcome) resolve({ ok: false, error: outcome.error })
          else if ('result' in outcome) resolve(this.#heard(name, arg, outcome.result))
          else {
            resolve({ ok: false, error: notAnswered })
            throw new Error('a tile in answer to a call')
          }
        },
        signal,
      )
    })
  }

  tile(url: string, signal?: AbortSignal): Promise<TileReply> {
    return new Promise((resolve) => {
      this.#send(
        (id) => ({ kind: 'tile', id, url }),
        (outcome) => {
          if ('reply' in outcome) resolve(outcome.reply)
          else if ('error' in outcome) resolve(noTile(outcome.error))
          else {
            resolve(noTile(notAnswered))
            throw new Error('a result in answer to a tile')
          }
        },
        signal,
      )
    })
  }

  onEvent(listener: (event: AppEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Starts an engine where there is none any more, or another in place of the living one. Resolves when it is up. */
  restart(): Promise<Result<null>> {
    if (this.#closed) return Promise.resolve({ ok: false, error: this.#over! })
    const up = new Promise<Result<null>>((resolve) => this.#restarts.push(resolve))
    this.#endsInARow = 0
    if (this.#over) {
      this.#over = null
      this.#lost = null
      // Whoever else shows the end of the old one hears of the new one.
      this.#start(lost('The engine was started again. Open the slide and run again.', { reopen: false }))
    } else if (!this.#ending) this.#replace('The engine was started again. Results that were not exported are gone.')
    return up
  }

  /** Calls in flight answer ENGINE_LOST; resolves when the process is gone. */
  close(): Promise<void> {
    this.#closed ??= (async () => {
      this.#giveUp({ code: 'ENGINE_LOST', message: 'Morphoscope is closing.' })
      const port = this.#port
      await (port ? this.#end(port, this.#options.closeWithinMs) : this.#ending)
    })()
    return this.#closed
  }

  #send(message: (id: number) => ToEngine, settle: (outcome: Outcome) => void, signal?: AbortSignal): void {
    if (this.#over) return settle({ error: this.#over })
    const cancelled = { error: { code: 'CANCELLED', message: 'The request was taken back.' } as const }
    if (signal?.aborted) return settle(cancelled)
    const aborted = (id: number): void => {
      if (this.#unsent.delete(id)) this.#waiting.settle(id, cancelled)
      else this.#port?.post({ kind: 'cancel', id })
    }
    const id = this.#waiting.add(settle, signal && { signal, aborted })
    this.#unsent.set(id, message(id))
    this.#flush()
  }

  #start(tell: Lost | null = this.#lost): void {
    if (this.#closed) return
    const port = this.#options.spawn()
    this.#lost = tell
    this.#port = port
    this.#ending = null
    this.#holdings = new Holdings()
    this.#startedAt = performance.now()
    port.onMessage((message) => {
      if (this.#port !== port) return
      try {
        this.#receive(message)
      } catch (error) {
        // A slide may have taken that process over: what it sends must not end this one.
        this.#options.log?.({ level: 'error', message: 'The engine sent what is no message', detail: String(error) })
        port.kill()
      }
    })
    port.onExit((how) => this.#port === port && this.#died(how))
    port.post({ kind: 'start', settings: this.#options.settings, prints: this.#printing.possible })
    this.#flush()
  }

  #flush(): void {
    if (!this.#port) return
    for (const message of this.#unsent.values()) {
      if (message.kind === 'call') this.#holdings.asked(message.name as CallName, message.arg)
      this.#port.post(message)
    }
    this.#unsent.clear()
  }

  #receive(message: FromEngine): void {
    switch (message.kind) {
      case 'ready':
        if (this.#lost) this.#emit(this.#lost)
        this.#lost = null
        for (const resolve of this.#restarts.splice(0)) resolve({ ok: true, value: null })
        return
      case 'failed':
        if (!isError(message.error)) throw new Error('no error')
        this.#notStarted(message.error)
        return
      case 'result':
        if (!isResult(message.result)) throw new Error('no result')
        this.#waiting.settle(message.id, { result: message.result })
        return
      case 'tile':
        if (!isReply(message.reply)) throw new Error('no tile')
        this.#waiting.settle(message.id, { reply: message.reply })
        return
      case 'event':
        if (!isEvent(message.event)) throw new Error('no event')
        this.#holdings.happened(message.event)
        this.#emit(message.event)
        if (message.event.type === 'run:end' && message.event.status.error?.code === 'GPU_LOST') void this.#gpuLost()
        return
      case 'print':
        if (!Number.isInteger(message.id) || typeof message.page !== 'string') throw new Error('nothing to print')
        void this.#print(message.id, message.page)
        return
      case 'opening':
        if (message.project !== null && typeof message.project !== 'string') throw new Error('no project')
        this.#holdings.opening(message.project)
        return
      case 'log':
        this.#options.log?.(message.line)
        return
      default:
        throw new Error('no kind of message')
    }
  }

  /** For the engine that asked, and for no other that has come in its place. */
  async #print(id: number, page: string): Promise<void> {
    const port = this.#port
    const reply = await this.#printing.of(page)
    if (port && this.#port === port) port.post({ kind: 'printed', id, reply })
  }

  /** An answer on its way to whoever asked. */
  #heard(name: CallName, arg: unknown, result: Result<unknown>): Result<unknown> {
    this.#holdings.answered(name, arg, result)
    if (!result.ok) {
      if (result.error.code === 'GPU_LOST') void this.#gpuLost()
      return result
    }
    if (name !== 'app:info') return result
    // A page that starts opens this one by itself.
    const info = result.value as { initialSlide?: unknown; sampleSlide?: unknown } | null
    const suspect = (path: unknown): boolean => typeof path === 'string' && this.#suspects.has(path)
    if (!info || !(suspect(info.initialSlide) || suspect(info.sampleSlide))) return result
    const { initialSlide, sampleSlide } = info
    const kept = (path: unknown): unknown => (suspect(path) ? null : path)
    return { ok: true, value: { ...info, initialSlide: kept(initialSlide), sampleSlide: kept(sampleSlide) } }
  }

  /** The process's GPU context is poisoned: a new process has a new one. What is only in the old one is not thrown away for it. */
  async #gpuLost(): Promise<void> {
    const port = this.#port
    if (!port) return
    const listed = await Promise.race([
      this.call('run:list' as CallName, undefined),
      new Promise<null>((resolve) => setTimeout(() => resolve(null), askWithinMs).unref()),
    ])
    if (this.#port !== port || this.#over) return
    if (this.#holdings.holdsMore(listed?.ok ? listed.value : null)) return
    if (this.#nextEnd() > this.#options.restartsByItself) return
    this.#replace('The GPU was lost, and the engine that used it was replaced. Run again, on the GPU or on the CPU.')
  }

  #replace(message: string): void {
    const port = this.#port
    this.#port = null
    this.#failAll({ code: 'ENGINE_LOST', message: 'The engine was replaced while it worked on this. Run again.' })
    this.#lost = lost(message, { reopen: true })
    if (port) this.#ending = this.#end(port, goneWithinMs).then(() => this.#start())
  }

  /** Closes in good order, or else. */
  async #end(port: EnginePort, withinMs: number): Promise<void> {
    const exited = new Promise<void>((resolve) => port.onExit(() => resolve()))
    port.post({ kind: 'close' })
    const killer = setTimeout(() => port.kill(), withinMs)
    let hung: NodeJS.Timeout | undefined
    await Promise.race([exited, new Promise<void>((resolve) => (hung = setTimeout(resolve, withinMs + goneWithinMs)))])
    clearTimeout(killer)
    clearTimeout(hung)
  }

  #emit(event: AppEvent): void {
    for (const listener of [...this.#listeners]) listener(event)
  }

  #failAll(error: AppError): void {
    this.#unsent.clear()
    this.#waiting.settleAll({ error })
  }

  #giveUp(error: AppError): void {
    this.#over ??= error
    for (const resolve of this.#restarts.splice(0)) resolve({ ok: false, error })
    this.#failAll(error)
  }

  /** Counts this end. */
  #nextEnd(): number {
    const stable = performance.now() - this.#startedAt >= this.#options.stableAfterMs
    return (this.#endsInARow = stable ? 1 : this.#endsInARow + 1)
  }

  /** Whoever shows the end of the one before hears that none comes after it. The first one's failure is its callers' answer. */
  #notStarted(error: AppError): void {
    const before = this.#lost
    this.#lost = null
    this.#giveUp(error)
    if (!before) return
    const message = `The engine ended, and another could not start. ${error.message}`
    this.#emit({ type: 'engine:lost', message, restarted: false, reopen: false, canRestart: true })
  }

  #died(how: string): void {
    this.#port = null
    if (this.#over) return
    const isProject = this.#holdings.project !== null
    const { why, crash } = engineEnd(how, isProject)
    if (crash && !isProject) for (const slide of this.#holdings.slides()) this.#suspects.add(slide)
    const opened = this.#holdings.sayOpen()
    const ends = this.#nextEnd()
    this.#options.log?.({ level: 'error', message: `The engine's process ended: ${how}.${opened}` })
    if (ends > this.#options.restartsByItself) {
      const times = ends > 1 ? ` ${ends} times in a row (the last time ${why})` : `: ${why}`
      const message = `The engine stopped${times} and is not started again by itself.${opened} Start it again, and try ${isProject ? 'another project' : 'a smaller region or another slide'}.`
      this.#giveUp({ code: 'ENGINE_LOST', message, detail: how })
      this.#emit({ type: 'engine:lost', message, restarted: false, reopen: false, canRestart: true })
      return
    }
    this.#failAll({
      code: 'ENGINE_LOST',
      message: `The engine stopped while it worked on this: ${why}.${opened} It starts again by itself; ${isProject ? 'try again' : 'open the slide and run again'}.`,
      detail: how,
    })
    const message = `The engine stopped: ${why}.${opened} A new one is running. Interrupted runs are offered with what they had finished; exported files are safe.`
    // What was killed once may have been the system's victim; twice, it takes too much.
    this.#start(lost(message, { reopen: (!crash || isProject) && ends === 1 }))
  }
}

/** What waited under the id of an answer of the other kind; the engine that sent it is ended. */
const notAnswered: AppError = { code: 'ENGINE_LOST', message: 'The engine sent what is no answer to this. Run again.' }

function noTile(error: AppError): TileReply {
  const body = new TextEncoder().encode(error.message)
  return { status: 503, headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }, body }
}

const lost = (message: string, { reopen }: { reopen: boolean }): Lost => ({
  type: 'engine:lost',
  message,
  restarted: true,
  reopen,
  canRestart: false,
})
