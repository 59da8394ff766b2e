// The packed desktop app: what its binary no longer does for whoever starts it, and that it opens and segments with no Node but its own.
import { expect, test } from '@playwright/test'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findElectron, sandboxArgs } from '../../../app/setup/electron.mjs'
import { whyNoNode } from '../../../app/package/nodeInside.mjs'
import { pack, wrongFuses } from '../../../app/package/pack.mjs'
import { processesBelow } from '../processes'
import { sample, scratch, whyNot } from '../shells'
import type { ShellName } from '../shells'

let electron: string
let folder: string
let packed: string

test.beforeAll(async ({ browserName: _ }, { project }) => {
  const reason = await whyNot(project.name as ShellName)
  test.skip(reason !== null || process.platform !== 'linux', reason ?? 'what is packed here is for Linux')
  const noNode = await whyNoNode()
  test.skip(noNode !== null, noNode ?? '')
  electron = (await findElectron()).path!
  folder = mkdtempSync(join(tmpdir(), 'morphoscope-package-'))
  packed = await pack([], folder)
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

/** No Node lies in it. */
const emptyPath = { PATH: '/nowhere' }

test('segments on the command line', async () => {
  const { folder: home, env } = scratch()
  const resources = join(dirname(packed), 'resources')
  const node = join(resources, 'node')
  const program = join(resources, 'app.asar.unpacked', 'app', 'cli', 'morphoscope.cjs')
  const out = join(home, 'out')
  const run = [program, 'run', sample, '--region', '600,900,512,512', '--out', out, '--files', 'objects.csv']
  const text = await said(node, run, { ...env, ...emptyPath }, 60_000)
  expect(existsSync(join(out, 'objects.csv')), text).toBe(true)
  expect(readFileSync(join(out, 'objects.csv'), 'utf8').split('\n').length).toBeGreaterThan(20)
  // The Node of the package is in its own list.
  expect(await said(node, [program, 'licences', 'node-linux'], { ...env, ...emptyPath }, 30_000)).toContain('Node.js is licensed')
  rmSync(home, { recursive: true, force: true })
})

test('opens a slide', async () => {
  const { folder: home, env: own } = scratch()
  const env: Record<string, string> = { ...own, ...emptyPath }
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
