// How the TypeScript tests run: in Node, without the end-to-end journeys, which Playwright runs.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: ['test/e2e/**', 'node_modules/**'],
    environment: 'node',
    // Whole runs on real slides are among them, and the machine may be busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Each native call uses every core: more files at once only get in each other's way.
    maxWorkers: 2,
  },
})
