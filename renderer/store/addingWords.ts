// What came of adding several files to the project, in words. Pure.
import { noun } from '../../app/contract'

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

const slides = (n: number): string => `${n} ${noun(n, 'slide')}`

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
    `${added === 0 ? 'No slide' : slides(added)} added`,
    ...(known > 0 ? [`${known} ${known === 1 ? 'was' : 'were'} there already`] : []),
    ...(left > 0 ? [`${left} left out`] : []),
  ]
  const twice = files.filter(({ knownAs }) => knownAs !== undefined)
  const sentences = [
    parts.join(', '),
    ...(twice.length > 0 ? [named(twice, ({ name, knownAs }) => `${name} is the same slide as ${knownAs!}`)] : []),
    ...(failed.length > 0
      ? [`Could not be opened: ${named(failed, ({ name, why }) => `${name} (${why!.replace(/\.$/, '')})`)}`]
      : []),
  ]
  return `${sentences.join('. ')}.`
}

function named(files: readonly AddedFile[], words: (file: AddedFile) => string): string {
  const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : ''
  return `${files.slice(0, mostNamed).map(words).join('; ')}${more}`
}
