// Kills a process that edits, at a random moment, and looks at what is there afterwards: used by the tests and, 200 times, by test/stress.
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { builtScript } from '../../built'
import { assetsDir, realEngine, sample } from '../realEngine'

const root = new URL('../../..', import.meta.url).pathname

/** The editor as one file that Node runs as it is. */
export const builtEditor = (): Promise<string> => builtScript('test/main/project/editor.ts')

export interface Acknowledged {
  readonly n: number
  readonly regions: [string, number][]
}

/** Of each editor, however slow the machine is. */
const leastChanges = 6

/**
 * `times` kills of editors that go on with one document, each in the next change or two after 6 to `most` that were acknowledged. Returns how
 * many were.
 */
export async function killEditors(editor: string, times: number, random: () => number = Math.random, most = 30): Promise<number> {
  const settingsDir = await mkdtemp(join(tmpdir(), 'kills-'))
  let acknowledged = 0
  try {
    for (let time = 0; time < times; time++) {
      const child = spawn(
        process.execPath,
        [editor, settingsDir, assetsDir, sample, String(1 + Math.floor(random() * 2 ** 30))],
        {
          cwd: root,
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      )
      let text = ''
      let complaints = ''
      child.stderr.on('data', (chunk) => (complaints += String(chunk)))
      const changes = leastChanges + Math.floor((most - leastChanges + 1) * random())
      await new Promise<void>((resolve, reject) => {
        let seen = 0
        child.once('exit', () => reject(new Error(`the editor ended by itself: ${complaints}`)))
        child.stdout.on('data', (chunk) => {
          text += String(chunk)
          const before = seen
          seen += String(chunk).split('\n').length - 1
          if (before >= changes || seen < changes) return
          // At any moment of a change: one takes some 3 ms.
          setTimeout(() => {
            child.removeAllListeners('exit')
            // With all that it had written read.
            child.once('close', () => resolve())
            child.kill('SIGKILL')
          }, 6 * random())
        })
      })
      const lines = text.split('\n').slice(0, -1)
      const last = JSON.parse(lines.at(-1)!) as Acknowledged
      acknowledged += lines.length
      await holdsAcknowledged(settingsDir, last)
    }
  } finally {
    await rm(settingsDir, { recursive: true, force: true })
  }
  return acknowledged
}

/** The document opens (`recovered`: as one that nobody had closed), and is what it was after the last acknowledged change, or after the one that was under way. */
export async function holdsAcknowledged(settingsDir: string, { regions }: Acknowledged, recovered = true): Promise<void> {
  const engine = realEngine(settingsDir, { shell: 'serve' })
  try {
    const { slideId } = await engine.invoke('slide:open', { path: sample })
    const state = await engine.invoke('project:state', { slideId })
    expect(state.recovered).toBe(recovered)
    expect(state.trouble).toBeNull()
    // It was one document all the time.
    expect(await readdir(join(settingsDir, 'documents'))).toHaveLength(1)
    const found = new Map(state.regions.map(({ id, shape }) => [id, shape.kind === 'rectangle' ? shape.x : -1]))
    const differs = new Set([...found.keys(), ...regions.map(([id]) => id)])
    for (const [id, x] of regions) if (found.get(id) === x) differs.delete(id)
    // A change is one region: the one that was under way may be there or not.
    expect(differs.size).toBeLessThanOrEqual(1)
  } finally {
    await engine.close()
  }
}
