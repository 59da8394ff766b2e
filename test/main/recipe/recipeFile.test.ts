// Recipe files: round trip, versions, damage and size.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadRecipe, parseRecipe, saveRecipe } from '../../../main/recipe/recipeFile'
import type { SpecTable } from '../../../main/recipe/specs'
import { defaultRecipe } from '../../../main/recipe/validate'
import { recipe, spec } from '../recipeFixture'

const specs: SpecTable = { list: async () => [spec], get: async () => spec }

describe('recipe files', () => {
  it('come back as they were saved, with every value', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'recipe-')), 'sub', 'mine.json')
    await saveRecipe(path, recipe({ objects: { radius: 2 } }), specs)
    const loaded = await loadRecipe(path, specs)
    expect(loaded.params['objects']).toEqual({ radius: 2, minArea: 10, count: 3, split: true })
  })

  it.each([
    ['{', 'it is not JSON'],
    ['null', 'expected "morphoscope-recipe" for format but received undefined'],
    ['{"format":"other"}', 'received "other"'],
    [JSON.stringify({ ...defaultRecipe(spec), version: 2 }), 'has recipe version 2, and this program reads version 1'],
    [JSON.stringify({ ...defaultRecipe(spec), extra: 1 }), 'is damaged'],
    [JSON.stringify({ ...defaultRecipe(spec), params: [] }), 'is damaged'],
  ])('refuse %s', (text, message) => {
    expect(() => parseRecipe('x.json', text)).toThrow(message)
  })

  it('are refused when illegal, absent or far too large', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'recipe-')), 'r.json')
    await expect(loadRecipe(path, specs)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await writeFile(path, JSON.stringify(recipe({ objects: { radius: -1 } })))
    await expect(loadRecipe(path, specs)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    await writeFile(path, ' '.repeat(2 ** 20 + 1))
    await expect(loadRecipe(path, specs)).rejects.toThrow('a recipe has at most')
  })
})
