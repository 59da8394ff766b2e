// Hostile project folders by the ten thousand: none ends the process, touches what is outside, or takes ten seconds or a gigabyte.
import { expect, it } from 'vitest'
import { hostileCampaign } from '../main/project/hostileCampaign'

const first = Number(process.env['MORPHOSCOPE_STRESS_SEED'] ?? 1)
const count = Number(process.env['COUNT'] ?? 10_000)

it(`${count} folders from seed ${first} on`, async () => {
  const campaign = await hostileCampaign(first, count, Number(process.env['JOBS'] ?? 2))
  const { deaths, touched, slowest, largest, opened, refusals } = campaign
  const most = [...refusals].sort((a, b) => b[1] - a[1]).slice(0, 40)
  process.stdout.write(`${JSON.stringify({ opened, slowest, largest, deaths, touched }, null, 1)}\n`)
  for (const [words, times] of most) process.stdout.write(`${times}  ${words}\n`)
  expect({ deaths, touched }).toEqual({ deaths: [], touched: [] })
  expect(slowest.ms).toBeLessThan(10_000)
  expect(largest.mib).toBeLessThan(1024)
})
