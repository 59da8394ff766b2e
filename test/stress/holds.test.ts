// 1000 opens of several slides and 200 previews in one engine: memory and file descriptors stay what they were. Figures by hand:
//   npx vitest run --config test/stress/vitest.config.ts holds
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { campaign } from './campaign'

const assetsDir = fileURLToPath(new URL('../../assets', import.meta.url))
const shared = fileURLToPath(new URL('../../../shared/data/slides', import.meta.url))
const slides = [
  join(assetsDir, 'samples', 'CMU-1-Small-Region.svs'),
  ...[
    'TCGA-CR-7395-01A-01-TS1.svs',
    'HE_example_hamamatsu_LE.ome.tif',
    'synthetic/generic-pyramid-jpeg.tif',
    'synthetic/aperio-pyramid.svs',
  ].map((name) => join(process.env['SLIDES'] ?? shared, name)),
].filter((path) => existsSync(path))

it('holds what it held', async () => {
  const settingsDir = await mkdtemp(join(tmpdir(), 'holds-'))
  const { opens, previews } = await campaign({
    slides,
    assetsDir,
    settingsDir,
    opens: Number(process.env['OPENS'] ?? 1000),
    previews: Number(process.env['PREVIEWS'] ?? 200),
    rounds: 10,
  })
  console.log(`${slides.length} slides`)
  console.table(opens)
  console.table(previews)
  expect(opens.at(-1)!.descriptors).toBeLessThanOrEqual(opens[0]!.descriptors + 2)
})
