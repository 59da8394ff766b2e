// What the program remembers between starts: the user's settings and the slides opened lately.
import { basename, join } from 'node:path'
import envPaths from 'env-paths'
import * as z from 'zod'
import { RecentSlide, Settings } from '../app/contract'
import { JsonFile } from './base/jsonFile'
import type { Log } from './base/log'

export const defaultSettings: Settings = {
  threads: 0,
  memoryMiB: 0,
  overlayBudgetMiB: 512,
  overlayStyle: 'outline',
  overlayOpacity: 0.4,
  exportDirectory: '',
  deidentify: false,
  recipeSpec: 'he-nuclei',
  device: 'cpu',
}

const maxRecent = 12
/** A file of before a setting was there lacks it: the default takes its place, and the others stay as they are. */
const completed = z.preprocess(
  (found) => (typeof found === 'object' && found !== null ? { ...defaultSettings, ...found } : found),
  Settings,
)
const settingsFile = z.object({ format: z.literal('morphoscope-settings'), version: z.literal(1), settings: completed })
const recentFile = z.object({ format: z.literal('morphoscope-recent'), version: z.literal(1), slides: z.array(RecentSlide) })

/** The system's own place for settings, for shells that are not told another. */
export function defaultSettingsDir(): string {
  return envPaths('morphoscope', { suffix: '' }).config
}

export class SettingsStore {
  private readonly settings: JsonFile<z.infer<typeof settingsFile>>
  private readonly recents: JsonFile<z.infer<typeof recentFile>>

  constructor(directory: string, log: Log) {
    this.settings = new JsonFile(
      join(directory, 'settings.json'),
      settingsFile,
      { format: 'morphoscope-settings', version: 1, settings: defaultSettings },
      log,
    )
    this.recents = new JsonFile(
      join(directory, 'recent.json'),
      recentFile,
      { format: 'morphoscope-recent', version: 1, slides: [] },
      log,
    )
  }

  async get(): Promise<Settings> {
    return (await this.settings.read()).settings
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
    const entry: RecentSlide = { path, name: basename(path), openedAt: new Date().toISOString() }
    await this.recents.update((file) => ({
      ...file,
      slides: [entry, ...file.slides.filter((slide) => slide.path !== path)].slice(0, maxRecent),
    }))
  }

  async clearRecent(): Promise<void> {
    await this.recents.update((file) => ({ ...file, slides: [] }))
  }

  async flushed(): Promise<void> {
    await Promise.all([this.settings.flushed(), this.recents.flushed()])
  }
}
