// How the end-to-end journeys run: the same steps in the real Electron and in a real Chromium, one after the other.
import { defineConfig } from '@playwright/test'
import { answered } from './test/e2e/patience'

const report = process.env['MORPHOSCOPE_PLAYWRIGHT_REPORT'] ?? 'test-results/playwright.json'

/** Whose journeys walk where is said by their folders: test/e2e/README.md. */
const only = (folder: string): string => `**/e2e/${folder}/**`
/** Of the journeys that both walk through, those that no shell makes different. */
const samePage =
  /the layers show stains|a slider changes the overlay|the keyboard alone|the menu of devices|a rectangle is run and cancelled/
const everywhere = process.env['MORPHOSCOPE_BOTH_SHELLS'] === '1'

export default defineConfig({
  testDir: 'test/e2e',
  // Not test-results itself: Playwright empties its folder at the start, and other tools report there.
  outputDir: 'test-results/playwright',
  reporter: [['list'], ['json', { outputFile: report }]],
  // Each app under test uses every core; two at once would only time out together.
  workers: 1,
  // What passes at the second try only is named in the last lines of `npm test`: a race to look for. More than two fail it.
  retries: 1,
  // They end what hangs: a machine that does other things as well takes several times as long for everything.
  timeout: 600_000,
  // By what the step is: test/e2e/patience.ts.
  expect: answered,
  // Of the second try alone: every journey would pay for the recording, and most pass.
  use: { actionTimeout: answered.timeout, trace: 'on-first-retry', screenshot: 'only-on-failure' },
  projects: [
    {
      name: 'electron',
      testIgnore: [only('browser'), ...(everywhere ? [] : [only('page')])],
      ...(everywhere ? {} : { grepInvert: samePage }),
    },
    {
      name: 'chromium',
      testIgnore: [only('desktop'), ...(everywhere ? [] : [only('window')])],
    },
  ],
})
