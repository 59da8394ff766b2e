// Folders of our own in the system's place for working files: each says whose it is, so that what a killed process left is taken away.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { host, startOf } from '../../base/process'
import { tryTo } from '../lock'

const swept = new Set<string>()

/** A fresh one. `kind`: what its name says that it is of. */
export function ownFolder(kind: string): string {
  const prefix = `morphoscope-${kind}-${host}-`
  if (!swept.has(prefix)) {
    swept.add(prefix)
    sweep(prefix)
  }
  return mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-${startOf(process.pid) ?? 0}-`))
}

/** What processes that were killed have left. */
function sweep(prefix: string): void {
  tryTo(() => {
    for (const name of readdirSync(tmpdir())) {
      if (!name.startsWith(prefix)) continue
      const [pid, start] = name.slice(prefix.length).split('-')
      const isOurs = startOf(Number(pid)) === Number(start)
      if (!isOurs) tryTo(() => rmSync(join(tmpdir(), name), { recursive: true, force: true }))
    }
  })
}
