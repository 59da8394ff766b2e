// Nothing is installed with sudo that a person has not agreed to, and whoever cannot be asked gets the command.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { adviceFor, needs, reasonsFor } from '../../../app/setup/needs.mjs'
import { root } from '../../../app/setup/shell.mjs'
import { whatIsMissing, whatToDo } from '../../../app/setup/systemPackages.mjs'

const named = (...whats: string[]) => whats.map((what) => needs.find((need) => need.what === what)!)
const compiler = named('cmake', 'a C++20 compiler')
const user = { missing: compiler, apt: true, root: false, sudo: true, terminal: true, yes: false, declined: [] }

it('asks before sudo, and only somebody who can answer', () => {
  expect(whatToDo(user)).toBe('ask')
  expect(whatToDo({ ...user, terminal: false })).toBe('advise')
  expect(whatToDo({ ...user, terminal: false, yes: true })).toBe('install')
  expect(whatToDo({ ...user, sudo: false })).toBe('advise')
  expect(whatToDo({ ...user, root: true, sudo: false, terminal: false })).toBe('install')
  expect(whatToDo({ ...user, root: true, apt: false })).toBe('advise')
})

it('does not ask again for what nobody wanted and the app runs without', () => {
  const optional = { ...user, missing: named('the OpenSlide library'), declined: ['the OpenSlide library'] }
  expect(whatToDo(optional)).toBe('advise')
  expect(whatToDo({ ...optional, declined: [] })).toBe('ask')
  // Required: without it there is no start at all.
  expect(whatToDo({ ...user, declined: ['cmake', 'a C++20 compiler'] })).toBe('ask')
})

it('says what each package is for, the required ones first', () => {
  expect(reasonsFor(named('clang-tidy', 'the OpenSlide library', 'cmake', 'make'))).toBe(
    [
      '  required: cmake, make (builds the native engine)',
      '  to open slides: the OpenSlide library (reads whole-slide images)',
      '  for the tests: clang-tidy (finds bugs in C++ by reading it)',
    ].join('\n'),
  )
})

it('has a command for what is required alone, where that is not all', () => {
  expect(whatIsMissing(named('cmake'))).toMatch(/\n {2}To install them: .*cmake$/)
  const both = whatIsMissing(named('cmake', 'the OpenSlide library')).split('\n')
  expect(both.at(-2)).toMatch(/^ {2}To install all of them: .*cmake \S*openslide/)
  expect(both.at(-1)).toMatch(/^ {2}To install the required ones alone: .*cmake$/)
})

it.skipIf(process.platform !== 'linux')('gives the command of the package manager that is here', () => {
  const bin = mkdtempSync(join(tmpdir(), 'morphoscope-bin-'))
  const path = process.env.PATH
  try {
    writeFileSync(join(bin, 'apt-get'), '')
    process.env.PATH = bin
    const asRoot = process.getuid?.() === 0 ? '' : 'as root: '
    expect(adviceFor(compiler)).toBe(`${asRoot}apt-get update && apt-get install -y cmake g++`)
    writeFileSync(join(bin, 'sudo'), '')
    const sudo = asRoot === '' ? '' : 'sudo '
    expect(adviceFor(compiler)).toBe(`${sudo}apt-get update && ${sudo}apt-get install -y cmake g++`)
    // Debian's name, where apt knows no other.
    expect(adviceFor(named('TurboJPEG'))).toMatch(/ libturbojpeg0$/)
    const known = 'libturbojpeg:\\n  Installed: (none)\\n  Candidate: 2.1.2\\n'
    writeFileSync(join(bin, 'apt-cache'), `#!/bin/sh\nprintf '${known}'\n`, { mode: 0o755 })
    expect(adviceFor(named('TurboJPEG'))).toMatch(/ libturbojpeg$/)
  } finally {
    process.env.PATH = path
    rmSync(bin, { recursive: true })
  }
})

it.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'a user without a terminal gets the command and a failure, and sudo is not called',
  () => {
    const bin = mkdtempSync(join(tmpdir(), 'morphoscope-bin-'))
    try {
      // What a machine without a compiler has.
      symlinkSync(process.execPath, join(bin, 'node'))
      for (const name of ['apt-get', 'sudo']) writeFileSync(join(bin, name), '#!/bin/sh\necho called >&2; exit 9\n')
      for (const name of ['apt-get', 'sudo']) chmodSync(join(bin, name), 0o755)
      chmodSync(bin, 0o755)
      const module = JSON.stringify(join(root, 'app', 'setup', 'systemPackages.mjs'))
      const code = `const { installSystemPackages } = await import(${module})
        process.setuid(65534)
        await installSystemPackages({ tests: false, yes: false }).catch(({ message }) => {
          console.log(message)
          process.exitCode = 1
        })`
      const done = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
        env: { PATH: bin },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      expect(done.status).toBe(1)
      expect(done.stderr).toBe('')
      expect(done.stdout).toContain('  required: cmake, a C++20 compiler, make (builds the native engine)\n')
      expect(done.stdout).toContain('To install them: sudo apt-get update && sudo apt-get install -y cmake g++ make')
      expect(done.stdout).toContain('Then start this command again.')
    } finally {
      rmSync(bin, { recursive: true })
    }
  },
)
