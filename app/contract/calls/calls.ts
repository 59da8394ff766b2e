// Every call: its argument, its value, and who answers it.
import { AppInfo } from '../appInfo'
import { CohortRequest, CohortState, ProjectSlide, ProjectSummary, SummaryFrom } from '../document/cohorts'
import { RunComparison } from '../results/comparisons'
import { CarriedCorrections } from '../document/corrections'
import { Cuts } from '../results/cuts'
import { DeviceNames } from '../runs/devices'
import { FurtherPart, mostAskedRegions, PlacedRegion } from '../document/documentChange'
import { Explanation } from '../results/explanations'
import { ExportRequest, ExportResult } from '../runs/exports'
import { FileEntry } from '../base/files'
import { Region } from '../base/geometry'
import { importCalls } from '../document/imports'
import { JournalId, KeptId, RegionId, RunId, SlideId, SlideKey } from '../base/ids'
import { ClickOutline, ObjectDetails } from '../results/objects'
import {
  AddedSlide,
  DocumentState,
  MeasuredPart,
  RegionExport,
  TextPart,
  MeasureRequest,
  Line,
  ObjectChoice,
  ObjectEdit,
  RegionMeasure,
  StateRequest,
} from '../document/project'
import { filePath, toldPath } from '../base/paths'
import { Recipe, RecipeSpec, RecipeVersion, VersionName } from '../recipes'
import { HotSpot, HotSpotField } from '../classes/hotSpot'
import { DocumentCommand } from '../records/command'
import { ObjectRule } from '../records/corrections'
import { Shape } from '../records/shapes'
import { ChannelLooks } from '../records/slide'
import { AddedObject, DrawnObject, ObjectReshape, ObjectStroke, RedrawnObject, ReshapedObjects } from '../document/reshaping'
import { JournalEntry, RunEntry, RunEstimate, RunRequest, RunStatus, RunTimeline, RunVerification } from '../runs/runs'
import { RecentSlide, Settings, StartItems, UnnamedId } from '../document/settings'
import { ChannelChoice, ClassLimit, Mpp, Recognition, SlideInfo, StainMethod } from '../slides'
import { ColumnKey, TableGroup, TableRequest, TableView } from '../results/table'
import { TileRef } from '../tiles'
import { WandNode, WandRequest } from '../document/wand'
import { CoreSearch, FoundCores } from '../tma/found'
import { regionImageCalls } from '../runs/regionImages'
import { sectionCalls } from '../document/sections'
import { spatialCalls } from './spatialCalls'
import * as z from '../zod'

const none = z.undefined().or(z.null()).or(z.strictObject({}))

