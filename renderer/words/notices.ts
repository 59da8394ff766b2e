// Notices and banners: what went wrong and what helps, the engine, the connection, devices and memory.
import { noun, type ErrorCode } from '../../app/contract'
import { formatCount } from '../arithmetic/format'

export const notices = {
  errors: {
    headlines: {
      INVALID_PARAMETER: 'A value cannot be used',
      SLIDE_UNREADABLE: 'The slide cannot be read',
      SLIDE_CHANGED: 'The slide’s file has changed',
      NOT_FOUND: 'Not found',
      NATIVE_UNAVAILABLE: 'The image engine is not available',
      GPU_UNAVAILABLE: 'The GPU is not available',
      GPU_OUT_OF_MEMORY: 'The GPU ran out of memory',
      GPU_LOST: 'The GPU stopped answering',
      OUT_OF_MEMORY: 'Not enough memory',
      OUTPUT_FAILED: 'The files could not be written',
      OUTPUT_EXISTS: 'There are files in the way',
      ENGINE_LOST: 'The engine stopped',
      CANCELLED: 'Cancelled',
      INTERNAL: 'An error in Morphoscope',
    } satisfies Record<ErrorCode, string>,
    /** What helps most often; null where the message itself says it all. */
    advice: {
      INVALID_PARAMETER: 'Change the marked value, or reset it.',
      SLIDE_UNREADABLE: 'Check that the file is complete and that all of its parts lie in one folder.',
      SLIDE_CHANGED: 'Open the slide again, and run again.',
      NOT_FOUND: null,
      NATIVE_UNAVAILABLE:
        'Install Morphoscope again. If you built it yourself, run “npm start” in a terminal: it says what is missing.',
      GPU_UNAVAILABLE: null,
      GPU_OUT_OF_MEMORY: 'Choose a smaller region, or run on the CPU.',
      GPU_LOST: 'Run again. If it fails again, run on the CPU.',
      OUT_OF_MEMORY: 'Choose a smaller region or a coarser pixel size.',
      OUTPUT_FAILED: 'Choose a folder that you may write to and that has room.',
      OUTPUT_EXISTS: null,
      ENGINE_LOST: 'Your settings are kept. Run again.',
      CANCELLED: null,
      INTERNAL: 'Please report it with the details in the log.',
    } satisfies Record<ErrorCode, string | null>,
    withAbout: (about: string, headline: string) => `${about}: ${headline.charAt(0).toLowerCase()}${headline.slice(1)}`,
  },
  /** What a notice is about: its title. */
  about: {
    addSlides: 'Add slides',
    chosenGpu: 'The chosen GPU is not there',
    classes: 'Classes',
    corrections: 'Corrections',
    device: 'Choice of the device',
    import: 'Import',
    kept: 'Kept',
    pause: 'Pause',
    recipes: 'Recipes',
    redo: 'Redo',
    ruler: 'Ruler',
    saving: 'Saving',
    slides: 'Slides',
    startEngine: 'Start the engine',
    throwAway: 'Throw away',
    undo: 'Undo',
  },
  undoing: {
    undone: (step: string) => `Undone: ${step}`,
    doneAgain: (step: string) => `Done again: ${step}`,
  },
  failed: {
    reportIt: (why: string) => `It could not be done: ${why}. Please report it.`,
    noClipboard: 'The browser does not let this page write to the clipboard.',
  },
  connection: {
    takenBack: 'The call was cancelled.',
    callFailed: (name: string, why: string) => `The call ${name} failed: ${why}.`,
    callTooLarge: (name: string, mebibytes: number) =>
      `The call ${name} is larger than the ${mebibytes} MiB that the server takes at once. Import a smaller file, or parts of it one after the other.`,
    lost: 'The connection to the Morphoscope server is lost. It reconnects by itself; if it does not, start the server again.',
    lostBeforeAnswer: 'The connection to the Morphoscope server was lost before it answered.',
    lostMaybeDone:
      'The connection to the Morphoscope server was lost before it answered. What you asked for may have been done: look before you ask again.',
    isLost: 'The connection to the server is lost.',
    comesBack:
      'It comes back by itself when the server does; your recipe is kept. If it does not, start “morphoscope serve” again.',
  },
  engine: {
    notStarted: (why: string) => `The engine could not start. ${why}`,
    recipeKept: 'Your recipe is kept.',
    slideClosed: 'The slide was closed, in case it was the cause; your recipe is kept.',
    slideOpened: 'Your slide has been opened again, and your recipe is kept.',
    openAgain: (file: string) => `Open ${file} again`,
    goOnAll: (n: number) => `Go on with all ${n}`,
    goOnAt: (percent: number) => `Go on at ${percent} %`,
    runAllAgain: (n: number) => `Run all ${n} again`,
    restartTitle: 'Start the engine again?',
    restartText: (results: number, objects: number) =>
      `It holds ${results === 1 ? 'a result' : `${results} results`} of this slide (${formatCount(objects)} ${noun(objects, 'object')}), which would be lost where ${results === 1 ? 'it was' : 'they were'} not exported. The CPU can be used without that.`,
    restart: 'Start it again',
  },
  devices: {
    title: (ofServer: boolean): string => (ofServer ? 'Compute on (devices of the server)' : 'Compute on'),
    computes: (device: string) => `${device} computes. Choose what computes`,
    choose: 'Choose what computes',
    absent: (label: string, why: string) => `${label}: ${why}`,
    cpu: (threads: number | undefined) => `CPU${threads ? ` × ${threads}` : ''}`,
    threads: (name: string, threads: number) => `${name}, ${threads} ${noun(threads, 'thread')}`,
    memory: (id: string, size: string) => `${id}, ${size}`,
    all: 'All together',
    several: 'Several together',
    none: 'No device',
    noGpu: 'No GPU',
    missing: (ofServer: boolean) =>
      `Your choice, but ${ofServer ? 'the server' : 'this machine'} does not have it now. The CPU computes until it is back.`,
    failed: (device: string) => `${device} failed, so the CPU computes until you choose again here or start anew.`,
    sameResults:
      'Every device gives the same results, bit for bit. A change applies from the next run or preview on; a click on a single object always uses the CPU.',
    notThere: (ofServer: boolean, device: string, why: string | null | undefined) =>
      `${ofServer ? 'The server' : 'This machine'} does not have ${device} now${why ? ` (${why})` : ''}. The CPU computes until it is back; your choice is kept.`,
  },
  memory: {
    title: (ofServer: boolean): string => (ofServer ? 'Memory for runs (of the server)' : 'Memory for runs'),
    about: 'Memory for runs',
    automatic: 'Automatic',
    upTo: (gibibytes: number) => `Up to ${gibibytes} GiB`,
    automaticDetail: '60 % of the memory that is free when a run starts',
    leastDetail: 'Fewer windows at once, smaller caches',
  },
}
