// The TypeScript floor: every type, call, event, URL and error code that crosses a process. Imports only zod.
import { z } from 'zod'

// A Content-Security-Policy without 'unsafe-eval' would make zod's compiler probe fail noisily.
z.config({ jitless: true })

// ------------------------------------------------------------------ errors and results

export const errorCodes = [
  'INVALID_PARAMETER',
  'SLIDE_UNREADABLE',
  'SLIDE_CHANGED',
  'NOT_FOUND',
  'NATIVE_UNAVAILABLE',
  'GPU_UNAVAILABLE',
  'GPU_OUT_OF_MEMORY',
  'GPU_LOST',
  'OUT_OF_MEMORY',
  'OUTPUT_FAILED',
  'OUTPUT_EXISTS',
  'ENGINE_LOST',
  /** The caller took the call back (its AbortSignal): an outcome that nobody is shown. */
  'CANCELLED',
  'INTERNAL',
] as const
export const ErrorCode = z.enum(errorCodes)
export type ErrorCode = z.infer<typeof ErrorCode>

/** A place in a recipe: a stage, or one of its parameters. */
export const RecipePlace = z.object({ stage: z.string(), param: z.string().optional() })
export type RecipePlace = z.infer<typeof RecipePlace>

/** What happened, to which file or value, and what to do next (`message`); a log-only addition (`detail`); the value that it is about (`where`). */
export const AppError = z.object({
  code: ErrorCode,
  message: z.string(),
  detail: z.string().optional(),
  where: RecipePlace.optional(),
})
export type AppError = z.infer<typeof AppError>

/** Calls never throw across a process: Electron keeps only an error's message. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: AppError }

// ------------------------------------------------------------------ geometry

const px = z
  .number()
  .int()
  .min(-(2 ** 40))
  .max(2 ** 40)
const size = z
  .number()
  .int()
  .min(1)
  .max(2 ** 40)
/** A rectangle in level-0 pixels. */
export const Region = z.strictObject({ x: px, y: px, width: size, height: size })
export type Region = z.infer<typeof Region>

/** A number, and the random part of the engine process that gave it: no id of a process that died names anything in the next. */
export const SlideId = z.string().regex(/^s[0-9]{1,9}-[a-z0-9]{6,20}$/)
export const RunId = z.string().regex(/^r[0-9]{1,9}-[a-z0-9]{6,20}$/)

// ------------------------------------------------------------------ slides

export const SlideLevel = z.object({
  widthPx: z.number(),
  heightPx: z.number(),
  /** The level's own downsample: not always an integer. */
  downsample: z.number(),
  tileWidthPx: z.number(),
  tileHeightPx: z.number(),
})
export const MppSource = z.enum(['vendor', 'tiff-resolution', 'ome-xml', 'given', 'none'])

export const SlideInfo = z.object({
  slideId: SlideId,
  /** File name without its folder. */
  name: z.string(),
  path: z.string(),
  vendor: z.string(),
  reader: z.string(),
  readerVersion: z.string(),
  widthPx: z.number(),
  heightPx: z.number(),
  levels: z.array(SlideLevel),
  /** µm per level-0 pixel; null = uncalibrated. */
  mppX: z.number().nullable(),
  mppY: z.number().nullable(),
  mppSource: MppSource,
  objectivePower: z.number().nullable(),
  bounds: Region,
  background: z.string(),
  /** Names only: a label can carry a patient's name, so its pixels are sent on request alone. */
  associatedImages: z.array(z.string()),
  properties: z.record(z.string(), z.string()),
  warnings: z.array(z.string()),
  /** The viewer's pyramid: level k is level 0 halved k times; tiles of tileSizePx; k runs from 0 to maxLevel. */
  viewer: z.object({ tileSizePx: z.number().int(), maxLevel: z.number().int() }),
})
export type SlideInfo = z.infer<typeof SlideInfo>

// ------------------------------------------------------------------ recipes

