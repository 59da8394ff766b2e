// What a slide is known by in documents, asked of each file once.
import type { OpenSlide } from '../slide/slides'

export class SlideKeys {
  readonly #keys = new WeakMap<object, Promise<string>>()

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
}
