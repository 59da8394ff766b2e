// 10,000 seeded GeoJSON files into the engine's import: none ends the process, takes 10 s or 1 GB. SEEDS and FIRST choose others.
import { expect, it } from 'vitest'
import { apply, emptyContent } from '../../main/project/document'
import { geoJsonOf, importOf, regionsOf } from '../../main/project/geojsonFile/geojson'
import { variant } from '../main/project/geojsonFile/geojsonVariants'

const count = Number(process.env.SEEDS ?? 10_000)
const first = Number(process.env.FIRST ?? 1000)

it(`imports ${count} variants`, { timeout: 3_600_000 }, () => {
  let [refused, regions, slowest, slowestSeed, most] = [0, 0, 0, 0, 0]
  for (let seed = first; seed < first + count; seed++) {
    const text = variant(seed, seed % 200 === 0 ? 5 : 1)
    const started = performance.now()
    try {
      const { command, added } = importOf(text, 'c'.repeat(32), emptyContent)
      if (command) {
        const { next } = apply(emptyContent, command)
        const written = geoJsonOf(
          [...next.regions.values()].map(({ region }) => region),
          next.classes,
        )
        const back = regionsOf(written, 'c'.repeat(32), { ...emptyContent, classes: next.classes })
        expect([seed, back.regions.length, back.repaired]).toEqual([seed, added, []])
      }
      regions += added
    } catch (error) {
      if ((error as { code?: string }).code !== 'INVALID_PARAMETER') throw error
      refused += 1
    }
    const took = performance.now() - started
    if (took > slowest) [slowest, slowestSeed] = [took, seed]
    most = Math.max(most, process.memoryUsage.rss())
  }
  console.log({ count, refused, regions, slowestMs: Math.round(slowest), slowestSeed, mostMb: Math.round(most / 2 ** 20) })
  expect(slowest).toBeLessThan(10_000)
  expect(most).toBeLessThan(2 ** 30)
})
