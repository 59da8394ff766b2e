// Which Electron is found, and that one other than package.json names is told.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findElectron, otherElectron } from '../../../app/setup/electron.mjs'
import { root } from '../../../app/setup/shell.mjs'

const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  devDependencies: { electron: string }
}
const binary = { darwin: 'Electron.app', win32: 'electron.exe' }[process.platform as string] ?? 'electron'
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'morphoscope-electron-'))
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

it.skipIf(process.platform === 'darwin')('is the one of the given folder, with its own version', async () => {
  writeFileSync(join(folder, binary), '')
  writeFileSync(join(folder, 'version'), 'v41.0.3\n')
  const found = await findElectron()
  expect(found).toEqual({ path: join(folder, binary), version: '41.0.3' })
  expect(otherElectron(found)).toBe(`Electron 41.0.3 is used where package.json names ${devDependencies.electron}`)
})

it.skipIf(process.platform === 'darwin')('counts as the named one where its folder names no version', async () => {
  writeFileSync(join(folder, binary), '')
  const found = await findElectron()
  expect(found.version).toBe(devDependencies.electron)
  expect(otherElectron(found)).toBeNull()
})

it('is missing where the given folder has none, and no version is told', async () => {
  const found = await findElectron()
  expect(found.reason).toContain(`ELECTRON_OVERRIDE_DIST_PATH is ${folder}, and there is no`)
  expect(otherElectron(found)).toBeNull()
})
