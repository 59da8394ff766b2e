// Opening and looking again and again leaves nothing behind: the reduced variant of test/stress/holds.test.ts.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { campaign } from '../stress/campaign'

const assetsDir = fileURLToPath(new URL('../../assets', import.meta.url))

it('60 opens and 12 previews hold no descriptor, and no memory that grows with them', async () => {
  const settingsDir = await mkdtemp(join(tmpdir(), 'holds-'))
  const slides = [join(assetsDir, 'samples', 'CMU-1-Small-Region.svs')]
  const { opens, previews } = await campaign({ slides, assetsDir, settingsDir, opens: 60, previews: 12, rounds: 3 })
  // The first round warms up what the process keeps for good.
  expect(opens[2]!.descriptors).toBeLessThanOrEqual(opens[1]!.descriptors)
  expect(previews[2]!.descriptors).toBeLessThanOrEqual(previews[1]!.descriptors)
  expect(opens[2]!.rssMiB - opens[1]!.rssMiB).toBeLessThan(60)
  expect(previews[2]!.rssMiB - previews[1]!.rssMiB).toBeLessThan(200)
  await rm(settingsDir, { recursive: true, force: true })
})
