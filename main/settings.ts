// What the program remembers between starts: the user's settings and the slides opened lately.
import { basename, join } from 'node:path'
import * as z from 'zod'
import { noSpatial, RecentProject, RecentSlide, Settings, usualHotSpot } from '../app/contract'
import { JsonFile } from './base/jsonFile'
import type { Log } from './base/log'
import { userFolder } from './base/userFolder'

export const defaultSettings: Settings = {
  threads: 0,
  memoryMiB: 0,
  overlayBudgetMiB: 32,
  overlayStyle: 'outline',
  overlayOpacity: 0.4,
  exportDirectory: '',
  deidentify: false,
  colorProfiles: false,
  hotSpot: usualHotSpot,
  spatial: noSpatial,
  recipeSpec: 'he-nuclei',
  device: 'cpu',
  keys: 'morphoscope',
  language: 'system',
}

const maxRecent = 12
const entryOf = (path: string): RecentProject => ({ path, name: basename(path), openedAt: new Date().toISOString() })
const newestFirst = <T extends RecentProject>(entry: T, before: readonly T[]): T[] =>
  [entry, ...before.filter(({ path }) => path !== entry.path)].slice(0, maxRecent)
/** A file of before a setting was there lacks it: the default takes its place, and the others stay as they are. */
const completed = z.preprocess(
  (found) => (typeof found === 'object' && found !== null ? { ...defaultSettings, ...found } : found),
  Settings,
)
const settingsFile = z.object({ format: z.literal('morphoscope-settings'), version: z.literal(1), settings: completed })
const recentFile = z.object({
  format: z.literal('morphoscope-recent'),
  version: z.literal(1),
  slides: z.array(RecentSlide),
  /** Absent in files of before there were any. */
  projects: z.array(RecentProject).default([]),
})

/** The system's own place for settings, for shells that are not told another. */
export function defaultSettingsDir(): string {
  return userFolder()
}

export class SettingsStore {
  private readonly settings: JsonFile<z.infer<typeof settingsFile>>
  private readonly recents: JsonFile<z.infer<typeof recentFile>>

  /** `remembers` false: slides and projects that are opened are on no list that outlives the program. */
  constructor(directory: string, log: Log, remembers = true) {
    this.settings = new JsonFile(
      join(directory, 'settings.json'),
      settingsFile,
      { format: 'morphoscope-settings', version: 1, settings: defaultSettings },
      log,
    )
    this.recents = new JsonFile(
      join(directory, 'recent.json'),
      recentFile,
      { format: 'morphoscope-recent', version: 1, slides: [], projects: [] },
      log,
      remembers,
    )
  }

  async get(): Promise<Settings> {
    return (await this.settings.read()).settings
  }

  /** Whether names stand in no file: as it is asked, else as the person has chosen. */
  async hides(asked: boolean | undefined): Promise<boolean> {
    return asked ?? (await this.get()).deidentify
  }

  async set(change: Readonly<Record<string, unknown>>): Promise<Settings> {
    // A key that is present but undefined must not erase the value it names.
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const next = await this.settings.update((file) => ({ ...file, settings: Settings.parse({ ...file.settings, ...given }) }))
    return next.settings
  }

  async recent(): Promise<RecentSlide[]> {
    return (await this.recents.read()).slides
  }

  async remember(path: string): Promise<void> {
    await this.recents.update((file) => {
      const picture = file.slides.find((slide) => slide.path === path)?.picture
      return { ...file, slides: newestFirst({ ...entryOf(path), ...(picture !== undefined && { picture }) }, file.slides) }
    })
  }

  /** Gives a slide that is on the list its picture. */
  async picture(path: string, picture: string): Promise<void> {
    await this.recents.update((file) => ({
      ...file,
      slides: file.slides.map((slide) => (slide.path === path ? { ...slide, picture } : slide)),
    }))
  }

  async recentProjects(): Promise<RecentProject[]> {
    return (await this.recents.read()).projects
  }

  /** `slide`: the key of its first slide. */
  async rememberProject(path: string, slide?: string): Promise<void> {
    const entry = { ...entryOf(path), ...(slide !== undefined && { slide }) }
    await this.recents.update((file) => ({ ...file, projects: newestFirst(entry, file.projects) }))
  }

  /** Takes a slide or a project off the lists. */
  async forget(path: string): Promise<void> {
    const others = <T extends RecentProject>(entries: readonly T[]): T[] => entries.filter((entry) => entry.path !== path)
    await this.recents.update((file) => ({ ...file, slides: others(file.slides), projects: others(file.projects) }))
  }

  async clearRecent(): Promise<void> {
    await this.recents.update((file) => ({ ...file, slides: [] }))
  }

  async flushed(): Promise<void> {
    await Promise.all([this.settings.flushed(), this.recents.flushed()])
  }
}
