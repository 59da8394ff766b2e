// Starts the engine's process under plain Node; Electron starts its own in app/desktop.
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { onChildEnd } from './childEnd'
import type { EnginePort } from './engineClient'

/** `program`: dist/engine.mjs. */
export function forkEngine(program: string): EnginePort {
  const child = fork(program, [], {
    // Keeps Uint8Array as it is: pixels are not written as JSON.
    serialization: 'advanced',
    // Standard output belongs to the shell's results.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Native windows take a thread of Node's pool each; tiles and files must not wait behind them. The pool reads this as it starts.
    env: { UV_THREADPOOL_SIZE: String(availableParallelism() + 4), ...process.env },
    // A debugger's port cannot be shared.
    execArgv: process.execArgv.filter((arg) => !arg.startsWith('--inspect')),
  })
  return {
    post: (message) => void (child.connected && child.send(message, () => undefined)),
    onMessage: (listener) => void child.on('message', (message) => listener(message as never)),
    onExit: (listener) => onChildEnd(child, listener),
    kill: () => void child.kill('SIGKILL'),
    pid: child.pid,
  }
}
