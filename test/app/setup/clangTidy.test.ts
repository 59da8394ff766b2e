// What clang-tidy is given and what becomes of what it says; it is asked itself where it is installed.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { clangTidy, findingsOf, groupsOf, whyNoClangTidy } from '../../../app/setup/clangTidy.mjs'
import { root } from '../../../app/setup/shell.mjs'

// Below the root, as findings in files elsewhere are not this project's; named as its sources are, for the filter of headers.
const folder = join(root, 'build', 'tidy-test', 'native')
mkdirSync(folder, { recursive: true })
afterAll(() => rmSync(join(root, 'build', 'tidy-test'), { recursive: true }))

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

test('files of a folder with the same flags are one group; launchers, outputs and other folders are not', () => {
  const compiled = (path: string, flags: string) => ({
    file: path,
    command: `ccache /usr/bin/c++ ${flags} -O3 -std=c++20 -o x.o -c ${path}`,
  })
  const groups = groupsOf(
    [
      compiled('/w/native/cpu/a.cpp', '-I/w -I/w/native'),
      compiled('/w/native/cpu/b.cpp', '-I/w -I/w/native'),
      compiled('/w/native/cpu/b.cpp', '-I/w -I/w/native'),
      compiled('/w/native/addon/c.cpp', '-DNAME=\\"text\\" -isystem /n -I/w'),
      compiled('/w/cuda/absent.cpp', '-I/w'),
      compiled('/w/native/kernel.cu', '-I/w'),
    ],
    '/w/native',
  )
  expect(groups).toEqual([
    { name: 'cpu', files: ['/w/native/cpu/a.cpp', '/w/native/cpu/b.cpp'], flags: ['-I/w', '-I/w/native', '-std=c++20'] },
    { name: 'addon', files: ['/w/native/addon/c.cpp'], flags: ['-DNAME="text"', '-isystem /n', '-I/w', '-std=c++20'] },
  ])
})

test('a finding is told with the lines that show it', () => {
  const text = 'a.cpp:1:2: error: one [x]\n  code\n  ^\nb.cpp:3:4: warning: two [y]\n  more\n'
  expect(findingsOf(`noise\n${text}`)).toEqual([
    'a.cpp:1:2: error: one [x]\n  code\n  ^\n',
    'b.cpp:3:4: warning: two [y]\n  more\n',
  ])
  expect(findingsOf('')).toEqual([])
})

test('where it is not, the reason is named', () => {
  expect(whyNoClangTidy({ tool: null })).toMatch(/not installed .*clang-tidy/)
  expect(whyNoClangTidy({ tool: process.execPath })).toMatch(/version/)
})

const missing = whyNoClangTidy({ commands: root })
describe.runIf(missing === null)(`clang-tidy (${missing ?? 'installed'})`, () => {
  test('finds what .clang-tidy asks for, in each of two files that cannot be read as one', async () => {
    const wrong = 'namespace { int size(const std::string& s) { return s.size() == 0 ? 1 : 0; } }\n'
    const group = (name: string, ...files: string[]) => ({ name, files, flags: ['-std=c++20'] })
    const [one, two, good] = ['one.cpp', 'two.cpp']
      .map((name) => file(name, `#include <string>\n${wrong}`))
      .concat(file('good.cpp', 'int four() { return 4; }\n'))
    const broken = file('broken.cpp', 'nonsense\n')
    const done = await clangTidy({
      groups: [group('t-pair', one!, two!), group('t-good', good!), group('t-broken', broken)],
      lanes: 2,
    })
    expect(done.unread).toEqual([broken])
    expect(
      done.findings.map((finding) => /native\/(\w+)\.cpp.*\[(readability-container-size-empty)/.exec(finding)?.slice(1)),
    ).toEqual([
      ['one', 'readability-container-size-empty'],
      ['two', 'readability-container-size-empty'],
    ])
  }, 300_000)
})