export const ParamValue = z.union([z.number(), z.boolean(), z.string()])
export type ParamValue = z.infer<typeof ParamValue>

/** µm and µm² are resolved at the analysed resolution; px and px² are of the analysed image; level: a grey value. */
export const Unit = z.enum(['um', 'um2', 'px', 'px2', 'level', 'od', 'ratio', 'count', 'none'])
export type Unit = z.infer<typeof Unit>

const paramBase = { key: z.string(), label: z.string(), help: z.string(), advanced: z.boolean().optional() }
export const ParamSpec = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('number'),
    ...paramBase,
    unit: Unit,
    min: z.number(),
    max: z.number(),
    step: z.number(),
    default: z.number(),
    integer: z.boolean().optional(),
  }),
  z.object({
    kind: z.literal('choice'),
    ...paramBase,
    choices: z.array(z.object({ value: z.string(), label: z.string() })),
    default: z.string(),
  }),
  z.object({ kind: z.literal('toggle'), ...paramBase, default: z.boolean() }),
])
export type ParamSpec = z.infer<typeof ParamSpec>

export const StageSpec = z.object({ id: z.string(), label: z.string(), help: z.string(), params: z.array(ParamSpec) })
export type StageSpec = z.infer<typeof StageSpec>

/** A bundled recipe file (assets/recipes/*.json): a pipeline of the native engine with what each of its parameters means. */
export const RecipeSpec = z.object({
  format: z.literal('morphoscope-recipe-spec'),
  version: z.literal(1),
  id: z.string().regex(/^[a-z0-9-]+$/),
  name: z.string(),
  description: z.string(),
  /** The native pipeline's id. */
  pipeline: z.string(),
  stages: z.array(StageSpec),
  /** Intermediate images that the layer switch offers, in stage order; `id` is the native plane's name. */
  layers: z.array(z.object({ id: z.string(), label: z.string() })),
  /** Which stain set its channels come from: decides the stain layers and the OD measurements. */
  stainSet: z.enum(['h-e', 'h-dab']),
})
export type RecipeSpec = z.infer<typeof RecipeSpec>

/** What the sliders edit, the CLI takes and every export carries: a spec's id with values. Absent values are defaults. */
export const Recipe = z.strictObject({
  format: z.literal('morphoscope-recipe'),
  version: z.literal(1),
  /** Id of a RecipeSpec. */
  spec: z
    .string()
    .max(64)
    .regex(/^[a-z0-9-]+$/),
  name: z.string().max(200),
  params: z.record(z.string().max(64), z.record(z.string().max(64), ParamValue)),
})
export type Recipe = z.infer<typeof Recipe>

// ------------------------------------------------------------------ runs

/** What computes: the CPU's cores together, or one GPU. */
export const deviceNames = /^(cpu|gpu(0|[1-9][0-9]{0,2}))$/
/** preview: the visible field, low latency, keeps intermediate images; run: for keeps; click: one object. */
export const RunPurpose = z.enum(['preview', 'run'])
export const RunRequest = z.strictObject({
  slideId: SlideId,
  /** Level-0 px; 'whole' = the slide's bounds. An object belongs to a region if its first pixel (raster order) lies in it. */
  region: z.union([Region, z.literal('whole')]),
  recipe: Recipe,
  purpose: RunPurpose,
  /** Tiles near this point come first (level-0 px). */
  focus: z.strictObject({ x: z.number(), y: z.number() }).optional(),
  /** Overrides the slide's calibration, µm/px. */
  mpp: z.number().min(0.01).max(100).optional(),
  threads: z.number().int().min(1).max(1024).optional(),
  /** Default: the CPU. GPU_UNAVAILABLE where it is not there: no other device takes its place. */
  device: z.string().regex(deviceNames, 'expected cpu, gpu0, gpu1, …').optional(),
  /** What a list calls it; the engine adds a number where the slide has one of that name already. */
  name: z.string().min(1).max(100).optional(),
})
export type RunRequest = z.infer<typeof RunRequest>

