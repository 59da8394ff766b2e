// How cmake-js is asked to build the addon: with npm's headers, and without a download.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../../app/setup/shell.mjs'

const tool = join(root, 'node_modules', 'cmake-js', 'bin', 'cmake-js')

test('cmake-js takes the headers that npm brought, and asks nobody for others', () => {
  const home = mkdtempSync(join(tmpdir(), 'morphoscope-cmake-js-'))
  try {
    // A proxy that nobody is: a download would fail, and what was downloaded would lie in the home folder.
    const env = {
      ...process.env,
      HOME: home,
      USERPROFILE: home,
      https_proxy: 'http://127.0.0.1:9',
      HTTPS_PROXY: 'http://127.0.0.1:9',
    }
    const done = spawnSync(process.execPath, [tool, 'print-configure', '--directory', 'native', '--out', home], {
      cwd: root,
      env,
      encoding: 'utf8',
    })
    expect(done.status, done.stderr).toBe(0)
    const headers = /-DCMAKE_JS_INC=([^'"]*)/
      .exec(done.stdout)?.[1]
      ?.split(';')
      .map((path) => resolve(path))
    expect(headers).toEqual(['node-api-headers/include', 'node-addon-api'].map((path) => resolve(root, 'node_modules', path)))
    expect(existsSync(join(home, '.cmake-js'))).toBe(false)
  } finally {
    rmSync(home, { recursive: true })
  }
})
