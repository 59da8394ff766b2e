// The campaigns of this folder: too long for npm test, which has their reduced variants.
import { defineConfig } from 'vitest/config'
import '../groupBy.mjs'

export default defineConfig({
  test: {
    include: ['test/stress/**/*.test.ts'],
    environment: 'node',
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
})
