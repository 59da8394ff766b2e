// The walks through the window that the documentation shows: npm run docs:test
import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../test-results/docs-playwright',
  reporter: 'list',
  workers: 1,
  // As in the journeys: a busy machine is given a second try.
  retries: 1,
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: { actionTimeout: 30_000 },
})
