// Whatever a command comes to can be stored, read again, taken back, done again and saved as: any commands, any records, each limit.
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { seed, times } from '../../stress/seeded'
import { anyCommands } from './anyCommands'

/** MORPHOSCOPE_STRESS_RECORDS=100000: the long campaign. */
const numRuns = times('RECORDS', 120)

it('any commands on any document', { timeout: 6 * 3_600_000 }, () => {
  const tally = { taken: new Map<string, number>(), refused: new Map<string, number>() }
  const begun = performance.now()
  fc.assert(anyCommands(tally), { numRuns, seed })
  const sorted = (map: Map<string, number>) => Object.fromEntries([...map].sort())
  if (numRuns > 1000)
    console.log(
      JSON.stringify({
        numRuns,
        ms: Math.round(performance.now() - begun),
        taken: sorted(tally.taken),
        refused: sorted(tally.refused),
      }),
    )
  // Each kind of command was taken: what nobody takes shows nothing.
  expect(tally.taken.size).toBeGreaterThanOrEqual(13)
})
