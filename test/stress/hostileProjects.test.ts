// Hostile project folders by the ten thousand: none ends the process, touches what is outside, or takes ten seconds or a gibibyte.
// nice npx vitest run --config test/stress/vitest.config.ts hostileProjects   (COUNT, JOBS, MORPHOSCOPE_STRESS_SEED, TMPDIR)
import { expect, it } from 'vitest'
import { hostileCampaign } from '../main/project/hostile/hostileCampaign'

const first = Number(process.env['MORPHOSCOPE_STRESS_SEED'] ?? 1)
const count = Number(process.env['COUNT'] ?? 10_000)

it(`${count} folders from seed ${first} on`, async () => {
  const started = performance.now()
  const tell = (seed: number): void => {
    if (seed % 500 === 0) process.stdout.write(`seed ${seed}, ${Math.round((performance.now() - started) / 1000)} s\n`)
  }
  const { refusals, ...found } = await hostileCampaign(first, count, Number(process.env['JOBS'] ?? 1), tell)
  process.stdout.write(`${JSON.stringify(found)}\n`)
  const most = [...refusals].sort((a, b) => b[1] - a[1]).slice(0, 40)
  for (const [words, times] of most) process.stdout.write(`${times}  ${words}\n`)
  const { deaths, touched, left, unplanted, slowest, largest } = found
  expect({ deaths, touched, left, unplanted }).toEqual({ deaths: [], touched: [], left: [], unplanted: [] })
  expect(slowest.ms).toBeLessThan(10_000)
  expect(largest.mib).toBeLessThan(1024)
})
