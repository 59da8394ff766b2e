// A run's classes on one line: how many are of which, the share or the H-score, and the cut-offs that it stands on.
import { cutWords, hScoreOf, positiveShareOf } from '../contract'
import type { RunStatus } from '../contract'

const percent = (count: number, all: number): string => `${((100 * count) / all).toFixed(1)} %`

/** ": 165 negative, 120 positive (42.1 % positive; DAB mean above 0.2 OD)"; nothing where the objects have no classes. */
export function classWords({ classes, cuts, objects }: Pick<RunStatus, 'classes' | 'cuts' | 'objects'>): string {
  if (!classes || objects === 0) return ''
  const [score, share] = [hScoreOf(classes, cuts), positiveShareOf(classes)]
  const figure = score !== null ? `H-score ${score.toFixed(0)}` : share !== null ? `${(100 * share).toFixed(1)} % positive` : null
  const basis = [figure, cuts && cutWords(cuts)].filter(Boolean).join('; ')
  const counts = classes.map(({ id, label, objects: count }) =>
    cuts?.and ? `${count} ${label} (${percent(count, objects)})` : `${count} ${id}`,
  )
  return `: ${counts.join(', ')}${basis && ` (${basis})`}`
}
