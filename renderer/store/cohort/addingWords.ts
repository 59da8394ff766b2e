// What came of adding several files to the project, in words. Pure.
import { words } from '../../words'

export interface AddedFile {
  readonly path: string
  readonly name: string
  /** Not there before. */
  readonly isNew: boolean
  /** Under this name, from another file: a link to it, or a copy of it. */
  readonly knownAs?: string | undefined
  /** Why it could not be added; null: it is there. */
  readonly why: string | null
}

/** More are counted, not named. */
const mostNamed = 5

/**
 * "3 slides added, 1 was there already. b.svs is the same slide as a.svs. Could not be opened: notes.txt (…)." `total`: of which the rest was not
 * begun.
 */
export function addedWords(files: readonly AddedFile[], total: number): string {
  const failed = files.filter(({ why }) => why !== null)
  const added = files.filter(({ why, isNew }) => why === null && isNew).length
  const known = files.length - failed.length - added
  const left = total - files.length
  const parts = [
    words.adding.added(added),
    ...(known > 0 ? [words.adding.known(known)] : []),
    ...(left > 0 ? [words.adding.leftOut(left)] : []),
  ]
  const twice = files.filter(({ knownAs }) => knownAs !== undefined)
  const sentences = [
    parts.join(', '),
    ...(twice.length > 0 ? [named(twice, ({ name, knownAs }) => words.adding.sameAs(name, knownAs!))] : []),
    ...(failed.length > 0 ? [words.adding.failed(named(failed, ({ name, why }) => words.adding.failedFile(name, why!)))] : []),
  ]
  return `${sentences.join('. ')}.`
}

function named(files: readonly AddedFile[], said: (file: AddedFile) => string): string {
  return words.counts.namesAndMore(files.slice(0, mostNamed).map(said).join('; '), files.length - mostNamed)
}
