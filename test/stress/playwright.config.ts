// The campaigns that need a real shell, by hand: npx playwright test --config test/stress/playwright.config.ts
import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/stress/playwright',
  reporter: 'list',
  workers: 1,
  timeout: 6 * 60 * 60 * 1000,
  expect: { timeout: 120_000 },
  use: { actionTimeout: 30_000 },
})
