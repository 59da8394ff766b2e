// A recipe's cut-offs always rise: what one value of them pushes, and where they start when the H-score is asked for. Pure.
import { cutsOfRecipe, gradesChoice, leastCutStep, movedCut, rises, startingCuts } from '../../../app/contract'
import type { ParamValue, RecipeSpec } from '../../../app/contract'

/** stage id -> parameter key -> value. */
export type Values = Readonly<Record<string, Readonly<Record<string, ParamValue>>>>

/** The values that change with this one, by "stage.param", it among them. `id`: the same, of what is set. */
export function withPushed(
  spec: RecipeSpec,
  values: Values,
  id: string,
  value: ParamValue,
): Readonly<Record<string, ParamValue>> {
  const alone = { [id]: value }
  const { limit, others } = spec.classes ?? {}
  if (!others || limit === undefined) return alone
  const places = [limit, ...others.grades]
  const [stage = '', key = ''] = others.by.split('.')
  const graded = { ...values, [stage]: { ...values[stage], [key]: gradesChoice } }
  const cuts = cutsOfRecipe(spec, graded)?.limits ?? []
  const all = (limits: readonly number[]) => Object.fromEntries(places.map((place, i) => [place, limits[i]!]))
  if (id === others.by) return value === gradesChoice && !rises(cuts) ? { ...alone, ...all(startingCuts(cuts[0])) } : alone
  const at = places.indexOf(id)
  const isGraded = cutsOfRecipe(spec, values)?.limits.length === places.length
  if (at < 0 || !isGraded || typeof value !== 'number') return alone
  // Those below it need room above 0.
  return all(movedCut(cuts, at, Math.max(value, at * leastCutStep)))
}
