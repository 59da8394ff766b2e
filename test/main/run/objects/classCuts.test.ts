// Cut-offs of classes: where they start, how they rise, what they are called, and what an H-score is told of. By hand.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  classesOfCuts,
  cutCells,
  cutsOfRecipe,
  cutsOn,
  cutWords,
  differingCuts,
  hScoreOf,
  movedCut,
  stainSets,
  startingCuts,
  stainTitle,
  withCuts,
  type SummaryRow,
} from '../../../../app/contract'
import { noClass } from '../../../../native/index'
import { openSpecs } from '../../../../main/recipe/specs'
import { completeRecipe, defaultRecipe } from '../../../../main/recipe/validate'
import { withSetOption } from '../../../../main/recipe/setOption'
import { classesOf, gradeOf, togetherOf } from '../../../../main/run/objects/objectClasses'
import { emptyRecipe, resetAll, setParam, setSpecs, valuesOf } from '../../../../renderer/store/slices/recipeSlice'

const specs = openSpecs(join(import.meta.dirname, '../../../../assets'))
const place = { stainSet: 'h-dab', stainNames: stainSets['h-dab'].names, length: 'um' } as const
const counts = (given: Record<string, number>) => Object.entries(given).map(([id, objects]) => ({ id, objects }))

it('start at the limit of positive, then at QuPath’s 0.4 and 0.6, or 0.2 apart', () => {
  expect(startingCuts()).toEqual([0.2, 0.4, 0.6])
  expect(startingCuts(0.15)).toEqual([0.15, 0.4, 0.6])
  expect(startingCuts(0.4)).toEqual([0.4, 0.6, 0.8])
  expect(startingCuts(0.55)).toEqual([0.55, 0.75, 0.95])
})

it('push each other, so that they always rise', () => {
  expect(movedCut([0.2, 0.4, 0.6], 0, 0.3)).toEqual([0.3, 0.4, 0.6])
  expect(movedCut([0.2, 0.4, 0.6], 0, 0.7)).toEqual([0.7, 0.71, 0.72])
  expect(movedCut([0.2, 0.4, 0.6], 2, 0.1)).toEqual([0.08, 0.09, 0.1])
  expect([-0.1, 0.2, 0.200001, 0.4, 0.5, 0.7, NaN].map((value) => gradeOf([0.2, 0.4, 0.6], value))).toEqual([
    0,
    0,
    1,
    1,
    2,
    3,
    noClass,
  ])
})

it('on several measurements together give a class for each way to be above and below them', async () => {
  const and = [
    { column: 'channel3Mean', title: 'CD8 mean', unit: '', limit: 1200 },
    { column: 'area', title: 'Area', unit: 'µm²', limit: 40 },
  ]
  const cuts = { ...cutsOn('channel2Mean', [700], { ...place, channels: ['DAPI', 'CD3'] }), and }
  expect(cutWords(cuts)).toBe('CD3 mean above 700, CD8 mean above 1200, Area above 40 µm²')
  expect(cutCells(cuts)).toEqual(['CD3 mean; CD8 mean; Area (µm²)', '700; 1200; 40'])
  const classes = classesOfCuts(cuts)
  expect(classes.map(({ label }) => label).slice(0, 4)).toEqual([
    'CD3- CD8- Area-',
    'CD3+ CD8- Area-',
    'CD3- CD8+ Area-',
    'CD3+ CD8+ Area-',
  ])
  expect(new Set(classes.map(({ color }) => color.join())).size).toBe(8)
  const of = (...values: number[]) => classes[togetherOf([700, 1200, 40], values)]?.label
  expect([of(700, 1201, 41), of(701, 0, 0), of(9999, 9999, 9999)]).toEqual([
    'CD3- CD8+ Area+',
    'CD3+ CD8- Area-',
    'CD3+ CD8+ Area+',
  ])
  // One that was not measured.
  expect(of(701, NaN, 0)).toBeUndefined()
  expect(hScoreOf(counts({ 'together-pp': 3 }), cuts)).toBeNull()
  // No recipe has them.
  const spec = await specs.get('ihc-nuclei')
  expect(withCuts(defaultRecipe(spec), spec, { column: 'stain2Mean', limits: [0.3], and })).toBeNull()
})

it('are told with the measurement, and an H-score of a stain’s density alone', () => {
  expect(stainTitle('dab')).toBe('DAB')
  expect(cutWords(cutsOn('stain2Mean', [0.2], place))).toBe('DAB mean above 0.2 OD')
  expect(cutWords(cutsOn('area', [40], { ...place, length: 'px' }))).toBe('Area above 40 px²')
  const classes = counts({ negative: 50, weak: 10, moderate: 20, strong: 20 })
  const three = [0.2, 0.4, 0.6]
  // 10 + 2 × 20 + 3 × 20.
  expect(hScoreOf(classes, cutsOn('stain2Mean', three, place))).toBe(110)
  expect(hScoreOf(classes, cutsOn('stain2Max', three, place))).toBe(110)
  for (const column of ['area', 'stain2Std', 'stain3Mean', 'x'])
    expect(hScoreOf(classes, cutsOn(column, three, place))).toBeNull()
  const light = { stainSet: 'rgb', stainNames: stainSets.rgb.names, length: 'um' } as const
  expect(hScoreOf(classes, cutsOn('stain2Mean', three, light))).toBeNull()
  expect(hScoreOf(classes, cutsOn('stain2Mean', [0.2], place))).toBeNull()
  expect(hScoreOf(classes, null)).toBeNull()
})

