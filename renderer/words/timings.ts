// What a run took: its timings, its timeline, and the algorithms that it used.
import { noun } from '../../app/contract'
import { formatCount, formatDuration } from '../arithmetic/format'

const mpx = (megapixels: number): string => `${Number(megapixels.toPrecision(3))} Mpx`

export const timings = {
  timings: {
    title: 'Timings',
    nothing: 'After a run: what each step took, on which device.',
    lastPreview: (ms: number, stages: string) => `Last preview ${formatDuration(ms)}: ${stages}`,
    kept: 'kept',
    passed: (ms: number) => `${formatDuration(ms)} passed.`,
    passedSomeKept: (ms: number, megapixels: number) =>
      `${formatDuration(ms)} passed; ${mpx(megapixels)} were taken from earlier runs.`,
    passedAllKept: (ms: number, megapixels: number) =>
      `${formatDuration(ms)} passed; all of it, ${mpx(megapixels)}, was taken from earlier runs.`,
    summed: ' The steps below are summed over all threads, so together they can be longer.',
    stage: 'Step',
    by: 'Device and variant',
  },
  timeline: {
    title: 'Timeline',
    nothing: 'Nothing has run yet.',
    nothingComputed: 'Nothing was computed for this run.',
    paused: (n: number) => `; paused ${n === 1 ? 'once' : `${n} times`}`,
    chart: (about: string) => `Windows of the run by time. ${about}. Arrow keys go from window to window.`,
    pointAtWindow: 'Point at a window, or go from one to the next with the arrow keys.',
    legend: 'Steps, summed over all windows',
    rest: 'the rest',
    /** Why nothing is computed for a while. */
    background: 'background',
    device: (device: string, windows: number, busy: number, longestGap: string) =>
      `${device}: ${windows} ${noun(windows, 'window')} at once, busy ${Math.round(100 * busy)} % of the time, longest gap ${longestGap}`,
    oneWindow: (device: string, tiles: number, x: number, y: number, from: string, to: string, took: string) =>
      `${device}: ${tiles} ${noun(tiles, 'tile')} from ${x}, ${y}, ${from} to ${to}: ${took}`,
    windows: (device: string, windows: number, tiles: number, x: number, y: number, from: string, to: string, took: string) =>
      `${device}: ${windows} ${noun(windows, 'window')}, ${formatCount(tiles)} ${noun(tiles, 'tile')}, the first at ${x}, ${y}, ${from} to ${to}: ${took}`,
    stageTook: (stage: string, time: string) => `${stage} ${time}`,
    run: (name: string, elapsedMs: number, done: number, total: number, resumed: number, keptMegapixels: number) =>
      `${name}: ${formatDuration(elapsedMs)}, ${formatCount(done)} of ${formatCount(total)} ${noun(total, 'tile')}${resumed > 0 ? `, of which a run that was interrupted had ${formatCount(resumed)}` : ''}${keptMegapixels > 0 ? `; ${mpx(keptMegapixels)} were taken from earlier runs` : ''}.`,
    windowsAsCsv: 'Windows as CSV',
    stagesAsCsv: 'Steps as CSV',
    allAsJson: 'All as JSON',
    picture: 'Picture (SVG)',
    pictureOf: (name: string) => `${name}: timeline`,
    pictureTitle: (name: string, time: string, done: number, total: number) =>
      `${name}: ${time}, ${done} of ${total} ${noun(total, 'tile')}`,
  },
  work: {
    title: 'Algorithms that ran',
    runAgainWith: 'Run again with',
    place: 'Step and operation',
    algorithm: 'Algorithm',
    run: 'Run',
    stageAndOperation: 'Step: operation',
    calls: 'Calls',
    rounds: 'Rounds',
    queues: 'Taken from queues',
    note: 'Rounds are sweeps, passes or levels of a breadth-first search. They and the queues depend on tiles, threads and device; the result does not.',
    queued: (n: number, isPx: boolean) => `${formatCount(n)} ${isPx ? 'px' : noun(n, 'tile')}`,
    queuedUpTo: (queued: string, longest: number) => `${queued}, up to ${formatCount(longest)} at once`,
    callsMade: (n: number) => `${n} ${noun(n, 'call')}`,
    roundsMade: (n: number) => `${n} ${noun(n, 'round')}`,
    line: (stage: string, device: string, op: string, variant: string, did: string) =>
      `${stage} (${device}), ${op}: ${variant}; ${did}`,
  },
}
