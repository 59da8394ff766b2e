// Recipe files: round trip, versions, damage and size; and what saving one leaves alone.
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadRecipe, parseRecipe, saveRecipe } from '../../../main/recipe/recipeFile'
import { openSpecs } from '../../../main/recipe/specs'
import type { SpecTable } from '../../../main/recipe/specs'
import { defaultRecipe } from '../../../main/recipe/validate'
import { assetsDir } from '../realEngine'
import { recipe, spec } from '../recipeFixture'

const specs: SpecTable = { list: async () => [spec], get: async () => spec }

describe('recipe files', () => {
  it('come back as they were saved, with every value', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'recipe-')), 'mine.json')
    await saveRecipe(path, recipe({ objects: { radius: 2 } }), specs)
    const loaded = await loadRecipe(path, specs)
    expect(loaded.params['objects']).toEqual({ radius: 2, minArea: 10, count: 3, split: true })
  })

  it('of before a rejection had its switch take it as off, and keep what they had', async () => {
    const bundled = openSpecs(assetsDir)
    const path = join(await mkdtemp(join(tmpdir(), 'recipe-')), 'older.json')
    const now = defaultRecipe(await bundled.get('he-nuclei'))
    await writeFile(path, JSON.stringify({ ...now, params: { ...now.params, reject: { pigment: true } } }))
    expect((await loadRecipe(path, bundled)).params['reject']).toEqual({
      pigment: true,
      redCells: false,
      keratin: false,
      mucin: false,
      folds: false,
    })
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

describe('saving', () => {
  const folder = async () => mkdtemp(join(tmpdir(), 'recipe-'))
  const slide = 'not a recipe at all'

  it('makes a file or replaces a recipe, and leaves nothing beside it', async () => {
    const at = await folder()
    const path = join(at, 'mine.json')
    await saveRecipe(path, recipe({ objects: { radius: 2 } }), specs)
    await saveRecipe(path, recipe({ objects: { radius: 3 } }), specs)
    expect((await loadRecipe(path, specs)).params['objects']).toMatchObject({ radius: 3 })
    expect(await readdir(at)).toEqual(['mine.json'])
  })

  it.each(['slide.svs', '.bashrc', '.profile.json', 'recipe', 'recipe.json.sh', 'x.jsonl', '.json'])(
    'takes no other name: %s',
    async (name) => {
      const at = await folder()
      await writeFile(join(at, name), slide)
      await expect(saveRecipe(join(at, name), recipe(), specs)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
      expect(await readFile(join(at, name), 'utf8')).toBe(slide)
      const empty = await folder()
      await expect(saveRecipe(join(empty, name), recipe(), specs)).rejects.toThrow('.json')
      expect(await readdir(empty)).toEqual([])
    },
  )

  it.each([
    ['a slide with that ending', slide],
    ['a list of packages', '{"name":"x","scripts":{}}'],
    ['the record of a run, which holds a recipe', JSON.stringify({ format: 'morphoscope-run', recipe: defaultRecipe(spec) })],
    ['a recipe of a later version', JSON.stringify({ ...defaultRecipe(spec), version: 2 })],
    ['what is larger than any recipe', JSON.stringify(defaultRecipe(spec)) + ' '.repeat(2 ** 20)],
  ])('does not write over %s', async (_, text) => {
    const at = await folder()
    const path = join(at, 'a.json')
    await writeFile(path, text)
    await expect(saveRecipe(path, recipe(), specs)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    expect(await readFile(path, 'utf8')).toBe(text)
    expect(await readdir(at)).toEqual(['a.json'])
  })

  it.skipIf(process.platform === 'win32')('does not write through a link, into a pipe or over a folder', async () => {
    const at = await folder()
    await saveRecipe(join(at, 'real.json'), recipe(), specs)
    await symlink(join(at, 'real.json'), join(at, 'link.json'))
    await symlink(join(at, 'nowhere.json'), join(at, 'dangling.json'))
    await mkdir(join(at, 'folder.json'))
    execFileSync('mkfifo', [join(at, 'pipe.json')])
    const before = await readFile(join(at, 'real.json'), 'utf8')
    for (const name of ['link', 'dangling', 'folder', 'pipe']) {
      const path = join(at, `${name}.json`)
      await expect(saveRecipe(path, recipe({ objects: { radius: 3 } }), specs)).rejects.toMatchObject({
        code: 'INVALID_PARAMETER',
      })
    }
    await expect(loadRecipe(join(at, 'pipe.json'), specs)).rejects.toThrow('is a named pipe, not a file')
    expect(await readFile(join(at, 'real.json'), 'utf8')).toBe(before)
    expect((await stat(join(at, 'folder.json'))).isDirectory()).toBe(true)
    expect((await readdir(at)).sort()).toEqual(['dangling.json', 'folder.json', 'link.json', 'pipe.json', 'real.json'])
  })

  it('makes no folders', async () => {
    const at = await folder()
    await expect(saveRecipe(join(at, 'a', 'b.json'), recipe(), specs)).rejects.toMatchObject({ code: 'OUTPUT_FAILED' })
    expect(await readdir(at)).toEqual([])
  })
})

it('a file that is no recipe is not quoted', () => {
  expect(() => parseRecipe('x.json', 'secret:x:0:0')).toThrow(/^(?!.*secret)/)
})
