// Undo: steps of any slice, a drag as one of them, and what can be put back no more.
import { beforeEach, describe, expect, it } from 'vitest'
import type { Recipe } from '../../app/contract'
import { move, noHistory, record, type History, type Undoables } from '../../renderer/store/slices/history'
import { change, step } from '../../renderer/store/recipe/historyActions'
import * as recipe from '../../renderer/store/slices/recipeSlice'
import { firstState, getState, update, useStore } from '../../renderer/store/store'
import { spec } from './recipeFixture'

const two = { ...spec, id: 'two', name: 'Two' }
const three = { ...spec, id: 'three', name: 'Three' }

const set = (key: string, value: number, final: boolean) =>
  change('recipe', key, (state) => recipe.setParam(state, 'mask', key, value), { id: `mask.${key}`, final })
const values = () => recipe.valuesOf(getState().recipe).mask ?? {}
const names = (from: 'past' | 'future') => getState().history[from].map(({ name }) => name)
const recipeWith = (level: number): Recipe => ({
  format: 'morphoscope-recipe',
  version: 1,
  spec: 'two',
  name: 'x',
  params: { mask: { level } },
})

describe('the history of the recipe', () => {
  beforeEach(() => {
    useStore.setState(firstState, true)
    update('recipe', (state) => recipe.setSpecs(state, [spec, two, three], 'one'))
  })

  it('makes one step of a drag, and takes all of it back and again', () => {
    for (const value of [6, 7, 8]) set('level', value, false)
    set('level', 8, true)
    set('size', 9, true)
    expect(names('past')).toEqual(['level', 'size'])
    expect([step('past'), step('past')]).toEqual(['recipe', 'recipe'])
    expect(values()).toEqual({})
    expect(step('past')).toBeNull()
    expect([step('future'), step('future')]).toEqual(['recipe', 'recipe'])
    expect(values()).toEqual({ level: 8, size: 9 })
    expect(step('future')).toBeNull()
  })
  it('begins a new step with the next drag, also of the same control', () => {
    set('level', 6, false)
    set('level', 7, true)
    set('level', 8, false)
    expect(names('past')).toEqual(['level', 'level'])
    step('past')
    expect(values()).toEqual({ level: 7 })
    set('level', 9, false)
    expect(names('past')).toEqual(['level', 'level'])
  })
  it('forgets what was undone at a new change, and knows no step where nothing changed', () => {
    set('level', 7, true)
    step('past')
    expect(names('future')).toEqual(['level'])
    set('size', 9, true)
    expect(names('future')).toEqual([])
    expect(set('size', 9, true)).toBe(false)
    expect(set('size', 1000, true)).toBe(false)
    expect(names('past')).toEqual(['size'])
  })
  it('is an exact inverse: a switch, and a file over values that were there', () => {
    change('recipe', 'switch', (state) => recipe.selectSpec(state, 'two'))
    set('level', 2, true)
    change('recipe', 'switch', (state) => recipe.selectSpec(state, 'one'))
    const before = getState().recipe
    change('recipe', 'load', (state) => recipe.loadRecipe(state, recipeWith(9)))
    expect([getState().recipe.specId, values()]).toEqual(['two', { level: 9 }])
    step('past')
    expect(getState().recipe).toEqual(before)
    step('past')
    expect([getState().recipe.specId, values()]).toEqual(['two', { level: 2 }])
  })
  it('drops steps whose recipe or value is gone, and takes the one before', () => {
    change('recipe', 'switch', (state) => recipe.selectSpec(state, 'two'))
    set('size', 50, true)
    set('size', 5, true)
    // Another engine: without “One”, and with smaller sizes.
    const smaller = structuredClone(two)
    const size = smaller.stages[0]!.params[1]!
    if (size.kind === 'number') size.max = 20
    update('recipe', (state) => recipe.setSpecs(state, [smaller, three], 'two'))
    set('level', 1, true)
    expect(names('past')).toEqual(['switch', 'size', 'size', 'level'])
    expect(step('past')).toBe('recipe')
    expect(values()).toEqual({ size: 5 })
    // To 50, which no size is any more; then to the default; then to a recipe that is not there.
    expect(step('past')).toBe('recipe')
    expect(values()).toEqual({})
    expect(step('past')).toBeNull()
    expect([names('past'), recipe.currentSpec(getState().recipe)?.id]).toEqual([[], 'two'])
  })
  it('is bounded', () => {
    for (let n = 0; n < 250; n++) set('size', 1 + (n % 90), true)
    expect(getState().history.past).toHaveLength(200)
  })
})

describe('a history of two slices', () => {
  interface Parts {
    a: number
    b: string
  }
  const state = { a: { value: 2 }, b: { text: 'new', other: true } }
  const undoables: Undoables<typeof state, Parts> = {
    a: {
      partOf: ({ value }) => value,
      same: Object.is,
      withPart: (slice, value) => (value < 0 ? null : { ...slice, value }),
    },
    b: { partOf: ({ text }) => text, same: Object.is, withPart: (slice, text) => ({ ...slice, text }) },
  }
  it('takes their steps back in the order in which they were done', () => {
    let history: History<Parts> = noHistory
    history = record(history, { slice: 'a', name: 'a', before: 1, after: 2 }, { id: 'x', final: false })
    // The same control's name means another step in another slice.
    history = record(history, { slice: 'b', name: 'b', before: 'old', after: 'new' }, { id: 'x', final: false })
    expect(history.past).toHaveLength(2)
    const one = move(history, 'past', state, undoables)
    expect(one.to).toEqual({ slice: 'b', value: { text: 'old', other: true } })
    const both = move(one.history, 'past', state, undoables)
    expect(both.to).toEqual({ slice: 'a', value: { value: 1 } })
    expect(move(both.history, 'future', state, undoables).to).toEqual({ slice: 'a', value: { value: 2 } })
  })
})
