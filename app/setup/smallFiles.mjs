// Where tests that write thousands of small files write them.
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Of what was measured they hold 5 MB at a time. */
const enough = 2 ** 30

/** A folder in memory, where this system has one with room: a disk took the tests of Zarr six times as long. Else the usual one. */
export function smallFilesFolder(memory = '/dev/shm') {
  try {
    const { bsize, bavail } = statfsSync(memory)
    return bsize * bavail >= enough ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}
