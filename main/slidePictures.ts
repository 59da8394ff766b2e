// Pictures of projects' slides, by what the slides hold, for lists and cards: made when a slide is open anyway, so that none is opened for them.
import { join } from 'node:path'
import type { Afterwards } from './base/afterwards'
import type { Encoded } from './base/encoded'
import { EngineError } from './base/errors'
import { fromAfar, PictureFolder } from './pictureFolder'
import type { OpenSlide } from './slide/slides'
import type { SlideTiles } from './slide/slideTiles'

/** Behind the slide's first tiles, its overview and its place on the list of slides opened lately. */
const pictureAfterMs = 2000
/** Of all projects; beyond, the oldest go. */
const mostPictures = 1000

export class SlidePictures {
  readonly #folder: PictureFolder
  readonly #onKept: (key: string) => void
  readonly #afterwards: Afterwards
  readonly #most: number

  constructor(settingsDir: string, onKept: (key: string) => void, afterwards: Afterwards, most = mostPictures) {
    this.#folder = new PictureFolder(join(settingsDir, 'slide-pictures'))
    this.#onKept = onKept
    this.#afterwards = afterwards
    this.#most = most
  }

  /** Slides that have one. */
  async keys(): Promise<ReadonlySet<string>> {
    return new Set(await this.#folder.list())
  }

  /** Nothing where it has one. `key`: what the slide is known by in documents. */
  async keep(key: string, slide: OpenSlide, pictures: Pick<SlideTiles, 'picture'>): Promise<void> {
    if ((await this.keys()).has(key)) return
    const body = await fromAfar(slide, pictures)
    if (!body) return
    await this.#folder.keep(key, body)
    await this.#folder.drop((await this.#folder.byAge()).slice(this.#most))
    this.#onKept(key)
  }

  /** A moment after it was opened. `key`: asked then; null where no document lists it. */
  keepSoon(key: () => Promise<string | null>, slide: OpenSlide, pictures: SlideTiles): void {
    const keep = async (): Promise<void> => {
      const known = await key()
      if (known !== null) await this.keep(known, slide, pictures)
    }
    // Whatever is wrong here, a slide that was closed meanwhile above all: a list has a row without a picture.
    this.#afterwards.soon(() => keep().catch(() => undefined), pictureAfterMs)
  }

  /** Throws NOT_FOUND. */
  async picture(key: string): Promise<Encoded> {
    const found = await this.#folder.read(key)
    if (!found) throw new EngineError('NOT_FOUND', 'There is no picture of that slide.')
    return found
  }

  drop(key: string): Promise<void> {
    return this.#folder.drop([key])
  }

  async clear(): Promise<void> {
    await this.#folder.drop(await this.#folder.list())
  }
}
