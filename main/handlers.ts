// What answers the calls of the engine: one function each, with the contract's types.
import type { calls, CallName, CallValue, shellCalls } from '../app/contract'

type ShellCall = (typeof shellCalls)[number]
export type EngineCall = Exclude<CallName, ShellCall>

/**
 * `signal` says that nobody waits for the answer any more, which is no wish to undo: calls whose effect outlives their caller (run:start,
 * export:start, what writes a file) do not listen to it, and are stopped by their own calls. project:import listens until it changes anything.
 */
export type Handlers = {
  [N in EngineCall]: (arg: ReturnType<(typeof calls)[N]['arg']['parse']>, signal: AbortSignal) => Promise<CallValue<N>>
}
