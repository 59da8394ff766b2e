// One program at a time changes a file that several share: a lock beside it, made whole or not at all, which a program that was killed leaves to the next.
import { randomBytes } from 'node:crypto'
import { link, lstat, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { host, startOf } from './process'

/** Reading and writing the file takes milliseconds. */
const waitMs = 5
/** Who holds it on another machine, or left it without a name, is not waited for longer. */
const mostMs = 2000

/**
 * The lock is a name for a file that says who holds it: a link, so that it is never there without its words. Who cannot make one, where the
 * folder takes no links above all, works without. Throws what `work` throws.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`
  const own = `${lock}-${randomBytes(6).toString('hex')}`
  const held = await taken(lock, own)
  try {
    return await work()
  } finally {
    if (held) await rm(lock, { force: true }).catch(() => undefined)
  }
}

async function taken(lock: string, own: string): Promise<boolean> {
  try {
    await writeFile(own, `${host} ${process.pid} ${startOf(process.pid) ?? 0} ${own}`, { mode: 0o600, flag: 'wx' })
    for (const begun = performance.now(); ;) {
      const why = await link(own, lock).then(
        () => null,
        ({ code }: NodeJS.ErrnoException) => code,
      )
      if (why === null) return true
      const late = performance.now() - begun > mostMs
      const holder = why === 'EEXIST' ? await holderOf(lock) : null
      if (why !== 'EEXIST' || (late && holder === null)) return false
      if (holder !== null && (late || hasEnded(holder))) await takeAway(lock, own, holder)
      else await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  } catch {
    return false
  } finally {
    await rm(own, { force: true }).catch(() => undefined)
  }
}

/** null: it has just gone, or is no lock of ours. */
async function holderOf(lock: string): Promise<string | null> {
  try {
    return (await lstat(lock)).isFile() ? await readFile(lock, 'latin1') : null
  } catch {
    return null
  }
}

function hasEnded(holder: string): boolean {
  const [machine, pid, start] = holder.split(' ')
  return machine === host && startOf(Number(pid)) !== Number(start)
}

/** Another may have taken it away meanwhile, and made its own: that one is put back. */
async function takeAway(lock: string, own: string, holder: string): Promise<void> {
  const away = `${own}-away`
  await rename(lock, away).catch(() => undefined)
  if ((await holderOf(away)) !== holder) await link(away, lock).catch(() => undefined)
  await rm(away, { force: true })
}
