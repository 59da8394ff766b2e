// Why a point is kept or dropped: where it was asked, what the engine said, and its rules in words. Pure.
import { unitSymbols, type Explanation, type Offer, type RecipeSpec, type Rule, type RuleKind } from '../../../app/contract'
import { decimalsOf, formatMeasure, formatParam } from '../../arithmetic/format'
import type { Point } from '../../arithmetic/geometry'
import { words } from '../../words'
import { findParam } from './recipeSlice'
import { titled } from '../../words/named'

export interface WhyState {
  readonly on: boolean
  /** It stays where it was clicked; else it follows the pointer. */
  readonly pinned: boolean
  /** Level-0 px. */
  readonly at: Point | null
  readonly busy: boolean
  readonly found: Explanation | null
}
export const noWhy: WhyState = { on: false, pinned: false, at: null, busy: false, found: null }

/** What was measured, and what its limit is called. */
const measuredBy: Partial<Record<RuleKind, readonly [what: string, limit: string]>> = words.ruleMeasures
const outcomes: Partial<Record<RuleKind, readonly [kept: string, dropped: string]>> = words.ruleOutcomes

/** With so many digits that they differ, as they do. */
function apart(measured: number, limit: number, step: number): readonly [string, string] {
  for (let digits = decimalsOf(step); digits < 7; digits++) {
    const pair = [measured.toFixed(digits), limit.toFixed(digits)] as const
    if (pair[0] !== pair[1] || measured === limit) return pair
  }
  return [formatMeasure(measured), formatMeasure(limit)]
}

const signed = (text: string): string => text.replace(/^-/, '−')

/** Its parameter's label, what was found ("0.71 is below 0.80"), and both as the end of a sentence ("contrast 0.71 is below the smallest contrast 0.80"). */
export function ruleWords(spec: RecipeSpec, rule: Rule): { label: string; said: string; sentence: string } {
  const param = findParam(spec, rule.stage, rule.param)
  const label = param?.label ?? `${rule.stage}.${rule.param}`
  const names = measuredBy[rule.kind]
  const outcome =
    param?.kind === 'toggle' && rule.kind === 'excluded'
      ? words.rules.taken(rule.kept, label)
      : outcomes[rule.kind]?.[rule.kept ? 0 : 1]
  if (!names || rule.measured === null || rule.limit === null || param?.kind !== 'number') {
    const said = outcome ?? (rule.kept ? words.rules.kept : words.rules.dropped)
    return { label, said, sentence: words.rules.sentence(label, said) }
  }
  const [measured, limit] = apart(rule.measured, rule.limit, param.step).map(signed)
  const unit = titled(unitSymbols[param.unit]) === '' ? '' : ` ${titled(unitSymbols[param.unit])}`
  const than =
    rule.measured === rule.limit ? words.rules.equals : rule.measured < rule.limit ? words.rules.isBelow : words.rules.isAbove
  const [what, limitName] = names
  return {
    label,
    said: than(measured!, `${limit}${unit}`),
    sentence: than(words.rules.named(what, `${measured}${unit}`), words.rules.named(limitName, `${limit}${unit}`)),
  }
}

type Change = Offer['changes'][number]
/** "minimum contrast", "0.70 µm". */
function wordsOf(spec: RecipeSpec, { stage, param: key, value }: Change): [label: string, value: string] {
  const param = findParam(spec, stage, key)
  const label = param ? words.rules.inSentence(param.label) : `${stage}.${key}`
  const unit = param?.kind === 'number' ? titled(unitSymbols[param.unit]) : ''
  const text = param?.kind === 'number' && typeof value === 'number' ? formatParam(value, param.step) : String(value)
  return [label, `${text}${unit === '' ? '' : ` ${unit}`}`]
}

/** "level 0.70, contrast 0.30". */
export const valuesWords = (spec: RecipeSpec, changes: readonly Change[]): string =>
  changes.map((change) => wordsOf(spec, change).join(' ')).join(', ')

/** "Set minimum contrast to 0.70". */
export function offerWords(spec: RecipeSpec, { changes }: Offer): string {
  const each = changes.map((change) => {
    const [label, text] = wordsOf(spec, change)
    if (typeof change.value === 'boolean') return change.value ? words.rules.turnOn(label) : words.rules.turnOff(label)
    return words.rules.set(label, text)
  })
  return words.rules.offer(each)
}

/** Rules that dropped the point, where nothing put it back. */
export const failedRules = ({ inside, rules }: Explanation): readonly Rule[] => (inside ? [] : rules.filter(({ kept }) => !kept))
