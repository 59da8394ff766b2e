// What a run says its operations did: as words and as a table.
import { expect, it } from 'vitest'
import { timingsCsv, workRows, type StageTiming } from '../../app/contract'
import { queueWords } from '../../renderer/store/runs/timelineWords'

const timings: StageTiming[] = [
  { stage: 'read', device: 'cpu', variant: '', reader: 'openslide', ms: 2.00049, megapixels: 1 },
  {
    stage: 'mask',
    device: 'cpu',
    variant: 'components of runs; sweeps + queue',
    ms: 5,
    megapixels: 1,
    work: [
      { op: 'fill_holes', variant: 'components of runs', calls: 2, rounds: 0, queued: 0, longest: 0 },
      { op: 'reconstruct', variant: 'sweeps + queue', calls: 3, rounds: 12, queued: 12345, longest: 678 },
    ],
  },
  {
    stage: 'mask',
    device: 'gpu0',
    variant: 'queue of tiles',
    ms: 1,
    megapixels: 1,
    work: [{ op: 'reconstruct', variant: 'queue of tiles', calls: 1, rounds: 0, queued: 40, longest: 0 }],
  },
]

it('is a row an algorithm, in words', () => {
  const rows = workRows(timings)
  expect(rows.map(({ stage, op, device }) => `${stage} ${op} ${device}`)).toEqual([
    'mask fill-holes cpu',
    'mask reconstruct cpu',
    'mask reconstruct gpu0',
  ])
  expect(rows.map(queueWords)).toEqual(['', '12\u202f345 px, up to 678 at once', '40 tiles'])
})

it('is a table of every stage, whose cost stands once', () => {
  const lines = timingsCsv(timings).split('\r\n')
  expect(lines).toEqual([
    'stage,device,variant,ms,megapixels,operation,algorithm,calls,rounds,queue_entries,longest_queue,part,reader,memory,kept',
    'read,cpu,,2,1,,,,,,,,openslide,,',
    'mask,cpu,components of runs; sweeps + queue,5,1,fill-holes,components of runs,2,0,0,0,,,,',
    'mask,cpu,components of runs; sweeps + queue,,,reconstruct,sweeps + queue,3,12,12345,678,,,,',
    'mask,gpu0,queue of tiles,1,1,reconstruct,queue of tiles,1,0,40,0,,,,',
    '',
  ])
})
