// Starts the engine's process under plain Node; Electron starts its own in app/desktop.
import { fork } from 'node:child_process'
import { onChildEnd } from './childEnd'
import type { EnginePort } from './engineClient'
import { threadPool } from '../threadPool'

/** `program`: dist/engine.mjs. */
export function forkEngine(program: string): EnginePort {
  const child = fork(program, [], {
    // Keeps Uint8Array as it is: pixels are not written as JSON.
    serialization: 'advanced',
    // Standard output belongs to the shell's results.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...threadPool, ...process.env },
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
