// The bundled recipes: every file is legal, its defaults too, and damage is named.
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openSpecs, parseSpec } from '../../../main/recipe/specs'
import { defaultRecipe } from '../../../main/recipe/validate'
import { spec } from '../recipeFixture'

const specs = openSpecs(fileURLToPath(new URL('../../../assets', import.meta.url)))

describe('the bundled recipes', () => {
  it('are the six, the default first', async () => {
    expect((await specs.list()).map(({ id }) => id)).toEqual([
      'he-nuclei',
      'ihc-nuclei',
      'fluorescence-nuclei',
      'iwpp-nuclei',
      'max-tree-nuclei',
      'cell-detection',
    ])
  })

  it('have legal defaults, distinct names, and a resolution', async () => {
    for (const one of await specs.list()) {
      expect(() => defaultRecipe(one)).not.toThrow()
      const pixelSize = one.stages.find(({ id }) => id === 'image')?.params.find(({ key }) => key === 'pixelSizeUm')
      // No pixel is 0 µm wide: the window says what it stands for.
      expect(pixelSize).toMatchObject({ kind: 'number', zero: 'full' })
      const names = one.stages.flatMap((stage) => stage.params.map((param) => `${stage.id}.${param.key}`))
      expect(new Set(names).size).toBe(names.length)
    }
  })

  it('are named when one that is not there is asked for', async () => {
    await expect(specs.get('nope')).rejects.toThrow(
      'expected one of he-nuclei, ihc-nuclei, fluorescence-nuclei, iwpp-nuclei, max-tree-nuclei, cell-detection for recipe.spec but received "nope"',
    )
  })

  it('say which file is damaged', async () => {
    expect(() => parseSpec('/x/a.json', '{')).toThrow('/x/a.json')
    expect(() => parseSpec('/x/a.json', JSON.stringify({ ...spec, stainSet: 'pink' }))).toThrow(/\/x\/a\.json.*stainSet/)
    await expect(openSpecs('/not/there').list()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