export const StageTiming = z.object({
  stage: z.string(),
  device: z.string(),
  variant: z.string(),
  ms: z.number(),
  megapixels: z.number(),
})
export type StageTiming = z.infer<typeof StageTiming>

/** queued: waits for another run to end; nothing of it is computed yet. */
export const RunState = z.enum(['queued', 'running', 'done', 'cancelled', 'failed'])
export type RunState = z.infer<typeof RunState>
/** Nothing comes after it. */
export const isOver = ({ state }: { readonly state: RunState }): boolean => state !== 'queued' && state !== 'running'
/** The geometry of a run's result tiles: tile (x, y) of level k covers level-0 [x*t, (x+1)*t) with t = tileSizePx * 2^k * scale. */
export const RunGrid = z.object({
  tileSizePx: z.number().int(),
  /** Level-0 px per analysed px. */
  scale: z.number(),
  maxLevel: z.number().int(),
})
export const RunStatus = z.object({
  runId: RunId,
  slideId: SlideId,
  purpose: RunPurpose,
  /** What a list calls it: "Whole slide", "Rectangle 2". */
  name: z.string(),
  state: RunState,
  /** ISO: when it was asked for. */
  startedAt: z.string(),
  region: Region,
  grid: RunGrid,
  /** µm per analysed px; null = uncalibrated (µm parameters were then read at nominalMpp). */
  analysedMpp: z.number().nullable(),
  nominalMpp: z.number(),
  tilesDone: z.number(),
  tilesTotal: z.number(),
  objects: z.number(),
  /** Of `objects`, those that reach the rim of the window that they were computed in, inside the slide: they may be cut there. */
  cutObjects: z.number(),
  /** Without the time that it was queued. */
  elapsedMs: z.number(),
  /** null while unknown. */
  etaMs: z.number().nullable(),
  megapixelsPerSecond: z.number(),
  unreadableTiles: z.number(),
  /** Taken from what earlier runs had computed, not computed now. */
  keptMegapixels: z.number(),
  /** What was computed for this run, summed over its threads: what was kept from earlier runs is a row of 0 ms. */
  timings: z.array(StageTiming),
  warnings: z.array(z.string()),
  error: AppError.nullable(),
})
export type RunStatus = z.infer<typeof RunStatus>
/** A run as a list shows it, whoever started it. */
export const RunEntry = z.object({
  status: RunStatus,
  /** With every value, defaults included. */
  recipe: Recipe,
  recipeName: z.string(),
  slideName: z.string(),
  slidePath: z.string(),
})
export type RunEntry = z.infer<typeof RunEntry>
/**
 * How long a run would take here. measured: from runs of this recipe on this slide; sampled: from runs of this recipe on others; none: ms is
 * null, as nothing of the kind has run yet.
 */
export const RunEstimate = z.object({
  ms: z.number().nullable(),
  /** Of the analysed image. */
  megapixels: z.number(),
  basis: z.enum(['measured', 'sampled', 'none']),
})
export type RunEstimate = z.infer<typeof RunEstimate>

/** A changed result tile: fetch it again under its new revision. */
export const TileRef = z.object({ level: z.number().int(), x: z.number().int(), y: z.number().int(), revision: z.number().int() })
export type TileRef = z.infer<typeof TileRef>

// ------------------------------------------------------------------ objects

/** Lengths in µm where the slide is calibrated, else in level-0 px (`unit` says which). */
export const ObjectDetails = z.object({
  /** Dense within its run, 1-based. */
  id: z.number().int(),
  unit: z.enum(['um', 'px']),
  area: z.number(),
  perimeter: z.number(),
  circularity: z.number(),
  eccentricity: z.number(),
  majorAxis: z.number(),
  minorAxis: z.number(),
  orientationDeg: z.number(),
  solidity: z.number(),
  /** Level-0 px. */
  centroid: z.object({ x: z.number(), y: z.number() }),
  bounds: Region,
  stains: z.array(z.object({ name: z.string(), mean: z.number(), std: z.number(), min: z.number(), max: z.number() })),
  /** Rings of level-0 px points, first outer ring, then holes and further parts. */
  outline: z.array(z.array(z.tuple([z.number(), z.number()]))),
})
export type ObjectDetails = z.infer<typeof ObjectDetails>

