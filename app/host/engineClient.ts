// The parent's side of the engine's process: calls, tiles and events by message; when it dies, says so and starts another.
import type { AppError, AppEvent, CallArg, CallName, CallValue, Result } from '../contract'
import type { EngineSettings, FromEngine, LogLine, TileReply, ToEngine } from './messages'

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
  /** Waits before each restart in a row; after the last of them the client gives up. */
  restartDelaysMs?: readonly number[]
  /** An engine that has lived this long has not failed in a row. */
  stableAfterMs?: number
  /** How long a close may take before the process is killed. */
  closeWithinMs?: number
}

const howItEnded: Readonly<Record<string, string>> = {
  SIGKILL: 'it was killed, which is what the system does when memory runs out',
  SIGSEGV: 'it crashed while reading or analysing the slide',
  SIGBUS: 'it crashed while reading or analysing the slide',
  SIGABRT: 'it crashed while reading or analysing the slide',
  SIGILL: 'this processor lacks an instruction that it needs',
}

interface Waiting {
  message: ToEngine
  settle: (outcome: { result: Result<unknown> } | { reply: TileReply } | { error: AppError }) => void
}

export class EngineClient {
  readonly #options: Required<Omit<EngineClientOptions, 'log'>> & Pick<EngineClientOptions, 'log'>
  readonly #listeners = new Set<(event: AppEvent) => void>()
  readonly #inFlight = new Map<number, Waiting>()
  #nextId = 1
  #port: EnginePort | null = null
  #startedAt = 0
  #deathsInARow = 0
  #lostMessage: string | null = null
  #timer: NodeJS.Timeout | undefined
  /** Why there will be no engine any more. */
  #over: AppError | null = null
  #closed: Promise<void> | undefined
  #exited: (() => void) | undefined

  constructor(options: EngineClientOptions) {
    this.#options = { restartDelaysMs: [100, 1000, 5000, 15_000], stableAfterMs: 60_000, closeWithinMs: 5000, ...options }
    this.#start()
  }

  /** For tests and logs. */
  get pid(): number | undefined {
    return this.#port?.pid
  }

  call<N extends CallName>(name: N, arg: CallArg<N>): Promise<Result<CallValue<N>>>
  call(name: CallName, arg: unknown): Promise<Result<unknown>>
  call(name: CallName, arg: unknown): Promise<Result<unknown>> {
    return new Promise((resolve) => {
      this.#send(
        (id) => ({ kind: 'call', id, name, arg }),
        (outcome) => {
          if ('result' in outcome) resolve(outcome.result)
          else if ('error' in outcome) resolve({ ok: false, error: outcome.error })
        },
      )
    })
  }

  tile(url: string): Promise<TileReply> {
    return new Promise((resolve) => {
      this.#send(
        (id) => ({ kind: 'tile', id, url }),
        (outcome) => {
          if ('reply' in outcome) resolve(outcome.reply)
          else if ('error' in outcome) {
            const body = new TextEncoder().encode(outcome.error.message)
            resolve({ status: 503, headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }, body })
          }
        },
      )
    })
  }

  onEvent(listener: (event: AppEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Calls in flight answer ENGINE_LOST; resolves when the process is gone. */
  close(): Promise<void> {
    this.#closed ??= (async () => {
      this.#giveUp({ code: 'ENGINE_LOST', message: 'Morphoscope is closing.' })
      clearTimeout(this.#timer)
      const port = this.#port
      if (!port) return
      const exited = new Promise<void>((resolve) => (this.#exited = resolve))
      port.post({ kind: 'close' })
      const killer = setTimeout(() => port.kill(), this.#options.closeWithinMs)
      await exited
      clearTimeout(killer)
    })()
    return this.#closed
  }

  #send(message: (id: number) => ToEngine, settle: Waiting['settle']): void {
    if (this.#over) return settle({ error: this.#over })
    const id = this.#nextId++
    const waiting = { message: message(id), settle }
    this.#inFlight.set(id, waiting)
    // Between two processes a call waits for the next one.
    this.#port?.post(waiting.message)
  }

  #start(): void {
    const port = this.#options.spawn()
    this.#port = port
    this.#startedAt = performance.now()
    port.onMessage((message) => this.#port === port && this.#receive(message))
    port.onExit((how) => this.#port === port && this.#died(how))
    port.post({ kind: 'start', settings: this.#options.settings })
    for (const { message } of this.#inFlight.values()) port.post(message)
  }

  #receive(message: FromEngine): void {
    switch (message.kind) {
      case 'ready':
        if (this.#lostMessage !== null) this.#emit({ type: 'engine:lost', message: this.#lostMessage, restarted: true })
        this.#lostMessage = null
        return
      case 'failed':
        this.#giveUp(message.error)
        return
      case 'result':
        this.#settle(message.id, { result: message.result })
        return
      case 'tile':
        this.#settle(message.id, { reply: message.reply })
        return
      case 'event':
        this.#emit(message.event)
        return
      case 'log':
        this.#options.log?.(message.line)
    }
  }

  #settle(id: number, outcome: Parameters<Waiting['settle']>[0]): void {
    const waiting = this.#inFlight.get(id)
    this.#inFlight.delete(id)
    waiting?.settle(outcome)
  }

  #emit(event: AppEvent): void {
    for (const listener of [...this.#listeners]) listener(event)
  }

  #failAll(error: AppError): void {
    const waiting = [...this.#inFlight.values()]
    this.#inFlight.clear()
    for (const { settle } of waiting) settle({ error })
  }

  #giveUp(error: AppError): void {
    this.#over ??= error
    this.#failAll(error)
  }

  #died(how: string): void {
    this.#port = null
    this.#exited?.()
    if (this.#over) return
    const why = howItEnded[how] ?? `it ended with ${how}`
    const { restartDelaysMs, stableAfterMs } = this.#options
    this.#deathsInARow = performance.now() - this.#startedAt >= stableAfterMs ? 1 : this.#deathsInARow + 1
    this.#options.log?.({ level: 'error', message: `The engine's process ended: ${how}` })
    const delayMs = restartDelaysMs[this.#deathsInARow - 1]
    if (delayMs === undefined) {
      const message = `The engine stopped ${this.#deathsInARow} times in a row (the last time ${why}) and is not started again. Close Morphoscope and start it again; if that does not help, try a smaller region or another slide.`
      this.#giveUp({ code: 'ENGINE_LOST', message })
      this.#emit({ type: 'engine:lost', message, restarted: false })
      return
    }
    this.#failAll({
      code: 'ENGINE_LOST',
      message: `The engine stopped while it worked on this: ${why}. It starts again by itself; open the slide and run again.`,
      detail: how,
    })
    // Told when the new one is up, as the contract has it.
    this.#lostMessage = `The engine stopped: ${why}. A new one is running. Results that were not exported are gone; exported files are safe.`
    this.#timer = setTimeout(() => this.#start(), delayMs)
  }
}
