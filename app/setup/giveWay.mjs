// What is started later gives way to what was started before: a journey's window that waits for a core looks like a window that hangs.
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

const less = constants.priority.PRIORITY_BELOW_NORMAL
let gives = false

/** From now on this process and all that it starts have the lower priority. It cannot be taken back. */
export function giveWay() {
  gives = true
  setPriority(less)
}

export const givesWay = () => gives

/**
 * Linux shares its cores out among sessions first (sched_autogroup_enabled), and a priority counts only within one: the session of `leader` is
 * given the lower one too. Where there are no such groups nothing is to be told.
 */
export async function sessionGivesWay(leader, tries = 5) {
  if (process.platform !== 'linux') return
  try {
    writeFileSync(`/proc/${leader}/autogroup`, String(less))
  } catch (error) {
    // The kernel takes one such change in a tenth of a second.
    if (error.code !== 'EAGAIN' || tries === 0) return
    await wait(150)
    await sessionGivesWay(leader, tries - 1)
  }
}
