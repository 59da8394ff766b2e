// Starts the engine's process under a Node that is not the one that starts it: framed messages over a pipe of its own.
import { spawn } from 'node:child_process'
import type { Duplex } from 'node:stream'
import { onChildEnd } from './childEnd'
import type { EnginePort } from './engineClient'
import { encodeFrame, FrameReader, pipeFlag } from '../frames'
import type { FromEngine } from '../messages'

/** `program`: dist/engine.mjs; `node`: the Node to run it. */
export function pipeEngine(program: string, node: string, env: Record<string, string> = {}): EnginePort {
  const child = spawn(node, [program, pipeFlag], {
    // The fourth is the pipe that the child knows as descriptor 3.
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    env: { ...env, ...process.env },
  })
  const pipe = child.stdio[3] as Duplex
  const listeners: ((message: FromEngine) => void)[] = []
  const reader = new FrameReader((message) => {
    for (const listener of listeners) listener(message as FromEngine)
  })
  pipe.on('data', (chunk: Buffer) => {
    try {
      reader.push(chunk)
    } catch (error) {
      console.error('The engine sent what is no message:', error)
      child.kill('SIGKILL')
    }
  })
  // The process's end is told by its own event; what was still to be written then has no reader.
  pipe.on('error', () => undefined)
  return {
    post: (message) => void (pipe.writable && pipe.write(encodeFrame(message))),
    onMessage: (listener) => void listeners.push(listener),
    onExit: (listener) => onChildEnd(child, listener),
    kill: () => void child.kill('SIGKILL'),
    pid: child.pid,
  }
}
