// Who writes a file, as its name says it: this machine, a process, and when that began, so that a living writer is told from a dead one.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Ended, though its parent has not asked how: in a container without an init process it stays so for ever. */
const endedStates = ['Z', 'X', 'x']

/**
 * When a process began, in the system's ticks: numbers of processes come again. 0 where the system does not say, null: it is not there, or it has
 * ended and its parent has not taken notice (a zombie).
 */
export function startOf(pid: number): number | null {
  try {
    if (process.platform === 'linux') {
      const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
      // The program's name stands in parentheses, and may hold any others.
      const [state = '', ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ')
      return endedStates.includes(state) ? null : Number(fields[18])
    }
    process.kill(pid, 0)
    return 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 0 : null
  }
}

/** Stands for the machine's name, which is nobody's business. */
export const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
