// 10,000 hostile leftovers of exports: planted folders, links, pipes, journals and names, and own ones that were tampered with. No export may
// touch a file that is not its own, throw anything but a refusal in words, or take 10 s.
// npx vitest run --config test/stress/vitest.config.ts hostileLeftovers   (COUNT, MORPHOSCOPE_STRESS_SEED, TMPDIR)
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { trialOf } from '../main/export/plantedLeftovers'
import { seed, seeded } from './seeded'

const count = Number(process.env['COUNT'] ?? 10_000)

it(`${count} planted leftovers`, async () => {
  const base = await mkdtemp(join(tmpdir(), 'morphoscope-leftovers-'))
  const found = { variants: 0, planted: 0, refused: 0, touched: 0, longestMs: 0 }
  try {
    for (let n = 0; n < count; n++) {
      const place = join(base, String(n))
      await mkdir(place)
      const { touched, refused, ms, planted } = await trialOf(place, seeded(seed * 1_000_003 + n))
      found.variants += 1
      found.planted += planted
      found.refused += Number(refused !== null)
      found.touched += touched.length
      found.longestMs = Math.max(found.longestMs, Math.round(ms))
      if (touched.length > 0) console.log(`variant ${n}: ${touched.join('; ')}`)
      await rm(place, { recursive: true, force: true })
    }
  } finally {
    await rm(base, { recursive: true, force: true })
  }
  console.log(`hostile leftovers, seed ${seed}:`, { ...found, rssMiB: Math.round(process.memoryUsage().rss / 2 ** 20) })
  expect([found.touched, found.longestMs < 10_000]).toEqual([0, true])
})
