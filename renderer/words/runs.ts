// Runs: starting, watching, ending and deleting them, those of other slides, and those that were interrupted.
import { noun } from '../../app/contract'
import { formatCount, formatDuration } from '../arithmetic/format'

const objects = (n: number): string => `${formatCount(n)} ${noun(n, 'object')}`
const soFar = (elapsedMs: number, found: number): string =>
  `It has run for ${formatDuration(elapsedMs)} and has found ${objects(found)} so far`

export const runs = {
  runControls: {
    visibleField: 'Segment visible field',
    moreWays: 'More ways to choose a region',
    drawRectangle: 'Draw a rectangle',
    typeCoordinates: 'Type its coordinates…',
    cancelQueued: 'Cancel, it has not begun',
    cancelKeeping: 'Cancel, keep what is done',
    pause: 'Pause the run',
    continue: 'Continue the run',
    progress: 'Progress of the run',
    runAndState: (run: string, state: string) => `${run} ${state}`,
    pausing: 'pausing…',
    background: 'finds the whole slide’s background…',
    backgroundLeft: (etaMs: number) => `${formatDuration(etaMs)} left of it`,
    left: (etaMs: number) => `${formatDuration(etaMs)} left`,
    keyGoesOn: (key: string | undefined) => `${key} goes on`,
    after: (run: string) => `after ${run}`,
    waits: 'waits',
    finishedPartKept: 'finished part kept',
    tiles: (done: number, total: number) => `${formatCount(done)} / ${formatCount(total)} ${noun(total, 'tile')}`,
    speed: (megapixelsPerSecond: number) => ` · ${megapixelsPerSecond.toFixed(1)} Mpx/s`,
  },
  /** What runs are called. */
  runNames: {
    visibleField: 'Visible field',
  },
  segment: {
    nothingInView: (key: string) => `No part of the slide is in view. ${key} fits it.`,
    underWay: 'A run with these values is already under way.',
    askTitle: (regions: number) => `Segment ${regions === 1 ? 'this region' : `${regions} regions`}?`,
    askText: (megapixels: string, regions: number) =>
      `There are ${megapixels} Mpx to analyse around ${regions === 1 ? 'it' : 'them'}.`,
    unreadableTiles: (n: number) =>
      `${n} ${noun(n, 'tile')} of the file could not be read: ${noun(n, 'it is', 'they are')} marked on the overlay and left out of the result.`,
    uncertainTiles: (n: number) =>
      `${n} ${noun(n, 'tile')} may be wrong because of parts of the file that could not be read. The overlay shows where.`,
    uncertainValues:
      'Not all could be read from which the values that adapt to the slide come: nothing of the result is certain.',
    partial: 'Partial result',
    runOnCpu: 'Run on the CPU',
    restartAndRun: 'Start the engine again and run again',
    zoomToPreview: (megapixels: number, most: number) =>
      `Zoom in to preview: ${megapixels} Mpx are in view, a preview takes up to ${most}.`,
  },
  longRun: {
    askWhole: 'Segment the whole slide?',
    askRegion: 'Segment this large region?',
    toAnalyse: 'To analyse',
    time: 'Time',
    memory: 'Memory',
    asking: 'asking the engine…',
    unknown: 'not known',
    note: 'What is in view comes first. You can look around meanwhile, and cancelling keeps what is done.',
    basis: {
      measured: 'from this recipe’s runs on this slide',
      sampled: 'from this recipe’s runs on other slides, which may have had more tissue or less',
      none: '',
    },
    notBeforeFirst: 'not known before the first run of this recipe',
    about: (time: string, basis: string) => `about ${time}, ${basis}`,
    memoryNeed: (need: string, budget: string, exceeds: boolean) =>
      `about ${need} of ${budget} GiB that it may hold${exceeds ? ', which it may exceed' : ''}`,
  },
  regionDialog: {
    title: 'Segment a region',
    left: 'Left',
    top: 'Top',
    width: 'Width',
    height: 'Height',
    inPx: (label: string) => `${label}, px`,
    outside: (widthPx: number, heightPx: number) => `The region does not lie inside the slide (${widthPx} × ${heightPx} px).`,
  },
  runList: {
    title: 'Results of this slide',
    titleWith: (n: number) => `Results (${n})`,
    nothing: 'Every segmentation of this slide is kept here until you delete it.',
    deleteAll: 'Delete all results of this slide',
    queuedAfter: (run: string) => `queued: waits for ${run}`,
    running: (percent: string, etaMs: number) => `${percent} · ${formatDuration(etaMs)} left`,
    paused: (percent: string) => `paused at ${percent}`,
    pausing: (percent: string) => `pausing at ${percent}`,
    done: (area: string, elapsedMs: number) => `${area} · ${formatDuration(elapsedMs)}`,
    cancelled: (percent: string, elapsedMs: number) => `cancelled at ${percent} · ${formatDuration(elapsedMs)}`,
    failed: (percent: string) => `failed at ${percent}`,
    about: (name: string, recipe: string | undefined, size: string, time: string, state: string) =>
      `${name}${recipe ? `, ${recipe}` : ''}, ${size}, started at ${time}: ${state}. Double-click goes there, Delete deletes it.`,
    hide: (name: string) => `Hide ${name} on the slide`,
    show: (name: string) => `Show ${name} on the slide`,
    goOn: (name: string) => `Go on with ${name}`,
    isKept: (name: string) => `${name} is kept in the project`,
    keep: (name: string) => `Keep ${name} in the project`,
    export: (name: string) => `Export ${name}`,
    end: (name: string) => `End ${name}, keep what is done`,
    delete: (name: string) => `Delete ${name}`,
    showOlder: (n: number) => (n === 1 ? 'Show the older one' : `Show the ${formatCount(n)} older ones`),
    runOnCanvas: (name: string, state: string) => `${name}: ${state}`,
  },
  elsewhere: {
    title: (n: number) => `Running on other slides (${n})`,
    list: 'Runs that go on elsewhere',
    open: (slide: string) => `Open ${slide}`,
    state: (run: string, state: string) => `${run}: ${state}`,
    end: (run: string, slide: string) => `End ${run} of ${slide}, keep what is done`,
    runOf: (run: string, slide: string) => `${run} of ${slide}`,
    ended: (run: string, slide: string, how: 'done' | 'cancelled' | 'failed', found: number, why: string | undefined) =>
      `${run} of ${slide} ${{ done: 'is done', cancelled: 'was cancelled', failed: 'failed' }[how]}: ${objects(found)}.${why === undefined ? '' : ` ${why}`}`,
  },
  endRun: {
    title: (run: string) => `End “${run}”?`,
    titleOf: (run: string, slide: string) => `End “${run}” of ${slide}?`,
    text: (elapsedMs: number, found: number) => `${soFar(elapsedMs, found)}; these stay. It cannot be continued from there.`,
    yes: 'End it, keep what is done',
    no: 'Let it run',
  },
  deleteRun: {
    title: (run: string) => `Delete “${run}”?`,
    holds: (found: number, elapsedMs: number) => `It holds ${objects(found)} from ${formatDuration(elapsedMs)} of work.`,
    wouldLose: (elapsedMs: number, found: number) => `${soFar(elapsedMs, found)}; they would be lost.`,
    isSaved: 'It is saved in the project: its corrections are deleted with it and cannot be undone.',
    isExported: 'It is being exported, which would be cancelled.',
    filesStay: 'Exported files stay.',
    endAndDelete: 'End and delete',
    allTitle: (n: number) => (n === 1 ? 'Delete the result of this slide?' : `Delete all ${n} results of this slide?`),
    found: (n: number) => `${formatCount(n)} ${noun(n, 'object was', 'objects were')} found.`,
    correctionsToo: 'Corrections saved in the project are deleted with them and cannot be undone.',
    unfinished: (n: number) => `${n === 1 ? 'One run goes' : `${n} runs go`} on and would be ended.`,
  },
  interrupted: {
    doneHere: 'Done, not exported',
    interruptedHere: 'Interrupted',
    doneElsewhere: 'Done on other slides, not exported',
    interruptedElsewhere: 'Interrupted on other slides',
    titleWith: (title: string, n: number) => `${title} (${n})`,
    about: (path: string | null, recipe: string, begun: string) => `${path}, ${recipe}, begun ${begun}`,
    done: (run: string) => `${run}: done, not exported`,
    interrupted: (run: string, percent: number) => `${run}: interrupted at ${percent} %`,
    show: (run: string, slide: string | null) => `Show ${run} of ${slide}`,
    goOn: (run: string, slide: string | null) => `Go on with ${run} of ${slide}`,
    throwAway: (run: string, slide: string | null) => `Throw away ${run} of ${slide}`,
    goesOn: (run: string, percent: number) => `${run} goes on: ${percent} % of it was there.`,
    askTitle: (run: string) => `Throw away “${run}”?`,
    askText: (percent: number) => `${percent} % of it was finished when it was interrupted. Thrown away, it cannot be continued.`,
    throwItAway: 'Throw it away',
  },
}
