// Small pictures of slides as files of one folder, for their owner's eyes alone: tissue from afar, and never a label.
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownBytes } from './base/encoded'
import type { Encoded } from './base/encoded'
import type { OpenSlide } from './slide/slides'
import type { SlideTiles } from './slide/slideTiles'

/** A picture of 256 px at most is a tenth of it. */
const limitBytes = 2 ** 19
/** What a picture may be called: nothing that leads elsewhere. */
const names = /^[0-9a-f]{32}$/
const ending = '.jpg'

/** The coarsest of the slide's tiles; null: it could not be read whole, or is no small picture. */
export async function fromAfar(slide: OpenSlide, pictures: Pick<SlideTiles, 'picture'>): Promise<Uint8Array | null> {
  const { body, timedOut, unreadable } = await pictures.picture(slide, slide.info.viewer.maxLevel, 0, 0)
  return timedOut || unreadable || body.byteLength > limitBytes ? null : body
}

export class PictureFolder {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  async keep(name: string, body: Uint8Array): Promise<void> {
    await mkdir(this.#path, { recursive: true, mode: 0o700 })
    await writeFile(this.#file(name), body, { mode: 0o600 })
  }

  /** null: there is none of that name. */
  async read(name: string): Promise<Encoded | null> {
    if (!names.test(name)) return null
    const body = await readFile(this.#file(name)).catch(() => null)
    return body && { type: 'image/jpeg', body: ownBytes(body) }
  }

  async list(): Promise<string[]> {
    const found = await readdir(this.#path).catch(() => [])
    return found.flatMap((file) => (file.endsWith(ending) ? [file.slice(0, -ending.length)] : []))
  }

  /** The newest first. */
  async byAge(): Promise<string[]> {
    const found = await Promise.all(
      (await this.list()).map(async (name) => ({ name, at: (await stat(this.#file(name)).catch(() => null))?.mtimeMs ?? 0 })),
    )
    return found.sort((a, b) => b.at - a.at).map(({ name }) => name)
  }

  async drop(which: readonly string[]): Promise<void> {
    await Promise.all(which.map((name) => rm(this.#file(name), { force: true })))
  }

  #file(name: string): string {
    return join(this.#path, `${name}${ending}`)
  }
}
