// What came of adding several files to the project, in words. Pure.
import { noun } from '../../app/contract'

export interface AddedFile {
  readonly path: string
  readonly name: string
  /** Not there before. */
  readonly isNew: boolean
  /** Why it could not be added; null: it is there. */
  readonly why: string | null
}

/** More are counted, not named. */
const mostNamed = 5

const slides = (n: number): string => `${n} ${noun(n, 'slide')}`

/** "3 slides added, 1 was there already. Could not be opened: notes.txt (…)." `total`: of which the rest was not begun. */
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
  if (failed.length === 0) return `${parts.join(', ')}.`
  const named = failed.slice(0, mostNamed).map(({ name, why }) => `${name} (${why!.replace(/\.$/, '')})`)
  const more = failed.length > mostNamed ? ` and ${failed.length - mostNamed} more` : ''
  return `${parts.join(', ')}. Could not be opened: ${named.join('; ')}${more}.`
}
