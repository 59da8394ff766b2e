// The engine as a process beside the window: a slide that kills it costs the work in flight, and the window stays.
import { utilityProcess } from 'electron'
import { constants } from 'node:os'
import type { EnginePort } from '../host/parent/engineClient'
import { pipeEngine } from '../host/parent/pipeEngine'
import { threadPool } from '../host/threadPool'
import { findNode } from './nodeProgram'
import { inLanguage } from './words'

// The engine itself never exits with these numbers.
const endings = ['SIGILL', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGKILL', 'SIGSEGV', 'SIGTERM'] as const

/** Electron gives a signal as its number, as if it were an exit code; the client knows signals by their names. */
export function howItEnded(code: number, platform = process.platform): string {
  const signal = platform === 'win32' ? undefined : endings.find((name) => constants.signals[name] === code)
  return signal ?? `exit code ${code}`
}

function utilityEngine(program: string): EnginePort {
  const child = utilityProcess.fork(program, [], {
    serviceName: 'Morphoscope engine',
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...threadPool, ...process.env },
  })
  return {
    post: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', (message) => listener(message as never)),
    onExit: (listener) => void child.once('exit', (code) => listener(howItEnded(code))),
    kill: () => void child.kill(),
    // Not known before the process has spawned.
    get pid() {
      return child.pid
    },
  }
}

/** Stands in for an engine that cannot be started: the client hears why, and tells it to every call. */
function noEngine(message: string): EnginePort {
  return {
    post: () => undefined,
    onMessage: (listener) =>
      void setImmediate(() => listener({ kind: 'failed', error: { code: 'NATIVE_UNAVAILABLE', message, ...inLanguage() } })),
    onExit: (listener) => void setImmediate(() => listener('exit code 0')),
    kill: () => undefined,
  }
}

/** `program`: dist/engine.mjs. */
export function hostEngine(program: string): EnginePort {
  if (process.platform !== 'linux') return utilityEngine(program)
  const found = findNode({
    override: process.env['MORPHOSCOPE_NODE'],
    resources: process.resourcesPath,
    path: process.env['PATH'],
  })
  return 'node' in found ? pipeEngine(program, found.node, threadPool) : noEngine(found.message)
}
