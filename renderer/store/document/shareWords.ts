// What a row says of its objects' classes. Pure.
import { hScoreOf, positiveShareOf, type ClassCuts } from '../../../app/contract'
import type { Counted } from '../../arithmetic/classShares'
import { words } from '../../words'
import { titled } from '../../words/named'

/**
 * The H-score or the positive share with the cut-offs that it stands on, where there are such classes, else the first class's share; '' where
 * there is nothing to say.
 */
export function shareWords(classes: readonly Counted[], objects: number, cuts?: ClassCuts): string {
  const [first] = classes
  if (!first || objects === 0) return ''
  const score = hScoreOf(classes, cuts)
  const basis = cuts ? words.shares.cuts(cuts) : words.shares.byHand
  if (score !== null) return words.shares.hScore(score, basis)
  const positive = positiveShareOf(classes)
  if (positive !== null) return words.shares.positive(positive, basis)
  return words.shares.ofClass(first.objects / objects, titled(first.label))
}
