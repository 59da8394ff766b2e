// Sums of what stages cost and of what their operations did.
import { expect, it } from 'vitest'
import { stageAndPart, variantWords } from '../../../app/contract'
import { Timings } from '../../../main/run/result/timings'

it('sums what stages cost and what their operations did, by what computed them', () => {
  const timings = new Timings()
  const work = { op: 'reconstruct', variant: 'sweeps', calls: 1, rounds: 4, queued: 0, longest: 0 }
  const stage = { stage: 'marker', device: 'cpu', variant: 'sweeps', ms: 2, pixels: 1e6 }
  const first = [work]
  timings.add([{ ...stage, work: first }])
  const both = [{ ...work, variant: 'sweeps + queue', queued: 10, longest: 7 }, work]
  timings.add([{ ...stage, variant: 'sweeps + queue; sweeps', work: both }])
  const queue = { ...work, variant: 'sweeps + queue', rounds: 5, queued: 3, longest: 3 }
  timings.add([{ ...stage, variant: 'sweeps + queue', work: [queue] }])
  timings.add([{ ...stage, stage: 'split', variant: '', work: [] }])
  expect(timings.list()).toEqual([
    {
      ...{ stage: 'marker', device: 'cpu', variant: 'sweeps; sweeps + queue', ms: 6, megapixels: 3 },
      work: [
        { op: 'reconstruct', variant: 'sweeps', calls: 2, rounds: 8, queued: 0, longest: 0 },
        { op: 'reconstruct', variant: 'sweeps + queue', calls: 2, rounds: 9, queued: 13, longest: 7 },
      ],
    },
    { stage: 'split', device: 'cpu', variant: '', ms: 2, megapixels: 1 },
  ])
  // The caller's own are left as they were.
  expect(first).toEqual([work])
})

it('keeps apart what was read, copied and kept, each by its own field', () => {
  const timings = new Timings()
  const timing = { device: 'cpu', variant: '', ms: 1, pixels: 1e6, work: [] }
  timings.add([
    { ...timing, stage: 'read', reader: 'openslide 4' },
    { ...timing, stage: 'read', reader: 'turbojpeg 3' },
    { ...timing, stage: 'read', reader: 'openslide 4' },
    { ...timing, stage: 'upload', memory: 'pinned' },
    { ...timing, stage: 'upload', memory: 'staged' },
    { ...timing, stage: 'ground', part: 'read' },
    { ...timing, stage: 'ground', part: 'steps' },
    { ...timing, stage: 'mask', kept: true },
    { ...timing, stage: 'mask' },
  ])
  timings.addReused(2e6)
  expect(timings.list().map((each) => `${stageAndPart(each)} ${variantWords(each)} ${each.ms}`)).toEqual([
    'read openslide 4 2',
    'read turbojpeg 3 1',
    'upload pinned memory 1',
    'upload staged memory 1',
    'ground: read  1',
    'ground: steps  1',
    'mask kept 1',
    'mask  1',
    'kept from earlier runs kept 0',
  ])
})
