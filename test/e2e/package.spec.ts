// The packed desktop app: what its binary no longer does for whoever starts it, and that it still opens a slide.
import { expect, test } from '@playwright/test'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findElectron, sandboxArgs } from '../../app/setup/electron.mjs'
import { pack, wrongFuses } from '../../app/setup/package.mjs'
import { processesBelow } from './processes'
import { sample, scratch, whyNot } from './shells'
import type { ShellName } from './shells'

let electron: string
let folder: string
let packed: string

test.beforeAll(async ({ browserName: _ }, { project }) => {
  const reason = await whyNot(project.name as ShellName)
  test.skip(reason !== null || process.platform !== 'linux', reason ?? 'what is packed here is for Linux')
  electron = (await findElectron()).path!
  folder = mkdtempSync(join(tmpdir(), 'morphoscope-package-'))
  packed = await pack([`-c.electronDist=${dirname(electron)}`], folder, { quiet: true })
})
test.afterAll(() => folder && rmSync(folder, { recursive: true, force: true }))

/** What a program says before it ends or is ended. */
function said(program: string, args: string[], env: Record<string, string>, withinMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)))
    const timer = setTimeout(() => child.kill('SIGKILL'), withinMs)
    child.on('error', reject)
    child.on('close', () => {
      clearTimeout(timer)
      resolve(text)
    })
  })
}

test('is no Node and takes no debugger', async () => {
  // The check itself finds fault: Electron as it comes has all of this on.
  expect(await wrongFuses(electron)).not.toEqual([])
  expect(await wrongFuses(packed)).toEqual([])
  const asNode = { ELECTRON_RUN_AS_NODE: '1' }
  const print = ['-p', '"as " + "node"']
  expect(await said(electron, print, asNode, 60_000)).toContain('as node')
  const hook = join(folder, 'hook.cjs')
  const mark = join(folder, 'hooked')
  writeFileSync(hook, `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`)
  const { folder: home, env } = scratch()
  const { args = [] } = sandboxArgs(packed)
  const hostile = { ...env, ...asNode, NODE_OPTIONS: `--require ${hook}` }
  const text = await said(packed, [...args, '--inspect=127.0.0.1:0', ...print], hostile, 8000)
  expect(text).not.toMatch(/as node|Debugger listening/)
  expect(existsSync(mark)).toBe(false)
  rmSync(home, { recursive: true, force: true })
})

test('opens a slide', async () => {
  const { folder: home, env } = scratch()
  const { args = [] } = sandboxArgs(packed)
  const app = spawn(packed, [...args, '--use-angle=swiftshader', '--enable-unsafe-swiftshader', sample], { env, stdio: 'ignore' })
  const ended = new Promise((resolve) => app.on('exit', resolve))
  try {
    // The page has asked, the engine has opened: both, and everything between, came out of the package.
    const recent = join(env['XDG_CONFIG_HOME']!, 'morphoscope', 'recent.json')
    await expect.poll(() => existsSync(recent) && readFileSync(recent, 'utf8').includes(sample)).toBe(true)
    expect(processesBelow(app.pid!, 'app.asar.unpacked')).toHaveLength(1)
  } finally {
    app.kill('SIGTERM')
    await ended
    rmSync(home, { recursive: true, force: true })
  }
})
