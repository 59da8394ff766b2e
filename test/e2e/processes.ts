// Which processes a program has started, by what stands in their command lines (Linux).
import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Processes below `parent` whose command line holds `text` (Linux). */
export function processesBelow(parent: number, text: string): number[] {
  const found: number[] = []
  const parents = new Map<number, number>()
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      parents.set(Number(entry), Number(/\) \S (\d+) /.exec(readFileSync(`/proc/${entry}/stat`, 'utf8'))?.[1]))
    } catch {
      // It ended while the list was read.
    }
  }
  for (const pid of parents.keys()) {
    let above = parents.get(pid)
    while (above && above !== parent) above = parents.get(above)
    if (above !== parent) continue
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)) found.push(pid)
    } catch {
      // As above.
    }
  }
  return found
}

export function serverUrl(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const take = (chunk: unknown) => {
      text += String(chunk)
      const url = /http:\/\/\S+/.exec(text)?.[0]
      if (url) resolve(url)
    }
    server.stdout?.on('data', take)
    server.stderr?.on('data', take)
    server.on('exit', (code) => reject(new Error(`morphoscope serve ended with code ${code}: ${text}`)))
  })
}
