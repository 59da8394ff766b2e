// Sums of what stages cost and of what their operations did.
import { expect, it } from 'vitest'
import { Timings } from '../../../main/run/timings'

it('sums what stages cost and what their operations did, by what computed them', () => {
  const timings = new Timings()
  const work = { op: 'reconstruct', variant: 'sweeps', calls: 1, rounds: 4, queued: 0, longest: 0 }
  const stage = { stage: 'marker', device: 'cpu', variant: 'auto', ms: 2, pixels: 1e6 }
  const first = [work]
  timings.add([{ ...stage, work: first }])
  timings.add([{ ...stage, work: [{ ...work, variant: 'sweeps + queue', queued: 10, longest: 7 }, work] }])
  timings.add([{ ...stage, work: [{ ...work, variant: 'sweeps + queue', rounds: 5, queued: 3, longest: 3 }] }])
  timings.add([{ ...stage, stage: 'split', work: [] }])
  expect(timings.list()).toEqual([
    {
      ...{ stage: 'marker', device: 'cpu', variant: 'auto', ms: 6, megapixels: 3 },
      work: [
        { op: 'reconstruct', variant: 'sweeps', calls: 2, rounds: 8, queued: 0, longest: 0 },
        { op: 'reconstruct', variant: 'sweeps + queue', calls: 2, rounds: 9, queued: 13, longest: 7 },
      ],
    },
    { stage: 'split', device: 'cpu', variant: 'auto', ms: 2, megapixels: 1 },
  ])
  // The caller's own are left as they were.
  expect(first).toEqual([work])
})
