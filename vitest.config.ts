// How the TypeScript tests run: in Node, without the end-to-end journeys, which Playwright runs.
import { defineConfig } from 'vitest/config'
import './test/groupBy.mjs'

/** Playwright's, and those that are run by hand. */
const elsewhere = ['test/e2e/**', 'test/stress/**', 'node_modules/**']
/** A process each: programs, the addon, what is measured of a process, and windows that are begun, of which a process has one. */
const apart = [
  'test/{app,bench,docs,native}/**/*.test.ts',
  'test/main/{engine,holds,pace}.test.ts',
  'test/main/overlay/eventLoop.test.ts',
  'test/main/run/extent.test.ts',
  'test/renderer/{devices,engineState,start}.test.ts',
]

/** Of these folders, what starts no program and needs no addon. */
const light = [
  'test/app/{contract,german}/**/*.test.ts',
  'test/app/{classFigures,guide,plural,workflows}.test.ts',
  'test/app/setup/{lanes,progress,reports,smallFiles}.test.ts',
  'test/app/serve/callPaths.test.ts',
  'test/app/cli/commandPage.test.ts',
]

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'apart', include: apart, exclude: [...light, ...elsewhere] } },
      // These share what they load: half of their time went to starting processes and loading the same modules again.
      {
        extends: true,
        test: { name: 'together', isolate: false, include: ['test/**/*.test.{ts,tsx}'], exclude: [...apart, ...elsewhere] },
      },
      { extends: true, test: { name: 'light', isolate: false, include: light } },
    ],
    environment: 'node',
    // Whole runs on real slides are among them, and the machine may be busy: these end what hangs, and nothing that is slow.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // As in playwright.config.ts: named in the last lines of `npm test`.
    retry: 1,
    expect: { poll: { timeout: 120_000 } },
    setupFiles: ['test/patience.ts'],
    // Each native call uses every core: more files at once only get in each other's way.
    maxWorkers: 2,
  },
})
