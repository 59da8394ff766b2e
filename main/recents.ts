// What a start page offers: slides and projects opened lately, whether they are still there, and the slides' pictures.
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RecentPicture } from '../app/contract'
import type { StartItems } from '../app/contract'
import { ownBytes } from './base/encoded'
import type { Encoded } from './base/encoded'
import { EngineError } from './base/errors'
import type { SettingsStore } from './settings'
import type { OpenSlide } from './slide/slides'
import type { SlideTiles } from './slide/slideTiles'

/** A disk that does not answer keeps no start page waiting. */
const lookWithinMs = 1500
/** A picture of 256 px at most is a tenth of it. */
const pictureLimitBytes = 2 ** 19
/** Behind the slide's first tiles and its overview. */
const pictureAfterMs = 1500

const pictureName = (picture: string): string => `${picture}.jpg`

export class Recents {
  readonly #settings: SettingsStore
  readonly #folder: string

  /** Pictures lie in a folder of their own below the settings, for their owner's eyes alone. */
  constructor(settings: SettingsStore, settingsDir: string) {
    this.#settings = settings
    this.#folder = join(settingsDir, 'recent-pictures')
  }

  async items(): Promise<StartItems> {
    const [slides, projects] = await Promise.all([this.#settings.recent(), this.#settings.recentProjects()])
    const looked = <T extends { path: string }>(entries: readonly T[]): Promise<(T & { missing: boolean })[]> =>
      Promise.all(entries.map(async (entry) => ({ ...entry, missing: !(await isThere(entry.path)) })))
    return { slides: await looked(slides), projects: await looked(projects) }
  }

  async forget(path: string): Promise<void> {
    await this.#settings.forget(path)
    await this.tidy()
  }

  /** Keeps the slide as it looks from afar, a moment after it was opened: the coarsest of its tiles, and never its label. */
  keepPictureSoon(slide: OpenSlide, pictures: SlideTiles): void {
    // Whatever is wrong here, a slide that was closed meanwhile above all: the page has a card without a picture.
    setTimeout(() => void this.keepPicture(slide, pictures).catch(() => undefined), pictureAfterMs).unref()
  }

  async keepPicture(slide: OpenSlide, pictures: Pick<SlideTiles, 'picture'>): Promise<void> {
    const { info } = slide
    const { body, timedOut, unreadable } = await pictures.picture(slide, info.viewer.maxLevel, 0, 0)
    if (timedOut || unreadable || body.byteLength > pictureLimitBytes) return
    const picture = randomBytes(16).toString('hex')
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await writeFile(join(this.#folder, pictureName(picture)), body, { mode: 0o600 })
    await this.#settings.picture(info.path, picture)
    await this.tidy()
  }

  /** Throws NOT_FOUND. */
  async picture(picture: string): Promise<Encoded> {
    const listed =
      RecentPicture.safeParse(picture).success && (await this.#settings.recent()).some((slide) => slide.picture === picture)
    const body = listed ? await readFile(join(this.#folder, pictureName(picture))).catch(() => null) : null
    if (body === null) throw new EngineError('NOT_FOUND', 'There is no picture of that name.')
    return { type: 'image/jpeg', body: ownBytes(body) }
  }

  /** Pictures of slides that are on no list go. */
  async tidy(): Promise<void> {
    const listed = new Set(
      (await this.#settings.recent()).flatMap(({ picture }) => (picture === undefined ? [] : [pictureName(picture)])),
    )
    const found = await readdir(this.#folder).catch(() => [])
    await Promise.all(found.filter((name) => !listed.has(name)).map((name) => rm(join(this.#folder, name), { force: true })))
  }
}

async function isThere(path: string): Promise<boolean> {
  let late: NodeJS.Timeout | undefined
  const found = stat(path).then(
    () => true,
    () => false,
  )
  const answer = await Promise.race([
    found,
    new Promise<boolean>((resolve) => (late = setTimeout(() => resolve(false), lookWithinMs))),
  ])
  clearTimeout(late)
  return answer
}