/** Every call: its argument and its value. Shells check the argument here before the engine sees it. */
export const calls = {
  'app:info': { arg: none, value: AppInfo },
  /** A file that is open already, and has not changed since, keeps its id; `channel`: see ChannelChoice; absent: as the project has it. slide:close frees it at the last close, once no run needs it. */
  'slide:open': {
    arg: z.strictObject({ path: filePath, mpp: Mpp.optional(), channel: ChannelChoice.optional() }),
    value: SlideInfo,
  },
  'slide:close': { arg: z.strictObject({ slideId: SlideId }), value: z.null() },
  /** What its files are to be called, without an ending: its name, or the exports' pseudonym. `deidentify` absent: as the settings say. */
  'slide:fileName': { arg: z.strictObject({ slideId: SlideId, deidentify: z.boolean().optional() }), value: z.string() },
  /** How its channels are shown, as the document has it; null: nobody has changed that. */
  'slide:looks': { arg: z.strictObject({ slideId: SlideId }), value: ChannelLooks.nullable() },
  /** No step of history. INVALID_PARAMETER where there is not one for each channel, OUTPUT_FAILED. */
  'slide:keepLooks': { arg: z.strictObject({ slideId: SlideId, looks: ChannelLooks }), value: z.null() },
  /** Reads its overview; the same answer for the same file. */
  'slide:recognise': { arg: z.strictObject({ slideId: SlideId }), value: Recognition },
  /**
   * The recipe's stains as the slide's own sample has them: values of its stage `stains` by key, which nobody puts in by himself; null where the
   * sample does not tell them (too little stain, or one stain alone). `within`: of a sample of that region alone. INVALID_PARAMETER where the
   * recipe has no such stage, or the region lies outside the slide.
   */
  'slide:stains': {
    arg: z.strictObject({
      slideId: SlideId,
      recipe: Recipe,
      mpp: Mpp.optional(),
      method: StainMethod,
      within: Shape.optional(),
    }),
    value: z.record(z.string(), z.number()).nullable(),
  },
  /**
   * The limit between the recipe's classes (its spec's `classes.limit`, OD) that parts the nuclei of the slide's sample best, and how many of them
   * are above it; null where the sample has too few. `within`: of a sample of that region alone. INVALID_PARAMETER where the recipe has no
   * classes, or the region lies outside the slide.
   */
  'slide:classLimit': {
    arg: z.strictObject({ slideId: SlideId, recipe: Recipe, mpp: Mpp.optional(), within: Shape.optional() }),
    value: ClassLimit.nullable(),
  },
  'recipe:list': { arg: none, value: z.array(RecipeSpec) },
  /** Checks every value against its spec; INVALID_PARAMETER says `where`. */
  'recipe:load': { arg: z.strictObject({ path: filePath }), value: Recipe },
  /** Versions of recipes under names, which every window and `run --recipe NAME` of this user find; by name. */
  'recipe:versions': { arg: none, value: z.array(RecipeVersion) },
  /** OUTPUT_EXISTS: the name is taken, and `replace` was not said. */
  'recipe:keep': { arg: z.strictObject({ name: VersionName, recipe: Recipe, replace: z.boolean() }), value: z.null() },
  'recipe:forget': { arg: z.strictObject({ name: VersionName }), value: z.null() },
  'recipe:save': { arg: z.strictObject({ path: filePath, recipe: Recipe }), value: z.null() },
  /** CANCELLED: of a preview whose page has asked for another one since. The last one that is asked for stays, whichever is ready first. */
  'run:start': { arg: RunRequest, value: RunStatus },
  'run:cancel': { arg: z.strictObject({ runId: RunId }), value: RunStatus },
  /** No new tile of it is begun until it goes on; nothing where it is paused, or over, already. */
  'run:pause': { arg: z.strictObject({ runId: RunId }), value: RunStatus },
  'run:continue': { arg: z.strictObject({ runId: RunId }), value: RunStatus },
  'run:status': { arg: z.strictObject({ runId: RunId }), value: RunStatus },
  /** Every run that the engine knows, of all slides, oldest first; previews too. */
  'run:list': { arg: none, value: z.array(RunEntry) },
  /** Cancels the run where it is not over, and lets go of all that it holds. */
  'run:delete': { arg: z.strictObject({ runId: RunId }), value: z.null() },
  /** Every tile announced so far under its newest revision: for a page that was not there when it was announced. */
  'run:tiles': { arg: z.strictObject({ runId: RunId }), value: z.array(TileRef) },
  /**
   * Goes on with a run that was cancelled: from its journal, in its place, or from what the document holds of it, beside it. NOT_FOUND where there is no
   * journal; INVALID_PARAMETER where it was not cancelled.
   */
  'run:resume': { arg: z.strictObject({ runId: RunId }), value: RunStatus },
  /** Of a run that is over, by the settings' field where none is given; null: its objects are not positive or negative, no field holds enough of them, or the slide's pixel size is not known. */
  'run:hotSpot': { arg: z.strictObject({ runId: RunId, field: HotSpotField.optional() }), value: HotSpot.nullable() },
  /** The shapes that it ran within, level-0 px, which never change: a status says only that there are some. None: it ran in all of its region. */
  'run:within': { arg: z.strictObject({ runId: RunId }), value: z.array(Shape) },
  /** INVALID_PARAMETER where the run itself would be refused. */
  'run:estimate': {
    arg: z.strictObject({
      slideId: SlideId,
      region: z.union([Region, z.literal('whole')]),
      recipe: Recipe,
      mpp: Mpp.optional(),
      device: DeviceNames.optional(),
      threads: z.number().int().min(1).max(1024).optional(),
    }),
    value: RunEstimate,
  },
  /** So far. */
  'run:timeline': { arg: z.strictObject({ runId: RunId }), value: RunTimeline },
  /** Two runs of one slide that are done, at one resolution: how their objects and values differ. INVALID_PARAMETER. */
  'run:compare': { arg: z.strictObject({ a: RunId, b: RunId }), value: RunComparison },
  /**
   * Computes parts of a run that is done once more, each in one window on the CPU, and compares every object: outlines and figures, to the bit.
   * `regions`: level-0 px; `random`: as many squares of 1024 analysed px of its region. What was found is the run's from then on (run.json).
   */
  'run:verify': {
    arg: z.strictObject({
      runId: RunId,
      regions: z.array(Region).max(1000),
      random: z.number().int().min(0).max(1000),
    }),
    value: RunVerification,
  },
  /** Runs that died with their engine, of which a journal is left; the newest first. Not those that go on, here or in another process. */
  'journal:list': { arg: none, value: z.array(JournalEntry) },
  /**
   * Goes on with a run that died, on the slide that was opened for it again. INVALID_PARAMETER where the slide or the program is another, or
   * the journal cannot be trusted; NOT_FOUND where it is gone or somebody else has it.
   */
  'journal:resume': {
    arg: z.strictObject({
      journalId: JournalId,
      slideId: SlideId,
      device: DeviceNames.optional(),
      threads: z.number().int().min(1).max(1024).optional(),
    }),
    value: RunStatus,
  },
  'journal:delete': { arg: z.strictObject({ journalId: JournalId }), value: z.null() },
  /** The object under a point of a run's result, or null. */
  'object:at': { arg: z.strictObject({ runId: RunId, x: z.number(), y: z.number() }), value: ObjectDetails.nullable() },
  /** The object of a number (ObjectDetails.id). NOT_FOUND. */
  'object:numbered': { arg: z.strictObject({ runId: RunId, id: z.number().int().min(1) }), value: ObjectDetails },
  /** A run's objects filtered and sorted; their rows are at tilePaths.table. INVALID_PARAMETER says what is wrong with the filter, and where. */
  'table:view': { arg: TableRequest, value: TableView },
  /** A column of a view's objects by class, or by the regions of interest of the document's slide with this key. NOT_FOUND: the view is kept no more. */
  'table:groups': {
    arg: z.strictObject({ runId: RunId, view: z.number().int(), column: ColumnKey, regionsOf: SlideKey.nullable() }),
    value: z.array(TableGroup),
  },
  /** The row of an object in a view; null: the filter left it out. NOT_FOUND where the view is kept no more. */
  'table:row': {
    arg: z.strictObject({ runId: RunId, view: z.number().int(), id: z.number().int() }),
    value: z.number().int().nullable(),
  },
  /**
   * Click to segment: the recipe on a window around the point; the object under it, or null, is what a run finds there. `outlined`: what fits the
   * image better, where that is another one.
   */
  'object:segment': {
    arg: z.strictObject({
      slideId: SlideId,
      recipe: Recipe,
      x: z.number(),
      y: z.number(),
      mpp: Mpp.optional(),
    }),
    value: z.object({ object: ObjectDetails.nullable(), outlined: ClickOutline.nullable(), elapsedMs: z.number() }),
  },
  /**
   * Why the recipe puts a point into an object or into none; null off the slide. `offers`: also look for values that would keep it, each of
   * which is tried before it is offered.
   */
  'object:why': {
    arg: z.strictObject({
      slideId: SlideId,
      recipe: Recipe,
      x: z.number(),
      y: z.number(),
      mpp: Mpp.optional(),
      offers: z.boolean(),
    }),
    value: Explanation.nullable(),
  },
  /** Where a field turns by a threshold's slider; null where the recipe cuts nothing by that parameter. */
  'field:cuts': {
    arg: z.strictObject({
      slideId: SlideId,
      recipe: Recipe,
      region: Region,
      stage: z.string().max(64),
      param: z.string().max(64),
      mpp: Mpp.optional(),
    }),
    value: Cuts.nullable(),
  },
  /** Not about objects of a run: of the image itself. null: off the slide, or too long a stroke. */
  'field:wand': { arg: WandRequest, value: WandNode.nullable() },
  'export:start': { arg: ExportRequest, value: ExportResult },
  'export:cancel': { arg: z.strictObject({ runId: RunId }), value: z.null() },
  /** The document as it stands, with the regions of the slide that is named. */
  'project:state': { arg: StateRequest, value: DocumentState },
  /** What an answer in parts has left, from that place on. NOT_FOUND: it is held no more, ask anew. */
  'project:more': { arg: z.strictObject({ more: z.number().int(), from: z.number().int().min(0) }), value: FurtherPart },
  /** Regions by their ids, without those that are gone: of what was told by key alone. */
  'project:regions': { arg: z.strictObject({ ids: z.array(RegionId).max(mostAskedRegions) }), value: z.array(PlacedRegion) },
  /**
   * Changes the document: answered when the change is on the disk. `slideId`: the slide that the command speaks of, which is the document's
   * from then on. INVALID_PARAMETER where it does not fit; OUTPUT_FAILED where it could not be written, and then nothing has changed.
   */
  'project:do': {
    arg: z.strictObject({ slideId: SlideId.nullable(), command: DocumentCommand }),
    value: z.object({ revision: z.number(), name: z.string() }),
  },
  /** Keeps a done run's objects in the document, with whatever was or will be done to them. */
  'project:keep': { arg: z.strictObject({ runId: RunId }), value: z.object({ keptId: KeptId }) },
  /** The runs of a slide that the document holds, once their objects are there. A window need not ask: they come by themselves. */
  'project:restore': { arg: z.strictObject({ slideId: SlideId }), value: z.array(RunStatus) },
  /** The document lets go of a run: its objects, what was done to them, and those steps of history. They cannot be had back. */
  'project:drop': { arg: z.strictObject({ keptId: KeptId }), value: z.null() },
  /** Changes objects of a run that is done, which the document holds from then on: one step of its history, named as it is in the menu. */
  'object:edit': {
    arg: z.strictObject({ runId: RunId, choice: ObjectChoice, edit: ObjectEdit }),
    value: z.object({ name: z.string(), objects: z.number() }),
  },
  /**
   * Makes one object of several: their pixels, and those between where they lie apart by two analysed px at most. Measured on the slide as the
   * run measures. One step of history; `object` is its number. INVALID_PARAMETER where they lie farther apart.
   */
  'object:merge': {
    arg: z.strictObject({ runId: RunId, choice: ObjectChoice }),
    value: z.object({ name: z.string(), object: z.number() }),
  },
  /** Splits every object that the line (level-0 px) cuts through: one step of history. INVALID_PARAMETER where it cuts none. */
  'object:split': {
    arg: z.strictObject({ runId: RunId, line: Line }),
    value: z.object({ name: z.string(), objects: z.number() }),
  },
  /**
   * Holes filled, or a Euclidean disc of so much radius more or less, of each chosen object by itself; no pixel of another object is taken. One step
   * of history. INVALID_PARAMETER where nothing would change, or it is too much for one step.
   */
  'object:reshape': {
    arg: z.strictObject({ runId: RunId, choice: ObjectChoice, how: ObjectReshape }),
    value: ReshapedObjects,
  },
  /**
   * An object that the program has not, measured as the run measures: of the shape what is no other object's, and what was left out of it. One
   * step of history. INVALID_PARAMETER where there is nothing, or an object already, or the run did not look there.
   */
  'object:add': { arg: z.strictObject({ runId: RunId, what: DrawnObject }), value: AddedObject },
  /** A stroke added to an object, or rubbed out of it; no pixel of another object is taken. One step of history. */
  'object:redraw': { arg: z.strictObject({ runId: RunId, stroke: ObjectStroke }), value: RedrawnObject },
  /** How many objects a choice means now: those that were deleted are none. */
  /** `outlines`: the first thousands of them also as rings of level-0 px, for a window to draw. */
  'object:count': {
    arg: z.strictObject({ runId: RunId, choice: ObjectChoice, outlines: z.literal(true).optional() }),
    value: z.object({ objects: z.number(), outlines: z.array(z.array(z.tuple([z.number(), z.number()]))).optional() }),
  },
  /** What class the objects of a done run are of, but for those that have one by hand; null: as its recipe has it. */
  'object:rule': {
    arg: z.strictObject({ runId: RunId, rule: ObjectRule.nullable() }),
    value: z.object({ name: z.string() }),
  },
  /**
   * What was done by hand to the objects of `from` is done to those of `to` that are the same (an IoU of one half or more): one step of history.
   * Both are done, of one slide, at one resolution: INVALID_PARAMETER.
   */
  'object:carry': { arg: z.strictObject({ from: RunId, to: RunId }), value: CarriedCorrections },
  /** The name of the step; null: there was none. */
  'project:undo': { arg: none, value: z.string().nullable() },
  'project:redo': { arg: none, value: z.string().nullable() },
  /** A folder NAME.morphoscope. NOT_FOUND, or INVALID_PARAMETER where it is none, is damaged, or is open elsewhere, which says by whom. */
  'project:open': { arg: z.strictObject({ path: filePath }), value: z.null() },
  /** All that there is, as the folder `path`, which is made; the document is there from then on. OUTPUT_EXISTS. */
  'project:save': { arg: z.strictObject({ path: filePath }), value: z.null() },
  /** An empty one without a name; the one before stays where it is. */
  'project:new': { arg: none, value: z.null() },
  /** A document without a name, of those that `start:list` tells. NOT_FOUND, and as `project:open`. */
  'project:openUnnamed': { arg: z.strictObject({ id: UnnamedId }), value: z.null() },
  /** Deletes one with all that is in it. INVALID_PARAMETER where it is open, here or elsewhere. */
  'project:deleteUnnamed': { arg: z.strictObject({ id: UnnamedId }), value: z.null() },
  /** The document's slides, in the order of their names. Looks for each file. */
  'project:slides': {
    /** `seen`: files that were found before are taken to be there still; nobody looks for them again. `keys`: these slides alone. */
    arg: none.or(z.strictObject({ seen: z.literal(true), keys: z.array(SlideKey).max(1000).optional() })),
    value: z.array(ProjectSlide),
  },
  /** The slide is the document's from now on. Not a step of history. */
  'project:add': { arg: z.strictObject({ slideId: SlideId }), value: AddedSlide },
  /** The same for a file that nobody need have open; `mpp` is what a person says of it. SLIDE_UNREADABLE, NOT_FOUND. */
  'project:addFile': {
    arg: z.strictObject({ path: filePath, mpp: Mpp.optional(), channel: ChannelChoice.optional() }),
    value: AddedSlide.extend({ name: z.string() }),
  },
  /**
   * Takes a slide out of the document, with its runs that nobody corrected; its file stays. INVALID_PARAMETER where it has regions or
   * corrections, or a recipe is being run over it. Not a step of history: a step that brings regions of it back brings it back.
   */
  'project:remove': { arg: z.strictObject({ key: SlideKey }), value: z.null() },
  /**
   * Begins a recipe over whole slides, one after the other, in turn with other runs: events tell how it goes. A slide that fails stops no other.
   * INVALID_PARAMETER where one is going on.
   */
  'cohort:run': { arg: CohortRequest, value: CohortState },
  /** What is done stays done. */
  'cohort:cancel': { arg: none, value: z.null() },
  /** The one that goes on, or the last; null: there was none. */
  'cohort:state': { arg: none, value: CohortState.nullable() },
  /**
   * One table over slides and regions; opens each slide. `keys`: of these alone. `runIds`: results that are chosen, on their slides: on each the
   * first is the one that figures follow (main/project/regions/regionResults.ts), and others count beside those that are kept. Slides without a chosen
   * one follow their newest kept result of the same recipe and values, else their newest of those that `from` means; absent: own.
   */
  'project:summary': {
    arg: z.strictObject({
      keys: z.array(SlideKey).optional(),
      runIds: z.array(RunId).max(100_000).optional(),
      from: SummaryFrom.optional(),
      /** Slides under their exports' pseudonyms, in rows, notes and CSV; absent: as the settings say. */
      deidentify: z.boolean().optional(),
    }),
    value: ProjectSummary,
  },
  /** Looks at the slide alone: what is kept of it is a command of the document. INVALID_PARAMETER without a pixel size, NOT_FOUND without an array. */
  'slide:cores': { arg: CoreSearch, value: FoundCores },
  'project:measure': { arg: MeasureRequest, value: z.array(RegionMeasure) },
  'project:measureAll': { arg: MeasureRequest.omit({ ids: true }), value: MeasuredPart },
  ...importCalls,
  ...regionImageCalls,
  ...sectionCalls,
  ...spatialCalls,
  /**
   * The slide's regions as QuPath's GeoJSON, all or some. `deidentify`: without names that people have typed; absent: as the settings say.
   * `boundsOf`: coordinates begin at the bounds of this slide, which is open, and the file says so; absent: at the slide's corner.
   */
  'project:export': { arg: RegionExport, value: z.string() },
  /** The same in pieces: the first, and the others are `project:more`'s. */
  'project:exportParts': { arg: RegionExport, value: TextPart },
  'settings:get': { arg: none, value: Settings },
  'settings:set': { arg: Settings.partial(), value: Settings },
  'recent:list': { arg: none, value: z.array(RecentSlide) },
  'recent:clear': { arg: none, value: z.null() },
  'start:list': { arg: none, value: StartItems },
  /** Takes a slide or a project off the lists; its file stays. */
  'start:forget': { arg: z.strictObject({ path: filePath }), value: z.null() },
  /** Folders and slide files below the folders that the shell allows (the browser has no file dialog). */
  'files:list': {
    arg: z.strictObject({ path: filePath.optional() }),
    value: z.object({ path: toldPath, parent: toldPath.nullable(), entries: z.array(FileEntry) }),
  },
  /** The system's dialogs (desktop only): null = dismissed. */
  'dialog:slide': { arg: none, value: z.string().nullable() },
  /** Several at once; none = dismissed. */
  'dialog:slides': { arg: none, value: z.array(z.string()) },
  'dialog:directory': { arg: z.strictObject({ title: z.string().max(200) }), value: z.string().nullable() },
  'dialog:recipe': { arg: z.strictObject({ mode: z.enum(['open', 'save']) }), value: z.string().nullable() },
  /** Shows a file that an export of this session wrote in the system's file manager (desktop only). */
  'export:show': { arg: z.strictObject({ path: filePath }), value: z.null() },
  /** Opens a report that an export of this session wrote in the system's program for it, while it is as it was written (desktop only). */
  'export:open': { arg: z.strictObject({ path: filePath }), value: z.null() },
  /** Starts an engine where there is none any more, or replaces the living one (after GPU_LOST). Answered when the new one is up. */
  'engine:restart': { arg: none, value: z.null() },
} as const
export type Calls = typeof calls
export type CallName = keyof Calls
export type CallArg<N extends CallName> = z.input<Calls[N]['arg']>
export type CallValue<N extends CallName> = z.output<Calls[N]['value']>
