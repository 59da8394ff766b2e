// How the TypeScript tests run: in Node, without the end-to-end journeys, which Playwright runs.
import { defineConfig } from 'vitest/config'
import './test/groupBy.mjs'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: ['test/e2e/**', 'test/stress/**', 'node_modules/**'],
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
