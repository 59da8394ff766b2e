// What the engine's process and its parent say to each other: structured clones over process IPC or Electron's message port.
import type { AppError, AppEvent, Result } from '../contract'
import type { EngineOptions } from '../../main/engine'

/** What can cross a process: everything but functions. */
export type EngineSettings = {
  [K in keyof EngineOptions as NonNullable<EngineOptions[K]> extends (...args: never[]) => unknown ? never : K]: EngineOptions[K]
}

export interface TileReply {
  status: number
  headers: Record<string, string>
  body: Uint8Array
}

/** A PDF, or why there is none. */
export interface PrintReply {
  body: Uint8Array
  problem: string | null
}

export type ToEngine =
  /** Comes first, once. */
  | { kind: 'start'; settings: EngineSettings; prints: boolean }
  | { kind: 'call'; id: number; name: string; arg: unknown }
  | { kind: 'tile'; id: number; url: string }
  /** Nobody waits for call or tile `id` any more; it is answered all the same, when its work has ended. */
  | { kind: 'cancel'; id: number }
  | { kind: 'printed'; id: number; reply: PrintReply }
  /** The process ends when its engine has. */
  | { kind: 'close' }

export interface LogLine {
  level: 'info' | 'warn' | 'error'
  message: string
  detail?: string
}

export type FromEngine =
  | { kind: 'ready' }
  /** The engine could not start, and would not the next time: the process ends. */
  | { kind: 'failed'; error: AppError }
  | { kind: 'result'; id: number; result: Result<unknown> }
  | { kind: 'tile'; id: number; reply: TileReply }
  | { kind: 'event'; event: AppEvent }
  /** Wants a PDF of this HTML page. */
  | { kind: 'print'; id: number; page: string }
  /** The project that is being opened from now on; null: none is. What ends the process meanwhile is that project's. */
  | { kind: 'opening'; project: string | null }
  | { kind: 'log'; line: LogLine }
