// What answers the calls of the engine: one function each, with the contract's types.
import type { CallName, Calls, CallValue, CancellableCall, ShellCall } from '../app/contract'

export type EngineCall = Exclude<CallName, ShellCall>
type Arg<N extends CallName> = ReturnType<Calls[N]['arg']['parse']>

/**
 * `signal` says that nobody waits for the answer any more, which is no wish to undo: calls whose effect outlives their caller (run:start,
 * export:start, what writes a file) do not hear of it, and are stopped by their own calls. The contract says which these are
 * (app/contract/calls/callTraits.ts). project:import listens until all of it is written.
 */
export type Handlers = {
  [N in EngineCall]: N extends CancellableCall
    ? (arg: Arg<N>, signal: AbortSignal) => Promise<CallValue<N>>
    : (arg: Arg<N>) => Promise<CallValue<N>>
}
