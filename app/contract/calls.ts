// Every call: its argument, its value, and who answers it.
import { AppInfo } from './appInfo'
import { DeviceName } from './devices'
import { ExportRequest, ExportResult } from './exports'
import { FileEntry } from './files'
import { Region } from './geometry'
import { RunId, SlideId } from './ids'
import { ObjectDetails } from './objects'
import { Recipe, RecipeSpec } from './recipes'
import { RunEntry, RunEstimate, RunRequest, RunStatus } from './runs'
import { RecentSlide, Settings } from './settings'
import { Mpp, SlideInfo } from './slides'
import { TileRef } from './tiles'
import * as z from './zod'

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
  'slide:open': { arg: z.strictObject({ path: filePath, mpp: Mpp.optional() }), value: SlideInfo },
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
      mpp: Mpp.optional(),
      device: DeviceName.optional(),
      threads: z.number().int().min(1).max(1024).optional(),
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
      mpp: Mpp.optional(),
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
