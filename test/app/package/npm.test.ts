// The npm packages of the command line: what they ask for, and that the addon is found where npm puts it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { engineName, manifests } from '../../../app/package/npm.mjs'
import { root } from '../../../app/setup/shell.mjs'
import { addonCandidates } from '../../../native/index'

const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string; dependencies: object }
const [program, engine, other] = manifests(own, ['linux-x64', 'win32-x64'])

test('the command line asks for what its bundles leave out, and for the addon of its own version', () => {
  const external = /external: \[([^\]]*)\]/.exec(readFileSync(join(root, 'app', 'setup', 'build.mjs'), 'utf8'))![1]!
  const left = [...external.matchAll(/'([^']+)'/g)]
    .map(([, name]) => name!)
    .filter((name) => !['electron', '*.node'].includes(name))
  expect(Object.keys(program.dependencies!).sort()).toEqual(left.sort())
  expect(own.dependencies).toMatchObject(program.dependencies!)
  expect(program.optionalDependencies).toEqual({ [engine!.name]: own.version, [other!.name]: own.version })
  expect(program.man).toEqual(['share/man/man1/morphoscope.1'])
  expect(program).not.toHaveProperty('private')
  expect(program).not.toHaveProperty('scripts')
  expect(engine).toMatchObject({ version: own.version, os: ['linux'], cpu: ['x64'], libc: ['glibc'] })
  expect(other).toMatchObject({ name: '@morphoscope/engine-win32-x64', os: ['win32'], cpu: ['x64'] })
  expect(other).not.toHaveProperty('libc')
})

test('the addon is looked for where npm puts its package: inside the command line’s, or beside it', () => {
  const end = join('node_modules', ...engineName().split('/'), 'morphoscope.node')
  const found = addonCandidates().filter((path) => path.endsWith(end))
  expect(found).toContain(join(root, end))
  expect(found.length).toBeGreaterThan(1)
})
