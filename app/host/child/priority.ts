// The engine's threads that compute come after the window's, and after the engine's own JavaScript, which answers the window.
import { readdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'

const behind = constants.priority.PRIORITY_BELOW_NORMAL

/**
 * A run keeps every core busy: the window, which needs little, must not wait for its turn. Where the system does not allow it, the window
 * is less smooth during runs, and nothing else changes.
 */
export async function computeBehindTheWindow(): Promise<void> {
  try {
    if (process.platform !== 'linux') return setPriority(behind)
    // Linux takes a process's number for its first thread alone, the one with JavaScript; the pool's threads, which compute, and what they
    // start have been there since the first file was read, all of them at once.
    await stat('.')
    for (const thread of readdirSync('/proc/self/task')) if (Number(thread) !== process.pid) setPriority(Number(thread), behind)
  } catch {
    // See above.
  }
}
