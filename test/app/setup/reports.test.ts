// The readers behind the last line of `npm test`: a failure or a skip that they miss would be reported by nobody.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { countEmulated, readGTest, readPlaywright, sanitizerFindings, verdict } from '../../../app/setup/reports.mjs'
import { whyNoEmulation } from '../../../app/setup/emulate.mjs'
import { countSanitized, whyNoSanitizer } from '../../../app/setup/sanitize.mjs'
import { countAddon } from '../../../app/setup/sanitizeAddon.mjs'

const folder = mkdtempSync(join(tmpdir(), 'morphoscope-reports-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

test('GTest: passed, failed, skipped with its reason, disabled', () => {
  const path = file(
    'gtest.xml',
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="4" failures="1" disabled="1" errors="0" time="0" name="AllTests">
  <testsuite name="Label" tests="4" failures="1" disabled="1" skipped="1" errors="0" time="0">
    <testcase name="one" file="t.cpp" line="1" status="run" result="completed" time="0" classname="Label" />
    <testcase name="two/3" value_param="8 &lt; 9" status="run" result="completed" time="0" classname="Label">
      <failure message="t.cpp:3&#x0A;Expected equality" type=""><![CDATA[t.cpp:3]]></failure>
    </testcase>
    <testcase name="three" status="run" result="skipped" time="0" classname="Label">
      <skipped message="t.cpp:9&#x0A;OpenSlide is &quot;absent&quot;" />
    </testcase>
    <testcase name="DISABLED_four" status="notrun" result="suppressed" time="0" classname="Label" />
  </testsuite>
</testsuites>`,
  )
  expect(readGTest(path)).toEqual({
    passed: 1,
    failed: 1,
    failures: ['C++ Label.two/3'],
    skipped: [
      { name: 'C++ Label.three', reason: 'OpenSlide is "absent"' },
      { name: 'C++ Label.DISABLED_four', reason: 'disabled in the source' },
    ],
    unsteady: [],
  })
})

test('Playwright: suites in suites, skips with their reason, what passed at the second try only, errors outside a test', () => {
  const spec = (title: string, status: string, annotations: object[] = []) => ({
    title,
    tests: [{ projectName: 'electron', status, annotations }],
  })
  const path = file(
    'playwright.json',
    JSON.stringify({
      suites: [
        {
          title: 'journeys.spec.ts',
          specs: [spec('opens', 'expected')],
          suites: [
            {
              title: 'runs',
              specs: [
                spec('cancels', 'unexpected'),
                spec('dies', 'flaky'),
                spec('draws', 'skipped', [{ type: 'skip', description: 'no Electron' }]),
              ],
            },
          ],
        },
      ],
      errors: [{ message: 'worker ended\nstack' }],
    }),
  )
  expect(readPlaywright(path)).toEqual({
    passed: 2,
    failed: 2,
    failures: ['e2e electron › runs › cancels', 'e2e: worker ended'],
    skipped: [{ name: 'e2e electron › runs › draws', reason: 'no Electron' }],
    unsteady: ['e2e electron › runs › dies'],
  })
})

test('npm test: a pass at the second try is told and counted, and more than two of them fail', () => {
  const after = (...unsteady: string[]) =>
    verdict({ passed: 9, failed: 0, failures: [], skipped: [{ name: 'x', reason: 'no GTest' }], unsteady })
  expect(after('a', 'b')).toEqual({
    lines: [
      'skipped: x: no GTest',
      'passed at the second try only: a',
      'passed at the second try only: b',
      '2 passed at the second try only',
      '9 passed, 0 failed, 1 skipped',
    ],
    code: 0,
  })
  const { lines, code } = after('a', 'b', 'c')
  expect(lines.slice(-2)).toEqual([
    '3 passed at the second try only, which is more than 2: failed',
    '9 passed, 0 failed, 1 skipped',
  ])
  expect(code).toBe(1)
  expect(verdict({ passed: 9, failed: 1, failures: ['a'], skipped: [], unsteady: [] }).code).toBe(1)
})

const addressText = `[ RUN      ] Label.One
=================================================================
==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6020 at pc 0x55
READ of size 1 at 0x6020 thread T0
    #0 0x55 in count_row native/cpu/component_runs.cpp:40
SUMMARY: AddressSanitizer: heap-buffer-overflow native/cpu/component_runs.cpp:40 in count_row
Shadow bytes around the buggy address:
`
const threadText = `==================
WARNING: ThreadSanitizer: data race (pid=9)
  Write of size 4 at 0x7b by thread T1:
    #0 fill native/cpu/label.cpp:30
SUMMARY: ThreadSanitizer: data race native/cpu/label.cpp:30 in fill
==================
`
const undefinedText = `native/cpu/root.cpp:7:9: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'
    #0 0x55 in root native/cpu/root.cpp:7
    #1 0x66 in main
`

test('sanitizers: every finding with its text, and nothing where there is none', () => {
  expect(sanitizerFindings('[==========] 12 tests ran. (3 ms total)\n[  PASSED  ] 12 tests.\n')).toEqual([])
  expect(sanitizerFindings(addressText + threadText + undefinedText)).toEqual([
    {
      summary: 'AddressSanitizer: heap-buffer-overflow native/cpu/component_runs.cpp:40 in count_row',
      text: addressText.split('\n').slice(2, 6).join('\n'),
    },
    {
      summary: 'ThreadSanitizer: data race native/cpu/label.cpp:30 in fill',
      text: threadText.split('\n').slice(1, 5).join('\n'),
    },
    { summary: undefinedText.split('\n')[0], text: undefinedText.trimEnd() },
  ])
  // Cut off before its end.
  expect(sanitizerFindings('==7==ERROR: LeakSanitizer: detected memory leaks\n')).toMatchObject([
    { summary: 'ERROR: LeakSanitizer: detected memory leaks' },
  ])
})

test('sanitizers: a finding fails the run though every test passed, and so does a run of nothing', () => {
  const passed = file('sanitized.xml', '<testcase name="one" status="run" result="completed" time="0" classname="Label" />')
  const count = (done: { code: number; text: string }, path = passed) => countSanitized('thread', done, path).counts
  expect(count({ code: 0, text: '' })).toEqual({ passed: 1, failed: 0, failures: [], skipped: [], unsteady: [] })
  expect(count({ code: 66, text: threadText })).toMatchObject({
    passed: 1,
    failed: 1,
    failures: ['C++ (thread sanitizer): ThreadSanitizer: data race native/cpu/label.cpp:30 in fill'],
  })
  expect(count({ code: 139, text: '' })).toMatchObject({ failed: 1, failures: ['C++ (thread sanitizer): ended with code 139'] })
  expect(count({ code: 0, text: '' }, join(folder, 'nowhere.xml'))).toMatchObject({
    failed: 1,
    failures: ['C++ (thread sanitizer): no test ran'],
  })
})

test('the addon under a sanitizer: a finding fails it where its process left no report, and so does a run of nothing', () => {
  const report = (counts: object): string => file('sanitize-addon.json', JSON.stringify(counts))
  const passed = report({ passed: 3, failed: 0, failures: [], skipped: [{ name: 'long', reason: 'not asked' }], unsteady: [] })
  expect(countAddon({ code: 0, text: '' }, passed)).toMatchObject({ passed: 3, failed: 0, failures: [], skipped: [] })
  expect(countAddon({ code: 1, text: addressText }, join(folder, 'nowhere.json'))).toMatchObject({
    failed: 1,
    failures: [expect.stringContaining('AddressSanitizer: heap-buffer-overflow')],
  })
  const nothing = report({ passed: 0, failed: 0, failures: [], skipped: [], unsteady: [] })
  expect(countAddon({ code: 0, text: '' }, nothing)).toMatchObject({ failed: 1 })
})

test('sanitizers: a compiler without them is told from one that has them', () => {
  expect(whyNoSanitizer('address', '/nowhere/c++')).toMatch(/does not build here: .*ENOENT/)
  expect(whyNoSanitizer('nonsense')).toMatch(/-fsanitize=nonsense does not build here: ./)
})

test('the emulation: operations of several processes, and every kernel must have run in one of them', () => {
  const said = (rows: string[], rest: string[]) =>
    ['a GPU', 'operation                        runs   failed', ...rows, ...rest].join('\n')
  const one = {
    code: 0,
    text: said(
      ['label                               3        0'],
      ['NOT LAUNCHED a.cu: b', '2 of 3 kernels launched', 'all equal'],
    ),
  }
  const two = {
    code: 0,
    text: said(
      ['label                               1        0', 'faults: a full GPU      2        0'],
      ['NOT LAUNCHED a.cu: c', '2 of 3 kernels launched', 'all equal'],
    ),
  }
  expect(countEmulated([one, two])).toEqual({ passed: 3, failed: 0, failures: [], skipped: [], unsteady: [] })
  expect(countEmulated([one, one])).toMatchObject({ passed: 1, failures: ['GPU emulation: no comparison launches a.cu: b'] })
  const wrong = { code: 1, text: said(['label        1        1'], ['3 of 3 kernels launched', 'FAILED']) }
  expect(countEmulated([one, wrong])).toMatchObject({ failed: 1, failures: ['GPU emulation: label'] })
  expect(countEmulated([one, { code: 139, text: 'a GPU' }])).toMatchObject({
    failed: 1,
    failures: ['GPU emulation: process 2 of 2 ended with code 139 before its last comparison'],
  })
  expect(countEmulated([{ code: 0, text: 'skipped, 0 devices' }]).failed).toBeGreaterThan(0)
  expect(countEmulated([{ code: 3, text: said(['label  1  0'], ['3 of 3 kernels launched']) }]).failures).toEqual([
    'GPU emulation: process 1 ended with code 3',
  ])
})

test('the emulation is skipped where it cannot be', () => {
  expect(whyNoEmulation(folder, { platform: 'linux', arch: 'x64' })).toMatch(/Python 3 was not found/)
  expect(whyNoEmulation(folder, { platform: 'linux', arch: 'arm64' })).toMatch(/arm64 on linux/)
})
