// What a window of the tests holds: an engine that answers calls from a table, machines with and without GPUs, a slide and a recipe.
import { notificationsStore } from '@mantine/notifications'
import { noCertainty, noSpatial, usualHotSpot } from '../../app/contract'
import type {
  DocumentState,
  AppEvent,
  AppInfo,
  CallName,
  RecipeSpec,
  Result,
  RunStatus,
  Settings,
  SlideInfo,
} from '../../app/contract'
import { setApi, type Api, type Connection } from '../../renderer/api'
import { setSpecs } from '../../renderer/store/slices/recipeSlice'
import { firstState, patch, update, useStore } from '../../renderer/store/store'

type Devices = AppInfo['devices']
export const cpu: Devices[number] = { id: 'cpu', kind: 'cpu', name: 'Test CPU', threads: 8 }
export const gpu = (index: number): Devices[number] => ({
  id: `gpu${index}`,
  kind: 'gpu',
  name: `Test GPU ${'AB'[index]}`,
  memoryMiB: 24 * 1024,
})
export const machine = (devices: Devices, shell: AppInfo['shell'] = 'desktop'): AppInfo => ({
  version: '0.0.0',
  shell,
  devices,
  gpuReason: devices.length > 1 ? null : 'this machine has no NVIDIA driver',
  openslide: { available: true, version: '', library: '', reason: '' },
  initialSlide: null,
  sampleSlide: null,
  dialogs: false,
  prints: false,
})
export const settings: Settings = {
  threads: 0,
  memoryMiB: 0,
  overlayBudgetMiB: 32,
  keys: 'morphoscope',
  language: 'system',
  overlayStyle: 'outline',
  overlayOpacity: 1,
  exportDirectory: '',
  deidentify: false,
  colorProfiles: false,
  spatial: noSpatial,
  hotSpot: usualHotSpot,
  recipeSpec: 'plain',
  device: 'cpu',
}

export const slide: SlideInfo = {
  slideId: 's1',
  name: 'a.svs',
  path: '/a.svs',
  vendor: '',
  reader: '',
  readerVersion: '',
  widthPx: 4000,
  heightPx: 3000,
  levels: [],
  mppX: 0.25,
  mppY: 0.25,
  mppSource: 'vendor',
  objectivePower: null,
  bounds: { x: 0, y: 0, width: 4000, height: 3000 },
  background: '',
  channels: [],
  associatedImages: [],
  properties: {},
  warnings: [],
  viewer: { tileSizePx: 256, maxLevel: 4 },
}
const spec: RecipeSpec = {
  format: 'morphoscope-recipe-spec',
  version: 1,
  id: 'plain',
  name: 'Plain',
  description: '',
  pipeline: 'plain',
  stages: [],
  layers: [],
  stainSet: 'h-e',
}

export const status = (part: Partial<RunStatus>): RunStatus => ({
  runId: 'r1',
  slideId: 's1',
  purpose: 'run',
  state: 'running',
  region: { x: 0, y: 0, width: 4000, height: 3000 },
  grid: { tileSizePx: 256, scale: 1, maxLevel: 4 },
  analysedMpp: 0.25,
  nominalMpp: 0.25,
  tilesDone: 0,
  tilesTotal: 4,
  objects: 0,
  elapsedMs: 0,
  etaMs: null,
  megapixelsPerSecond: 0,
  unreadableTiles: 0,
  timings: [],
  warnings: [],
  name: 'Whole slide',
  startedAt: '2026-11-22T00:00:00.000Z',
  cutObjects: 0,
  certainty: noCertainty,
  keptMegapixels: 0,
  resumedTiles: 0,
  settling: false,
  error: null,
  ...part,
})

export interface SentCall {
  readonly name: CallName
  readonly arg: unknown
}
type Answers = Partial<Record<CallName, (arg: unknown) => Result<unknown>>>

/** What a window asks by itself: an engine without runs answers so. */
const nothing = () => ({ ok: true as const, value: [] })
/** An empty document. */
const document = (): Result<DocumentState> => ({
  ok: true,
  value: {
    path: null,
    name: null,
    revision: 0,
    undo: null,
    redo: null,
    classes: [],
    slides: [],
    runs: [],
    slide: null,
    regions: [],
    places: [],
    recovered: false,
    trouble: null,
  },
})
const quiet: Answers = {
  'run:list': nothing,
  'run:tiles': nothing,
  'journal:list': nothing,
  'project:state': document,
  'project:slides': nothing,
  'project:restore': nothing,
  // A moment after a look was changed: it may come while the next test runs.
  'slide:keepLooks': nothing,
  'start:list': () => ({ ok: true, value: { slides: [], projects: [], unnamed: [] } }),
  'cohort:state': () => ({ ok: true, value: null }),
}

/** A fresh window, connecting, whose calls are answered by `answers`, and listed. */
export function setUpWindow(answers: Answers): {
  asked: SentCall[]
  connect: (connection: Connection) => void
  happens: (event: AppEvent) => void
} {
  const asked: SentCall[] = []
  const listeners = new Set<(connection: Connection) => void>()
  const hearers = new Set<(event: AppEvent) => void>()
  const api: Api = {
    call: (name, arg) => {
      asked.push({ name, arg })
      const answer = answers[name] ?? quiet[name]
      if (!answer) throw new Error(`the test expects no call ${name}`)
      // The table is the test's own: its values are of the contract.
      return Promise.resolve(answer(arg)) as never
    },
    onEvent: (hearer) => {
      hearers.add(hearer)
      return () => void hearers.delete(hearer)
    },
    onConnection: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tileUrl: (path) => path,
    pathOfFile: () => null,
  }
  setApi(api)
  useStore.setState(firstState, true)
  notificationsStore.setState({ ...notificationsStore.getState(), notifications: [], queue: [] })
  return {
    asked,
    connect: (connection) => listeners.forEach((listener) => listener(connection)),
    happens: (event) => hearers.forEach((hearer) => hearer(event)),
  }
}

/** The same with a slide open on a machine. */
export function setUpSlide(app: AppInfo, answers: Answers): SentCall[] {
  const { asked } = setUpWindow(answers)
  patch('slide', { info: slide })
  patch('ui', {
    app,
    connection: 'online',
    view: { center: { x: 500, y: 400 }, zoom: 1, rotation: 0, flipped: false, width: 800, height: 600 },
  })
  update('recipe', (recipe) => setSpecs(recipe, [spec], 'plain'))
  return asked
}
