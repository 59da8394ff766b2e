// A recipe's values: what is legal, what is filled in, and how a refusal reads.
import { Recipe } from '../../../app/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { schemaError, toAppError } from '../../../main/base/errors'
import { completeRecipe, defaultRecipe } from '../../../main/recipe/validate'
import { withSetOption } from '../../../main/recipe/setOption'
import { toNativeError } from '../../../native/index'
import { recipe, spec } from '../recipeFixture'

describe('completeRecipe', () => {
  it('fills in every default and keeps what is given', () => {
    const complete = completeRecipe(recipe({ objects: { radius: 7 } }), spec)
    expect(complete.params).toEqual({
      image: { pixelSizeUm: 0.5, channel: 'hematoxylin' },
      objects: { radius: 7, minArea: 10, count: 3, split: true },
    })
    expect(complete.name).toBe('mine')
  })

  it('gives the same for a complete recipe', () => {
    const complete = defaultRecipe(spec)
    expect(completeRecipe(complete, spec)).toEqual(complete)
  })

  it.each([
    [{ objects: { radius: 20.5 } }, 'expected a number from 0 to 20 µm for objects.radius but received 20.5'],
    [{ objects: { radius: Number.NaN } }, 'expected a number from 0 to 20 µm for objects.radius but received NaN'],
    [{ objects: { radius: '4' } }, 'expected a number from 0 to 20 µm for objects.radius but received "4"'],
    [{ objects: { radius: true } }, 'expected a number from 0 to 20 µm for objects.radius but received true'],
    [{ objects: { count: 1.5 } }, 'expected a whole number from 0 to 9 for objects.count but received 1.5'],
    [{ objects: { split: 1 } }, 'expected true or false for objects.split but received 1'],
    [{ image: { channel: 'green' } }, 'expected one of "red", "hematoxylin" for image.channel but received "green"'],
    [{ nothing: {} }, 'expected a stage of the recipe "test" (image, objects) but received "nothing"'],
    [
      { image: { zoom: 1 } },
      'expected a parameter of the recipe "test" (image.pixelSizeUm, image.channel) but received "image.zoom"',
    ],
  ])('refuses %j', (params, message) => {
    expect(() => completeRecipe(recipe(params as never), spec)).toThrow(message)
  })

  it('accepts exactly the range of a number', () => {
    fc.assert(
      fc.property(fc.double(), (radius) => {
        const legal = radius >= 0 && radius <= 20
        const run = (): unknown => completeRecipe(recipe({ objects: { radius } }), spec)
        if (legal) expect(run).not.toThrow()
        else expect(run).toThrow('objects.radius')
      }),
    )
  })

  it('does not take inherited names for stages or parameters', () => {
    expect(() => completeRecipe(recipe(JSON.parse('{"__proto__":{"a":1}}') as Recipe['params']), spec)).toThrow('__proto__')
    expect(() => completeRecipe(recipe({ objects: { constructor: 1 } }), spec)).toThrow('objects.constructor')
  })
})

describe('the place of a refusal', () => {
  const whereOf = (run: () => unknown): unknown => {
    try {
      run()
    } catch (error) {
      return toAppError(error).where
    }
    throw new Error('was not refused')
  }
  it.each([
    [{ objects: { radius: 20.5 } }, { stage: 'objects', param: 'radius' }],
    [{ image: { channel: 'green' } }, { stage: 'image', param: 'channel' }],
    [{ image: { zoom: 1 } }, { stage: 'image', param: 'zoom' }],
    [{ nothing: {} }, { stage: 'nothing' }],
  ])('of %j', (params, where) => {
    expect(whereOf(() => completeRecipe(recipe(params as never), spec))).toEqual(where)
  })

  it.each([
    ['objects.radius=99', { stage: 'objects', param: 'radius' }],
    [' objects .nope=1', { stage: 'objects', param: 'nope' }],
    ['nope.radius=1', { stage: 'nope' }],
    ['radius', undefined],
  ])('of the option %j', (option, where) => {
    expect(whereOf(() => withSetOption(recipe(), spec, option))).toEqual(where)
  })

  it.each([
    [
      { ...recipe(), params: { objects: { radius: null } } },
      { stage: 'objects', param: 'radius' },
    ],
    [{ ...recipe(), params: { objects: 7 } }, { stage: 'objects' }],
    [{ ...recipe(), name: 7 }, undefined],
  ])('of what is no recipe by its form: %j', (value, where) => {
    const { error } = Recipe.safeParse(value)
    expect(
      whereOf(() => {
        throw schemaError('recipe', value, error!)
      }),
    ).toEqual(where)
  })

  it('of the native engine', () => {
    const error = Object.assign(new Error('no'), {
      code: 'INVALID_PARAMETER',
      detail: '',
      where: { stage: 'split', param: 'depth' },
    })
    expect(toAppError(toNativeError(error))).toEqual({
      code: 'INVALID_PARAMETER',
      message: 'no',
      where: { stage: 'split', param: 'depth' },
    })
    expect(toAppError(toNativeError(Object.assign(error, { where: { stage: 7 } })))).not.toHaveProperty('where')
  })
})

describe('withSetOption', () => {
  it.each([
    ['objects.radius=2.5', 'objects', 'radius', 2.5],
    ['objects.radius=1e1', 'objects', 'radius', 10],
    ['objects.split=off', 'objects', 'split', false],
    ['objects.split=TRUE', 'objects', 'split', true],
    ['image.channel=red', 'image', 'channel', 'red'],
    ['objects.count= 4 ', 'objects', 'count', 4],
  ])('reads %s', (option, stage, key, value) => {
    expect(withSetOption(recipe(), spec, option).params[stage]?.[key]).toBe(value)
  })

  it.each([
    'radius=3',
    'objects.radius',
    'objects.radius=',
    'objects.radius=0x3',
    'objects.radius=99',
    'objects.radius=NaN',
    'objects.nope=1',
    'nope.radius=1',
    'objects.split=maybe',
    '',
  ])('refuses %j', (option) => {
    expect(() => withSetOption(recipe(), spec, option)).toThrow(/expected .* but received/)
  })

  it('leaves the recipe it was given alone', () => {
    const before = recipe({ objects: { radius: 1 } })
    withSetOption(before, spec, 'objects.radius=2')
    expect(before.params).toEqual({ objects: { radius: 1 } })
  })
})