// ------------------------------------------------------------------ exports, settings, devices

export const exportFiles = ['objects.geojson', 'objects.csv', 'labels.ome.tif', 'overlay.png', 'run.json'] as const
export const ExportFile = z.enum(exportFiles)
export type ExportFile = z.infer<typeof ExportFile>
export const ExportRequest = z.strictObject({
  runId: RunId,
  directory: z.string().min(1).max(4096),
  files: z.array(ExportFile).min(1).max(exportFiles.length),
  /** Douglas-Peucker tolerance for outlines, level-0 px; 0 = exact. */
  simplifyPx: z.number().min(0).max(100).optional(),
  /** May files that no earlier export wrote be replaced? Without it OUTPUT_EXISTS names them. */
  overwrite: z.boolean().optional(),
  /** A pseudonym in place of the slide's name, everywhere. */
  deidentify: z.boolean().optional(),
  /** Into a new folder SLIDE_RECIPE_DATE below `directory`. */
  ownFolder: z.boolean().optional(),
})
export type ExportRequest = z.infer<typeof ExportRequest>
export const ExportResult = z.object({
  /** True where export:cancel came in time: then no file was written. */
  cancelled: z.boolean(),
  directory: z.string(),
  files: z.array(z.object({ name: ExportFile, path: z.string(), bytes: z.number(), sha256: z.string() })),
  /** What the files lack, and why: a checksum of a slide that is gone. */
  warnings: z.array(z.string()),
  /** What the files call the slide; '' where none was written. */
  slideName: z.string(),
})
export type ExportResult = z.infer<typeof ExportResult>

export const Settings = z.strictObject({
  threads: z.number().int().min(0).max(1024).describe('0 = all cores'),
  overlayBudgetMiB: z.number().int().min(64).max(65536),
  overlayStyle: z.enum(['outline', 'filled']),
  overlayOpacity: z.number().min(0).max(1),
  exportDirectory: z.string().max(4096),
  /** Exports carry a pseudonym in place of the slide's name. */
  deidentify: z.boolean(),
  recipeSpec: z.string().max(64),
  /** What the window's runs name as their device; one that is not there now stays chosen. */
  device: z.string().regex(deviceNames, 'expected cpu, gpu0, gpu1, …'),
})
export type Settings = z.infer<typeof Settings>
export const RecentSlide = z.object({ path: z.string(), name: z.string(), openedAt: z.string() })
export type RecentSlide = z.infer<typeof RecentSlide>

export const Device = z.object({
  id: z.string(),
  kind: z.enum(['cpu', 'gpu']),
  name: z.string(),
  threads: z.number().optional(),
  memoryMiB: z.number().optional(),
  /** Of a GPU: "9.0". */
  computeCapability: z.string().optional(),
  multiprocessors: z.number().optional(),
})
export const AppInfo = z.object({
  version: z.string(),
  shell: z.enum(['desktop', 'serve', 'cli']),
  devices: z.array(Device),
  /** Why there is no GPU, where there is none. */
  gpuReason: z.string().nullable(),
  openslide: z.object({ available: z.boolean(), version: z.string(), library: z.string(), reason: z.string() }),
  /** A slide to open at the start: the command line's, or the bundled sample. */
  initialSlide: z.string().nullable(),
  /** True where the shell can show the system's file dialogs. */
  dialogs: z.boolean(),
})
export type AppInfo = z.infer<typeof AppInfo>

export const FileEntry = z.object({ name: z.string(), path: z.string(), directory: z.boolean(), sizeBytes: z.number() })
export type FileEntry = z.infer<typeof FileEntry>

