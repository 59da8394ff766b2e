// Cut-offs of classes: set on the result that is shown and in the recipe, so that the next run, a batch and a saved recipe have them too.
import {
  classColumnsOf,
  cutParams,
  gradesChoice,
  membraneLimits,
  startingCuts,
  type ObjectRule,
  type ParamValue,
} from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { change } from '../recipe/historyActions'
import { tell, tellError } from '../base/notify'
import { changeable, setRule } from './objectActions'
import { currentSpec, recipeOf, setParams } from '../slices/recipeSlice'
import { setParam } from '../recipe/recipeActions'
import { getState, patch } from '../store'
import { describeColumn } from '../selection/tableActions'

export type ClassKind = 'one' | 'three'

/** Whether the recipe on the left is the one whose cut-offs this column has. */
export function isOfRecipe(column: string): boolean {
  const spec = currentSpec(getState().recipe)
  return spec !== null && classColumnsOf(spec).includes(column) && changeable(getState())?.ownCuts !== undefined
}

/**
 * Cut-offs on a column of the result that is shown; those on the recipe's own column are the recipe's from now on. `and`: limits on other columns,
 * which no recipe has.
 */
export async function setCuts(
  column: string,
  limits: readonly number[],
  and: NonNullable<ObjectRule['and']> = [],
): Promise<void> {
  const spec = currentSpec(getState().recipe)
  const values = spec && and.length === 0 && isOfRecipe(column) ? cutParams(spec, { column, limits }) : null
  // No outline depends on them, so nothing is computed anew.
  if (values) change('recipe', words.steps.classCuts, (state) => setParams(state, values))
  await setRule({ column, limits: [...limits], ...(and.length > 0 && { and }) })
}

/** Of a column of a result's objects; null: the engine has said why, or there are none. */
export async function medianOf(runId: string, column: string): Promise<number | null> {
  const request = { runId, filter: '', brush: null, sort: null, describe: column }
  const answer = await api().call('table:view', request)
  if (!answer.ok) tellError(answer.error, words.about.classes)
  return answer.ok ? (answer.value.statistics?.median ?? null) : null
}

/** Where cut-offs on a stain's density start: the recipe's limit of positive first, then its own or the usual ones. */
export function firstCuts(column: string, kind: ClassKind): readonly number[] {
  const state = getState()
  const run = changeable(state)
  const spec = currentSpec(state.recipe)
  const recipe = recipeOf(state.recipe)
  const known = run?.cuts?.column === column ? run.cuts : run?.ownCuts?.column === column ? run.ownCuts : null
  const first = known?.limits[0] ?? startingCuts()[0]
  if (kind === 'one') return [first]
  const places = spec && recipe && isOfRecipe(column) ? (spec.classes?.others?.grades ?? []) : []
  const others = places.map((place) => {
    const [stage = '', key = ''] = place.split('.')
    return Number(recipe!.params[stage]?.[key])
  })
  const [second, third] = others
  return second !== undefined && third !== undefined && first < second && second < third
    ? [first, second, third]
    : startingCuts(first)
}

/** Asked for by name: the table shows the stain's column with these classes; without a result the recipe has them. */
export async function askClasses(kind: ClassKind): Promise<void> {
  const state = getState()
  const run = changeable(state)
  const spec = currentSpec(state.recipe)
  const what = kind === 'three' ? words.names.hScore : words.names.positiveShare
  const cuts = run?.cuts?.ofStain ? run.cuts : run?.ownCuts
  if (run && cuts) {
    patch('table', { open: true, plot: 'histogram' })
    describeColumn(cuts.column)
    const wanted = kind === 'three' ? 3 : 1
    if (cuts === run.cuts && cuts.limits.length === wanted) return
    return setCuts(cuts.column, firstCuts(cuts.column, kind))
  }
  if (run) {
    patch('table', { open: true, plot: 'histogram' })
    return tell(words.classRule.noStain, what, 9000)
  }
  const by = spec?.classes?.others?.by
  if (by === undefined) return tell(words.classRule.chooseRecipe, what, 9000)
  const [stage = '', key = ''] = by.split('.')
  const param = spec?.stages.find(({ id }) => id === stage)?.params.find((each) => each.key === key)
  const value: ParamValue | undefined = kind === 'three' ? gradesChoice : param?.default
  if (value !== undefined) setParam(stage, key, value, true)
  tell(words.classRule.recipeCounts, what, 9000)
}

/** µm that cells reach beyond their nuclei, where the recipe has none yet. */
const usualExpansion = 5

/** The table shows the membranes' scores, which are the classes; without them the recipe measures them in its next run. */
export async function askMembrane(): Promise<void> {
  const { recipe } = getState()
  const run = changeable(getState())
  if (run?.membraneColumn !== undefined) {
    patch('table', { open: true, plot: 'histogram' })
    describeColumn(run.membraneColumn)
    if (run.cuts?.column !== run.membraneColumn) await setCuts(run.membraneColumn, membraneLimits)
    return
  }
  const scores = currentSpec(recipe)?.stages.some(
    ({ id, params }) => id === 'cells' && params.some(({ key }) => key === 'leastShare'),
  )
  if (!scores) return tell(words.classRule.membraneRecipe, words.names.membrane, 9000)
  const reach = recipeOf(recipe)?.params['cells']?.['expansion']
  // Brown is of membranes here: nuclei are found without it.
  const values = {
    'cells.expansion': typeof reach === 'number' && reach > 0 ? reach : usualExpansion,
    'channel.image': 'hematoxylin',
    'brown.apart': false,
  }
  change('recipe', words.steps.membrane, (state) => setParams(state, values))
  tell(words.classRule.membraneNext, words.names.membrane, 9000)
}
