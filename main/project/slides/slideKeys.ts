// What a slide is known by in documents, asked of each file once.
import { isAbsolute } from 'node:path'
import type { DocumentSlide } from '../../../app/contract'
import { isReachable } from '../../base/reach'
import type { Roots } from '../../base/reach'
import { SlideIdentity } from '../../slide/identity'
import type { OpenSlide } from '../../slide/slides'
import { slideOf } from './standing'

/** What the engine notes of a slide, beside what its file says. */
export type SlideNote = Pick<DocumentSlide, 'failure' | 'stain' | 'channel' | 'looks'>

export class SlideKeys {
  readonly #roots: Roots
  readonly #keys = new WeakMap<object, Promise<string>>()
  /** Of files that a document names: what they were when they were looked at, by path. */
  readonly #named = new Map<string, { identity: SlideIdentity; key: string }>()

  constructor(roots: Roots) {
    this.#roots = roots
  }

  /** What a document says of it, `known` being its slides. A link to its file, or a copy of it, takes over neither its name nor its place. */
  async about(slide: OpenSlide, known: ReadonlyMap<string, DocumentSlide>): Promise<DocumentSlide> {
    const key = await this.of(slide)
    const before = known.get(key)
    const isOther = before && !before.removed && before.path !== slide.info.path
    return slideOf(slide.info, key, before, isOther && (await this.at(before.path)) === key)
  }

  /** The same of one that something is noted of; where nobody has added it, it is on no list. */
  async noted(slide: OpenSlide, known: ReadonlyMap<string, DocumentSlide>): Promise<DocumentSlide> {
    return known.get(await this.of(slide)) ?? { ...(await this.about(slide, known)), removed: true }
  }

  /** By what its files hold. */
  of(slide: OpenSlide): Promise<string> {
    const known = this.#keys.get(slide.identity)
    if (known) return known
    const asked = slide.identity.contentKey()
    this.#keys.set(slide.identity, asked)
    // A slide that was away is asked again.
    asked.catch(() => this.#keys.delete(slide.identity))
    return asked
  }

  /** Which slide the file there is; null: there is none, or it cannot be looked at. */
  async at(path: string): Promise<string | null> {
    if (!isAbsolute(path) || !(await isReachable(path, this.#roots))) return null
    const known = this.#named.get(path)
    if (known && (await known.identity.compare()).state === 'same') return known.key
    this.#named.delete(path)
    try {
      const identity = await SlideIdentity.of(path)
      const key = await identity.contentKey()
      this.#named.set(path, { identity, key })
      return key
    } catch {
      return null
    }
  }
}