it('are values of the recipe: set, refused where they do not rise, read back, and the run’s', async () => {
  const spec = await specs.get('ihc-nuclei')
  const plain = defaultRecipe(spec)
  expect(cutsOfRecipe(spec, plain.params)).toEqual({ column: 'stain2Mean', limits: [0.2] })
  const graded = withSetOption(plain, spec, 'classes.by=grades')
  expect(cutsOfRecipe(spec, graded.params)).toEqual({ column: 'stain2Mean', limits: [0.2, 0.4, 0.6] })
  const wrong = withSetOption(graded, spec, 'classes.positiveAbove=0.5')
  expect(() => completeRecipe(wrong, spec)).toThrow(
    /cut-offs that rise.*0\.5, 0\.4, 0\.6 OD: set classes\.moderateAbove above 0\.5/,
  )
  expect(() => completeRecipe(withSetOption(plain, spec, 'classes.positiveAbove=0.5'), spec)).not.toThrow()
  const typed = withCuts(plain, spec, { column: 'stain2Mean', limits: [0.1, 0.25, 0.5] })!
  expect(typed.params['classes']).toMatchObject({ by: 'grades', positiveAbove: 0.1, moderateAbove: 0.25, strongAbove: 0.5 })
  expect(withCuts(typed, spec, { column: 'stain2Mean', limits: [0.3] })!.params['classes']).toMatchObject({
    by: 'positive',
    positiveAbove: 0.3,
  })
  expect(withCuts(plain, spec, { column: 'area', limits: [30] })).toBeNull()
  const brown = withCuts(typed, spec, { column: 'stainedArea', limits: [25] })!
  expect(brown.params['classes']).toMatchObject({ by: 'area', areaAbove: 25, positiveAbove: 0.1 })
  expect(cutsOfRecipe(spec, brown.params)).toEqual({ column: 'stainedArea', limits: [25] })
  expect(withCuts(brown, spec, { column: 'stain2Mean', limits: [0.3] })!.params['classes']).toMatchObject({ by: 'positive' })
  for (const limits of [[100], [-1], [10, 20, 30]]) expect(withCuts(plain, spec, { column: 'stainedArea', limits })).toBeNull()
  expect(withCuts(plain, spec, { column: 'stain2Mean', limits: [-0.1] })).toBeNull()
  const flat = Object.fromEntries(Object.entries(typed.params['classes']!).map(([key, value]) => [`classes.${key}`, value]))
  const rule = classesOf(spec, flat)!
  expect(rule.limits).toEqual([0.1, 0.25, 0.5])
  expect(rule.classes.map(({ id }) => id)).toEqual(['negative', 'weak', 'moderate', 'strong'])
})

it('rise in the window’s sliders too, and start anew where they could not', async () => {
  let state = setSpecs(emptyRecipe, await specs.list(), 'ihc-nuclei')
  const classes = () => valuesOf(state)['classes'] ?? {}
  state = setParam(state, 'classes', 'positiveAbove', 0.5)
  expect(classes()).toEqual({ positiveAbove: 0.5 })
  state = setParam(state, 'classes', 'by', 'grades')
  expect(classes()).toEqual({ by: 'grades', positiveAbove: 0.5, moderateAbove: 0.7, strongAbove: 0.9 })
  state = setParam(state, 'classes', 'positiveAbove', 0.8)
  expect(classes()).toEqual({ by: 'grades', positiveAbove: 0.8, moderateAbove: 0.81, strongAbove: 0.9 })
  state = setParam(state, 'classes', 'strongAbove', 0)
  expect(classes()).toEqual({ by: 'grades', positiveAbove: 0, moderateAbove: 0.01, strongAbove: 0.02 })
  state = resetAll(state)
  expect(classes()).toEqual({})
})

it('of a project’s rows are said where they differ', () => {
  const row = (slide: string, limits: readonly number[]): SummaryRow => ({
    ...{
      slide,
      region: null,
      values: null,
      result: null,
      analysedMm2: 1,
      class: '',
      state: 'done',
      recipe: 'IHC nuclei',
      areaPx: 1,
      areaMm2: 1,
      tissueMm2: 1,
      objects: 4,
    },
    ...{ perMm2: 4, perMm2Tissue: 4, positiveShare: 0.5, hScore: 100, why: null, cuts: cutsOn('stain2Mean', limits, place) },
  })
  expect(differingCuts([row('a', [0.2, 0.4, 0.6]), row('b', [0.2, 0.4, 0.6])])).toBeNull()
  expect(differingCuts([row('a', [0.2, 0.4, 0.6]), row('b', [0.1, 0.4, 0.6])])).toContain(
    'a: DAB mean: 1+ above 0.2, 2+ above 0.4, 3+ above 0.6 OD; b: DAB mean: 1+ above 0.1',
  )
})
