// What tables over many slides call each of them under pseudonyms: what its own exports call it.
import { Names, pseudonymOf } from './names'

interface Known {
  readonly key: string
  readonly path: string
  readonly name: string
}
interface Bytes {
  readonly seed: string
  sha256(signal: AbortSignal): Promise<{ readonly sha256: string | null }>
}

/**
 * `bytes`: of the slide's file, which is read through where it has not been since the program started; null: it is not there, and the
 * pseudonym is made of the slide's key, so that it is its own every time, but not that of its exports.
 */
export async function namesOfSlide(slide: Known, bytes: Bytes | null, signal: AbortSignal): Promise<Names> {
  const sum = bytes && ((await bytes.sha256(signal)).sha256 ?? bytes.seed)
  return new Names(slide, pseudonymOf(sum ?? slide.key))
}
