// What a start page offers: slides and projects opened lately, whether they are still there, and the slides' pictures.
import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { RecentPicture } from '../app/contract'
import type { StartItems } from '../app/contract'
import type { Afterwards } from './base/afterwards'
import type { Encoded } from './base/encoded'
import { EngineError } from './base/errors'
import { fromAfar, PictureFolder } from './pictureFolder'
import type { SettingsStore } from './settings'
import type { OpenSlide } from './slide/slides'
import type { SlideTiles } from './slide/slideTiles'

/** A disk that does not answer keeps no start page waiting. */
const lookWithinMs = 1500
/** Behind the slide's first tiles and its overview. */
const pictureAfterMs = 1500

export class Recents {
  readonly #settings: SettingsStore
  readonly #folder: PictureFolder
  readonly #afterwards: Afterwards

  /** Pictures lie in a folder of their own below the settings, for their owner's eyes alone. */
  constructor(settings: SettingsStore, settingsDir: string, afterwards: Afterwards) {
    this.#settings = settings
    this.#folder = new PictureFolder(join(settingsDir, 'recent-pictures'))
    this.#afterwards = afterwards
  }

  async items(): Promise<Omit<StartItems, 'unnamed'>> {
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
    this.#afterwards.soon(() => this.keepPicture(slide, pictures).catch(() => undefined), pictureAfterMs)
  }

  async keepPicture(slide: OpenSlide, pictures: Pick<SlideTiles, 'picture'>): Promise<void> {
    const body = await fromAfar(slide, pictures)
    if (!body) return
    const picture = randomBytes(16).toString('hex')
    await this.#folder.keep(picture, body)
    await this.#settings.picture(slide.info.path, picture)
    await this.tidy()
  }

  /** Throws NOT_FOUND. */
  async picture(picture: string): Promise<Encoded> {
    const listed =
      RecentPicture.safeParse(picture).success && (await this.#settings.recent()).some((slide) => slide.picture === picture)
    const found = listed ? await this.#folder.read(picture) : null
    if (!found) throw new EngineError('NOT_FOUND', 'There is no picture of that name.')
    return found
  }

  /** Pictures of slides that are on no list go. */
  async tidy(): Promise<void> {
    const listed = new Set((await this.#settings.recent()).map(({ picture }) => picture))
    await this.#folder.drop((await this.#folder.list()).filter((name) => !listed.has(name)))
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
