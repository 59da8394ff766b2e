// The engine's own process: slides are hostile input, so what reads them lives where its death costs the work in flight alone.
import { createEngine } from '../../../main/engine'
import type { Engine } from '../../../main/engine'
import type { AppError } from '../../contract'
import { Answering } from '../../requests'
import type { FromEngine, ToEngine } from '../messages'
import { Printer } from './printer'
import { openParentChannel } from './parentChannel'
import { computeBehindTheWindow } from './priority'

void computeBehindTheWindow()

const parent = openParentChannel()
const post = (message: FromEngine): void => parent.post(message)

const internal = (error: unknown): AppError => ({
  code: 'INTERNAL',
  message: `The engine failed: ${error instanceof Error ? error.message : String(error)}. This is a bug in Morphoscope.`,
  detail: error instanceof Error ? (error.stack ?? '') : '',
})

let engine: Promise<Engine> | undefined
const printer = new Printer(post)
const answering = new Answering()

async function start(message: Extract<ToEngine, { kind: 'start' }>): Promise<Engine> {
  const started = createEngine({
    ...message.settings,
    print: message.prints ? (page, signal) => printer.print(page, signal) : undefined,
    opening: async (project) => {
      post({ kind: 'opening', project })
      // It is on its way before the process is busy with the project.
      await new Promise<void>((resolve) => setImmediate(resolve))
    },
    log: (line) => post({ kind: 'log', line }),
  })
  started.onEvent((event) => post({ kind: 'event', event }))
  return started
}

let closing: Promise<void> | undefined
function close(): Promise<void> {
  closing ??= (async () => {
    try {
      await (await engine)?.close()
    } catch (error) {
      post({
        kind: 'log',
        line: { level: 'error', message: 'The engine did not close cleanly', detail: internal(error).detail ?? '' },
      })
    }
    // Native work that does not stop must not keep the process.
    process.exit(0)
  })()
  return closing
}

async function receive(message: ToEngine): Promise<void> {
  switch (message.kind) {
    case 'start': {
      if (engine) return
      engine = start(message)
      try {
        await engine
        post({ kind: 'ready' })
      } catch (error) {
        const { code, message: text } = error as { code?: AppError['code']; message?: string }
        post({ kind: 'failed', error: code && text ? { code, message: text } : internal(error) })
        // Leaves the message the time to go out.
        setTimeout(() => process.exit(1), 200)
      }
      return
    }
    case 'call': {
      const { id, name, arg } = message
      const signal = answering.begin(id)
      try {
        post({ kind: 'result', id, result: await (await engine)!.call(name, arg, signal) })
      } catch (error) {
        post({ kind: 'result', id, result: { ok: false, error: internal(error) } })
      } finally {
        answering.end(id)
      }
      return
    }
    case 'tile': {
      const { id, url } = message
      const signal = answering.begin(id)
      try {
        post({ kind: 'tile', id, reply: await (await engine)!.tile(url, signal) })
      } catch (error) {
        const body = new TextEncoder().encode(internal(error).message)
        post({ kind: 'tile', id, reply: { status: 500, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body } })
      } finally {
        answering.end(id)
      }
      return
    }
    case 'cancel':
      answering.cancel(message.id)
      return
    case 'printed':
      printer.answered(message.id, message.reply)
      return
    case 'close':
      await close()
  }
}

parent.onMessage((message) => void receive(message))
parent.onGone(() => void close())
// Ctrl+C reaches every process of the terminal; the parent decides when this one closes.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => void close())
for (const what of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(what, (error: unknown) => {
    post({
      kind: 'log',
      line: { level: 'error', message: `The engine's process ends: ${what}`, detail: internal(error).detail ?? '' },
    })
    setTimeout(() => process.exit(70), 200)
  })
}
