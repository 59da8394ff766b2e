// Recipe values and errors.
import { describe, expect, it } from 'vitest'
import { Recipe, type AppError } from '../../app/contract'
import * as recipe from '../../renderer/store/slices/recipeSlice'
import { spec } from './recipeFixture'

const other = { ...spec, id: 'two', name: 'Two' }
const start = recipe.setSpecs(recipe.emptyRecipe, [spec, other], 'one')
const level = spec.stages[0]?.params[0]
const size = spec.stages[0]?.params[1]
if (!level || !size || level.kind !== 'number' || size.kind !== 'number') throw new Error('the spec above has changed')

describe('recipe slice', () => {
  it('writes every value into the recipe that it sends', () => {
    const sent = recipe.recipeOf(recipe.setParam(start, 'mask', 'level', 7))
    expect(Recipe.parse(sent).params).toEqual({ mask: { level: 7, size: 3, way: 'a', on: true } })
  })
  it('keeps only what differs from a default', () => {
    const set = recipe.setParam(start, 'mask', 'level', 7)
    expect(recipe.valuesOf(set)).toEqual({ mask: { level: 7 } })
    expect(recipe.dirtyCount(set)).toBe(1)
    expect(recipe.dirtyCount(recipe.resetParam(set, 'mask', 'level'))).toBe(0)
  })
  it('keeps the values of both recipes over a switch', () => {
    const set = recipe.setParam(start, 'mask', 'level', 7)
    const switched = recipe.selectSpec(set, 'two')
    expect(recipe.valueOf(switched, 'mask', level)).toBe(5)
    expect(recipe.valueOf(recipe.selectSpec(switched, 'one'), 'mask', level)).toBe(7)
  })
  it('refuses values outside the range and says why', () => {
    expect(recipe.setParam(start, 'mask', 'level', 11)).toBe(start)
    expect(recipe.problemOf(level, 11)).toBe('expected 0 to 10 but received 11')
    expect(recipe.problemOf(level, Number.NaN)).toMatch(/expected a number/)
    expect(recipe.problemOf(size, 2.5)).toMatch(/whole/)
  })
  it('snaps to steps without binary noise', () => {
    expect(recipe.snapToStep(level, 0.30000000000000004)).toBe(0.3)
    expect(recipe.snapToStep(size, 4.2)).toBe(5)
    expect(recipe.snapToStep(level, 99)).toBe(10)
  })
  it('drops stored values that the spec no longer allows', () => {
    const stored = { ...recipe.emptyRecipe, valuesBySpec: { one: { mask: { level: 77, size: 9, gone: 1 } } } }
    expect(recipe.valuesOf(recipe.setSpecs(stored, [spec], 'one'))).toEqual({ mask: { size: 9 } })
  })
  it('loads a recipe file', () => {
    const loaded = recipe.loadRecipe(start, {
      format: 'morphoscope-recipe',
      version: 1,
      spec: 'two',
      name: 'x',
      params: { mask: { way: 'b' } },
    })
    expect(loaded.specId).toBe('two')
    expect(recipe.valuesOf(loaded)).toEqual({ mask: { way: 'b' } })
  })
  it('puts an error at the control that it is about, whatever its words, and takes it away with the next value', () => {
    const refused = (where: AppError['where'], message = 'expected 0 to 10') =>
      recipe.blame(start, { code: 'INVALID_PARAMETER', message, where })
    const blamed = refused({ stage: 'mask', param: 'level' })
    expect(Object.keys(blamed?.errors ?? {})).toEqual(['mask.level'])
    for (const where of [undefined, { stage: 'mask' }, { stage: 'mask', param: 'levels' }, { stage: 'other', param: 'level' }])
      expect(refused(where, 'expected 0 to 10 for mask.level')).toBeNull()
    expect(blamed && recipe.setParam(blamed, 'mask', 'level', 6).errors).toEqual({})
  })
})
