// Fifty disks, each of another size, that fill up while a process edits a document: it says so, and what was acknowledged is there. As root
// alone, who may mount; on Linux.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { builtEditor, holdsAcknowledged, type Acknowledged } from '../main/project/kills'
import { assetsDir, realEngine, sample } from '../main/realEngine'

const root = new URL('../..', import.meta.url).pathname
const disks = Number(process.env['DISKS'] ?? 50)

/** Edits until something fails. */
function edits(editor: string, settingsDir: string) {
  const { stdout, stderr, signal } = spawnSync(process.execPath, [editor, settingsDir, assetsDir, sample, '11'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
    maxBuffer: 2 ** 28,
  })
  const lines = stdout.split('\n').slice(0, -1)
  return { told: lines.map((line) => JSON.parse(line) as Acknowledged), stderr, signal }
}

async function reopened(settingsDir: string) {
  const engine = realEngine(settingsDir, { shell: 'serve' })
  try {
    return await engine.invoke('project:state', { slideId: null })
  } finally {
    await engine.close()
  }
}

it('a disk that is full says so, and loses nothing that was acknowledged', { timeout: 1_800_000 }, async () => {
  const editor = await builtEditor()
  const base = await mkdtemp(join(tmpdir(), 'full-'))
  let acknowledged = 0
  let opened = 0
  const said = new Map<string, number>()
  try {
    for (let disk = 0; disk < disks; disk++) {
      const settingsDir = join(base, `disk-${disk}`)
      const documents = join(settingsDir, 'documents')
      await mkdir(documents, { recursive: true })
      // The smallest has no room for a document, the largest for some hundred changes.
      const kib = 4 * Math.round(2 + 240 * (disk / disks) ** 2)
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', documents])
      try {
        const { told, stderr, signal } = edits(editor, settingsDir)
        // Whoever edits hears of it at once, in words.
        expect([kib, signal, stderr]).toEqual([kib, null, expect.stringMatching(/could not be written \(.*free space/)])
        const [, message = ''] = /written \((.*?)\)/.exec(stderr) ?? []
        said.set(message, (said.get(message) ?? 0) + 1)
        acknowledged += told.length
        // The first step may have been to take back what was not there.
        if (told.every(({ regions }) => regions.length === 0)) continue
        // As long as it is full the document may not open, which is said.
        const { recovered, trouble } = await reopened(settingsDir)
        if (recovered) opened += 1
        else expect([kib, trouble]).toEqual([kib, expect.stringMatching(/free space/)])
        execFileSync('mount', ['-o', 'remount,size=16m', documents])
        await holdsAcknowledged(settingsDir, told.at(-1)!, !recovered)
      } finally {
        execFileSync('umount', ['-l', documents])
      }
    }
    console.log(`${acknowledged} changes acknowledged before, ${opened} opened while it was full`, said)
    expect(acknowledged).toBeGreaterThan(100)
  } finally {
    await rm(base, { recursive: true, force: true })
    await rm(editor, { force: true })
  }
})
