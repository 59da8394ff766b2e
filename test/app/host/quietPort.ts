// An engine's process that does nothing by itself, for tests of its parent.
import type { EnginePort } from '../../../app/host/parent/engineClient'
import type { FromEngine, ToEngine } from '../../../app/host/messages'

/** A port that does nothing by itself. */
export function quietPort(): {
  port: EnginePort
  exit: (how: string) => void
  say: (message: FromEngine) => void
  heard: ToEngine[]
} {
  let onExit = (_how: string): void => undefined
  let onMessage = (_message: FromEngine): void => undefined
  const heard: ToEngine[] = []
  return {
    port: {
      post: (message) => void heard.push(message),
      onMessage: (listener) => void (onMessage = listener),
      onExit: (listener) => void (onExit = listener),
      kill: () => undefined,
    },
    exit: (how) => onExit(how),
    say: (message) => onMessage(message),
    heard,
  }
}