// ------------------------------------------------------------------ calls

const filePath = z
  .string()
  .min(1)
  .max(4096)
  .refine((s) => !s.includes('\0'), 'expected a path without NUL')
const none = z.undefined().or(z.null()).or(z.strictObject({}))

/** Every call: its argument and its value. Shells check the argument here before the engine sees it. */
export const calls = {
  'app:info': { arg: none, value: AppInfo },
  /** A file that is open already, and has not changed since, keeps its id; slide:close frees it at the last close, once no run needs it. */
  'slide:open': { arg: z.strictObject({ path: filePath, mpp: z.number().min(0.01).max(100).optional() }), value: SlideInfo },
  'slide:close': { arg: z.strictObject({ slideId: SlideId }), value: z.null() },
  'recipe:list': { arg: none, value: z.array(RecipeSpec) },
  /** Checks every value against its spec; INVALID_PARAMETER says `where`. */
  'recipe:load': { arg: z.strictObject({ path: filePath }), value: Recipe },
  'recipe:save': { arg: z.strictObject({ path: filePath, recipe: Recipe }), value: z.null() },
  'run:start': { arg: RunRequest, value: RunStatus },
  'run:cancel': { arg: z.strictObject({ runId: RunId }), value: RunStatus },
  'run:status': { arg: z.strictObject({ runId: RunId }), value: RunStatus },
  /** Every run that the engine knows, of all slides, oldest first; previews too. */
  'run:list': { arg: none, value: z.array(RunEntry) },
  /** Cancels the run where it is not over, and lets go of all that it holds. */
  'run:delete': { arg: z.strictObject({ runId: RunId }), value: z.null() },
  /** Every tile announced so far under its newest revision: for a page that was not there when it was announced. */
  'run:tiles': { arg: z.strictObject({ runId: RunId }), value: z.array(TileRef) },
  /** INVALID_PARAMETER where the run itself would be refused. */
  'run:estimate': {
    arg: z.strictObject({
      slideId: SlideId,
      region: z.union([Region, z.literal('whole')]),
      recipe: Recipe,
      mpp: z.number().min(0.01).max(100).optional(),
      device: z.string().regex(deviceNames, 'expected cpu, gpu0, gpu1, …').optional(),
    }),
    value: RunEstimate,
  },
  /** The object under a point of a run's result, or null. */
  'object:at': { arg: z.strictObject({ runId: RunId, x: z.number(), y: z.number() }), value: ObjectDetails.nullable() },
  /** Click to segment: the recipe on a window around the point; the object under it, or null. */
  'object:segment': {
    arg: z.strictObject({
      slideId: SlideId,
      recipe: Recipe,
      x: z.number(),
      y: z.number(),
      mpp: z.number().min(0.01).max(100).optional(),
    }),
    value: z.object({ object: ObjectDetails.nullable(), elapsedMs: z.number() }),
  },
  'export:start': { arg: ExportRequest, value: ExportResult },
  'export:cancel': { arg: z.strictObject({ runId: RunId }), value: z.null() },
  'settings:get': { arg: none, value: Settings },
  'settings:set': { arg: Settings.partial(), value: Settings },
  'recent:list': { arg: none, value: z.array(RecentSlide) },
  'recent:clear': { arg: none, value: z.null() },
  /** Folders and slide files below the folders that the shell allows (the browser has no file dialog). */
  'files:list': {
    arg: z.strictObject({ path: filePath.optional() }),
    value: z.object({ path: z.string(), parent: z.string().nullable(), entries: z.array(FileEntry) }),
  },
  /** The system's dialogs (desktop only): null = dismissed. */
  'dialog:slide': { arg: none, value: z.string().nullable() },
  'dialog:directory': { arg: z.strictObject({ title: z.string().max(200) }), value: z.string().nullable() },
  'dialog:recipe': { arg: z.strictObject({ mode: z.enum(['open', 'save']) }), value: z.string().nullable() },
  /** Starts an engine where there is none any more, or replaces the living one (after GPU_LOST). Answered when the new one is up. */
  'engine:restart': { arg: none, value: z.null() },
} as const
export type Calls = typeof calls
export type CallName = keyof Calls
export type CallArg<N extends CallName> = z.input<Calls[N]['arg']>
export type CallValue<N extends CallName> = z.output<Calls[N]['value']>
/** Calls that a shell answers itself; all others go to the engine. */
export const shellCalls = [
  'dialog:slide',
  'dialog:directory',
  'dialog:recipe',
  'files:list',
  'engine:restart',
] as const satisfies readonly CallName[]

