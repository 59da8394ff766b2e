// Facts that the engine and the shell tell: no pixels.
import { CohortState } from '../document/cohorts'
import { DocumentChange } from '../document/documentChange'
import { ExportFile } from '../runs/exports'
import { RunId, SlideId, SlideKey } from '../base/ids'
import { RunStatus } from '../runs/runs'
import { TileRef } from '../tiles'
import * as z from '../zod'

export const AppEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run:progress'), status: RunStatus }),
  z.object({ type: z.literal('run:tiles'), runId: RunId, tiles: z.array(TileRef) }),
  /** Final: state is done, cancelled or failed. */
  z.object({ type: z.literal('run:end'), status: RunStatus }),
  /** A run was started, deleted, let go of or had its turn: ask run:list again. `message`: what was let go of and why, for the user. */
  z.object({ type: z.literal('runs:changed'), message: z.string().optional() }),
  /** `file`: the one that is written; null: what files tell beside the objects is still gathered. */
  z.object({ type: z.literal('export:progress'), runId: RunId, file: ExportFile.nullable(), fraction: z.number() }),
  /** Of spatial measures (settings.spatial) that are being made for the table or for files. */
  z.object({ type: z.literal('spatial:progress'), runId: RunId, fraction: z.number() }),
  /** Of an import of regions that is under way, several times a second. */
  z.object({ type: z.literal('import:progress'), slideId: SlideId, fraction: z.number() }),
  /** The same of pictures of a slide's regions. */
  z.object({ type: z.literal('images:progress'), slideId: SlideId, fraction: z.number() }),
  /** The same of an export of a slide's regions. */
  z.object({ type: z.literal('regions:written'), key: SlideKey, fraction: z.number() }),
  /** The document is another. `change`: by what, from the revision before; absent: by too much to tell, so ask project:state again. */
  z.object({ type: z.literal('document:changed'), revision: z.number(), change: DocumentChange.optional() }),
  /** A slide of the document has a picture by now: what project:slides says of it is another. */
  z.object({ type: z.literal('slides:pictured'), key: SlideKey }),
  /** How a recipe over slides of the document goes: twice a second, and whenever a slide begins or ends. */
  z.object({ type: z.literal('cohort:changed'), cohort: CohortState }),
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
