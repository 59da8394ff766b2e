// Who writes a file, as its name says it: this machine, a process, and when that began, so that a living writer is told from a dead one.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** When a process began, in the system's ticks: numbers of processes come again. 0 where the system does not say, null: it is not there. */
export function startOf(pid: number): number | null {
  try {
    if (process.platform === 'linux') {
      const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
      return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[19])
    }
    process.kill(pid, 0)
    return 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 0 : null
  }
}

/** Stands for the machine's name, which is nobody's business. */
export const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