// ------------------------------------------------------------------ events: facts, no pixels

export const AppEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run:progress'), status: RunStatus }),
  z.object({ type: z.literal('run:tiles'), runId: RunId, tiles: z.array(TileRef) }),
  /** Final: state is done, cancelled or failed. */
  z.object({ type: z.literal('run:end'), status: RunStatus }),
  /** A run was started, deleted, let go of or had its turn: ask run:list again. `message`: what was let go of and why, for the user. */
  z.object({ type: z.literal('runs:changed'), message: z.string().optional() }),
  z.object({ type: z.literal('export:progress'), runId: RunId, file: ExportFile, fraction: z.number() }),
  /** The engine process died. Its slides and runs are gone; `restarted`: a new one is up, else there is none any more. */
  z.object({
    type: z.literal('engine:lost'),
    message: z.string(),
    restarted: z.boolean(),
    /** False: the slide that was open may have ended this engine by itself; it is offered, not opened again. */
    reopen: z.boolean(),
    /** True where no engine is started by itself any more: 'engine:restart' starts one. */
    canRestart: z.boolean(),
  }),
  /** The shell asks the renderer to open a slide (menu, second instance, file association). */
  z.object({ type: z.literal('slide:requested'), path: z.string() }),
  /** A menu item or its accelerator. */
  z.object({ type: z.literal('command'), command: z.string() }),
])
export type AppEvent = z.infer<typeof AppEvent>

// ------------------------------------------------------------------ pixels travel by URL

export const overlayStyles = ['outline', 'filled'] as const
export type OverlayStyle = (typeof overlayStyles)[number]

/** Paths below the shell's origin. `k` counts halvings of level 0 (viewer tiles) or of the run's grid (result tiles). */
export const tilePaths = {
  slide: (slideId: string, k: number, x: number, y: number) => `/tile/slide/${slideId}/${k}/${x}_${y}`,
  stain: (slideId: string, stainSet: string, channel: number, k: number, x: number, y: number) =>
    `/tile/stain/${slideId}/${stainSet}/${channel}/${k}/${x}_${y}`,
  overlay: (runId: string, style: OverlayStyle, revision: number, k: number, x: number, y: number) =>
    `/tile/overlay/${runId}/${style}/${revision}/${k}/${x}_${y}`,
  layer: (runId: string, layer: string, revision: number, k: number, x: number, y: number) =>
    `/tile/layer/${runId}/${layer}/${revision}/${k}/${x}_${y}`,
  associated: (slideId: string, name: string) => `/tile/associated/${slideId}/${encodeURIComponent(name)}`,
}

/** What preload (desktop) or the WebSocket client (browser) gives the renderer. */
export interface Bridge {
  /** `id`, where given, is an integer of the page's own that is not in flight: `cancel` takes that call back. */
  call<N extends CallName>(name: N, arg: CallArg<N>, id?: number): Promise<Result<CallValue<N>>>
  cancel(id: number): void
  onEvent(listener: (event: AppEvent) => void): () => void
  /** Absolute prefix for tilePaths, e.g. 'morphoscope://app' or ''. */
  tileOrigin: string
  /** The path of a dropped file, where the shell can know it (desktop). */
  pathOfFile(file: File): string | null
}
