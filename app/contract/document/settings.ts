// What the program remembers from one start to the next.
import { HotSpotField } from '../classes/hotSpot'
import { DeviceNames } from '../runs/devices'
import { LanguageChoice } from '../base/language'
import { SlideKey } from '../base/ids'
import { filePathOrNone, toldPath } from '../base/paths'
import { SpatialMeasures } from '../results/spatial'
import * as z from '../zod'

export const Settings = z.strictObject({
  threads: z.number().int().min(0).max(1024).describe('0 = all cores'),
  memoryMiB: z
    .union([z.literal(0), z.number().int().min(512).max(16_777_216)])
    .describe('what the engine may hold while runs go on; 0 = six tenths of what is free when a run starts'),
  overlayBudgetMiB: z.number().int().min(16).max(65536).describe('result tiles that the engine keeps as it answered them'),
  overlayStyle: z.enum(['outline', 'filled']),
  overlayOpacity: z.number().min(0).max(1).describe('of filled objects; outlines are whole'),
  exportDirectory: filePathOrNone,
  /** Exports carry a pseudonym in place of the slide's name. */
  deidentify: z.boolean(),
  /** Of slides that carry one (SlideInfo.icc). */
  colorProfiles: z
    .boolean()
    .describe('the window shows slides by the colour profile of their file; what is analysed stays the same'),
  hotSpot: HotSpotField.describe('the field in which the window and exports look for the highest share of positive objects'),
  spatial: SpatialMeasures.describe('what the table and exports tell of where objects lie among others and in regions'),
  recipeSpec: z.string().max(64),
  /** What the window's runs name as their device; one that is not there now stays chosen. */
  device: DeviceNames,
  /** Whose keys the window goes by: a key set of app/commands.ts. */
  keys: z.enum(['morphoscope', 'qupath']),
  language: LanguageChoice.describe('of the window and of the desktop’s menu and dialogs'),
})
export type Settings = z.infer<typeof Settings>
/** Names a picture of a slide opened lately; it cannot be guessed. */
export const RecentPicture = z.string().regex(/^[0-9a-f]{32}$/)
const RecentEntry = z.object({ path: toldPath, name: z.string(), openedAt: z.string() })
/** `slide`: the key of its first slide, whose picture stands for it (tilePaths.thumbnail). */
export const RecentProject = RecentEntry.extend({ slide: SlideKey.optional() })
export type RecentProject = z.infer<typeof RecentProject>
/** `picture`: of its overview, never of its label. */
export const RecentSlide = RecentEntry.extend({ picture: RecentPicture.optional() })
export type RecentSlide = z.infer<typeof RecentSlide>
/** Which document without a name: its folder's name below the settings, without its ending. */
export const UnnamedId = z.string().regex(/^\d{4}-\d\d-\d\d-[0-9a-f]{8}$/)
/** A document without a name that holds something. Counts are null where it cannot be read now: it is open elsewhere, or damaged. */
export const UnnamedProject = z.object({
  id: UnnamedId,
  /** ISO: its last change. */
  changedAt: z.string(),
  /** By name. */
  slides: z.array(z.object({ name: z.string(), path: toldPath })).nullable(),
  regions: z.number().nullable(),
  results: z.number().nullable(),
  /** The key of its first slide, whose picture stands for it. */
  slide: SlideKey.optional(),
  /** It is the document that is open here. */
  open: z.boolean(),
})
export type UnnamedProject = z.infer<typeof UnnamedProject>
/** What a start page offers. `missing`: its file or folder is not there, or does not answer. `unnamed`: the newest first. */
export const StartItems = z.object({
  slides: z.array(RecentSlide.extend({ missing: z.boolean() })),
  projects: z.array(RecentProject.extend({ missing: z.boolean() })),
  unnamed: z.array(UnnamedProject),
})
export type StartItems = z.infer<typeof StartItems>
