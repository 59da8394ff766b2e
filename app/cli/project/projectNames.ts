// What files and rows of a project's slides are called: by the slides' names, or by the pseudonyms of their exports.
import { pseudonymOf } from '../../../main/engine'
import type { Engine } from '../../../main/engine'
import type { DocumentSlide } from '../../contract'
import { slideOf } from './projectSlides'
import type { NamedSlide } from './projectSlides'

/**
 * By key, what files of a slide are called: its name without its ending, and without what would lead elsewhere. Two of one name differ.
 * With `deidentify` the pseudonym that its exports have: each is read through, and one that is not there has its key's, as in the summary.
 */
export async function stemsOf(
  engine: Engine,
  folder: string,
  slides: readonly NamedSlide[],
  deidentify: boolean,
): Promise<Map<string, string>> {
  if (!deidentify) return fileStems(slides)
  const stems = new Map<string, string>()
  for (const slide of slides) {
    const slideId = await slideOf(engine, null, folder, slide)
    stems.set(
      slide.key,
      slideId === null ? pseudonymOf(slide.key) : await engine.invoke('slide:fileName', { slideId, deidentify }),
    )
    if (slideId !== null) await engine.call('slide:close', { slideId })
  }
  return stems
}

/** As stemsOf finds them: in the order of their names pseudonyms would tell something of them. */
export function inOrder<T extends { readonly key: string }>(
  slides: readonly T[],
  stems: ReadonlyMap<string, string>,
  deidentify: boolean,
): readonly T[] {
  return deidentify ? [...slides].sort((a, b) => (stems.get(a.key)! < stems.get(b.key)! ? -1 : 1)) : slides
}

function fileStems(slides: readonly Pick<DocumentSlide, 'key' | 'name'>[]): Map<string, string> {
  const stems = new Map<string, string>()
  const taken = new Set<string>()
  for (const { key, name } of slides) {
    const plain = name
      .replace(/\.[^.]+$/, '')
      .replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, '-')
      .replace(/^\.+/, '')
    // Systems that know no case take both for one.
    const stem = plain === '' || taken.has(plain.toLowerCase()) ? `${plain}-${key.slice(0, 8)}` : plain
    taken.add(stem.toLowerCase())
    stems.set(key, stem)
  }
  return stems
}
