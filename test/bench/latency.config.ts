// Runs the latency bench alone: npx playwright test -c test/bench/latency.config.ts (under xvfb-run where there is no display).
import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: '.',
  testMatch: 'latency.bench.ts',
  outputDir: '../../test-results/latency',
  reporter: [['list']],
  workers: 1,
  timeout: 300_000,
  use: { actionTimeout: 30_000 },
  projects: [{ name: 'electron' }, { name: 'chromium' }],
})
