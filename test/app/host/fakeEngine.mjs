// A child that speaks the engine's protocol and does as the tests tell it; plain JavaScript, so that fork needs no build.
import { appendFileSync } from 'node:fs'

process.on('SIGINT', () => undefined)
process.on('message', (message) => {
  switch (message.kind) {
    case 'start':
      if (message.settings.version === 'broken') {
        process.send({ kind: 'failed', error: { code: 'NATIVE_UNAVAILABLE', message: 'no addon' } })
        setTimeout(() => process.exit(1), 50)
      } else if (message.settings.version === 'dies') process.exit(9)
      else process.send({ kind: 'ready' })
      break
    case 'call':
      if (message.name === 'app:info')
        process.send({ kind: 'result', id: message.id, result: { ok: true, value: { pid: process.pid, arg: message.arg } } })
      if (message.name === 'recent:list') process.send({ kind: 'event', event: { type: 'command', command: 'hello' } })
      if (message.name === 'settings:get') process.exit(3)
      // Opens whatever it is told, and dies of what calls itself a signal.
      if (message.name === 'slide:open' && message.arg.path) {
        const signal = /SIG[A-Z]+/.exec(message.arg.path)?.[0]
        if (signal) process.kill(process.pid, signal)
        else process.send({ kind: 'result', id: message.id, result: { ok: true, value: { slideId: 's1' } } })
      }
      // The same with a project, of which it says that it opens it.
      if (message.name === 'project:open') {
        process.send({ kind: 'opening', project: message.arg.path })
        const signal = /SIG[A-Z]+/.exec(message.arg.path)?.[0]
        if (signal) process.kill(process.pid, signal)
        process.send({ kind: 'opening', project: null })
        process.send({ kind: 'result', id: message.id, result: { ok: true, value: null } })
      }
      if (message.name === 'run:status') process.send({ kind: 'event', event: message.arg })
      // An engine that knows no such call.
      if (message.name === 'run:list')
        process.send({
          kind: 'result',
          id: message.id,
          result: { ok: false, error: { code: 'INVALID_PARAMETER', message: 'no' } },
        })
      if (message.name === 'export:start')
        process.send({ kind: 'result', id: message.id, result: { ok: true, value: { cancelled: false } } })
      if (message.name === 'object:at')
        process.send({ kind: 'result', id: message.id, result: { ok: false, error: { code: 'GPU_LOST', message: 'poisoned' } } })
      if (message.name === 'slide:close') process.send({ kind: 'print', id: 7, page: message.arg.page })
      if (message.name === 'recent:clear') process.send({ kind: 'log', line: { level: 'warn', message: 'careful' } })
      break
    case 'tile':
      process.send({
        kind: 'tile',
        id: message.id,
        reply: { status: 200, headers: { a: 'b' }, body: new Uint8Array([1, 2, 255]) },
      })
      break
    case 'printed':
      process.send({ kind: 'log', line: { level: 'info', message: message.reply.problem ?? String(message.reply.body) } })
      break
    case 'cancel':
      process.send({ kind: 'result', id: message.id, result: { ok: false, error: { code: 'CANCELLED', message: 'stopped' } } })
      break
    case 'close':
      if (process.env.FAKE_ENGINE_LOG) appendFileSync(process.env.FAKE_ENGINE_LOG, 'closed')
      if (!process.env.FAKE_ENGINE_DEAF) process.exit(0)
  }
})
process.on('disconnect', () => process.exit(0))
