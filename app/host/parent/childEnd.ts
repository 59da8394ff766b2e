// How a child process ended, told once: Node may report a failed start and an exit, in either order.
import type { ChildProcess } from 'node:child_process'

/** `how` is a signal's name, an exit code in words, or why it did not start. */
export function onChildEnd(child: ChildProcess, listener: (how: string) => void): void {
  let told = false
  const tell = (how: string): void => {
    if (told) return
    told = true
    listener(how)
  }
  child.on('exit', (code, signal) => tell(signal ?? `exit code ${code ?? 'unknown'}`))
  child.on('error', (error) => tell(error.message))
}
