// The command's end of its line to the thin parent (guard.ts), where there is one: what it reads, and which signals the parent got.
import type { FromCommand, ToCommand } from './guard'

/** From now on a crash is this file's. */
export function nowReading(path: string): void {
  if (process.connected) process.send?.({ reading: path } satisfies FromCommand, () => undefined)
}

/** `gone`: the parent ended without a word, and nobody waits for this process. */
export function onParent(heard: (signal: ToCommand['signal']) => void, gone: () => void): void {
  if (!process.channel) return
  process.on('message', (message) => heard((message as ToCommand).signal))
  process.on('disconnect', gone)
  // What it is for does not keep the process.
  process.channel.unref()
}
