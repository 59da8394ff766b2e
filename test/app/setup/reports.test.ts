// The readers behind the last line of `npm test`: a failure or a skip that they miss would be reported by nobody.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readGTest, readPlaywright } from '../../../app/setup/reports.mjs'

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
  })
})

test('Playwright: suites in suites, skips with their reason, errors outside a test', () => {
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
    passed: 1,
    failed: 3,
    failures: ['e2e electron › runs › cancels', 'e2e electron › runs › dies', 'e2e: worker ended'],
    skipped: [{ name: 'e2e electron › runs › draws', reason: 'no Electron' }],
  })
})
