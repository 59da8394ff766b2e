// Versions of recipes under names: kept, replaced, forgotten, seen by another program; files that are none.
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { VersionName } from '../../../app/contract'
import type { SpecTable } from '../../../main/recipe/specs'
import { RecipeVersions } from '../../../main/recipe/versions'
import { recipe, spec } from '../recipeFixture'

const specs: SpecTable = { list: async () => [spec], get: async () => spec }
let folder: string
let said: string[]
let versions: RecipeVersions
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'versions-')), 'recipes')
  said = []
  versions = new RecipeVersions(folder, specs, ({ message }) => said.push(message))
})
const names = async (from = versions): Promise<string[]> => (await from.list()).map(({ name }) => name)

it('keeps them by name with every value, and another program sees them', async () => {
  expect(await versions.list()).toEqual([])
  await versions.keep('Ki-67, strict', recipe({ objects: { radius: 2 } }), false)
  await versions.keep('ärztlich / ../../x', recipe({ objects: { radius: 3 } }), false)
  const other = new RecipeVersions(folder, specs, () => undefined)
  expect(await names(other)).toEqual(['ärztlich / ../../x', 'Ki-67, strict'])
  const [, strict] = await other.list()
  expect(strict!.recipe).toMatchObject({ name: 'Ki-67, strict', params: { objects: { radius: 2, minArea: 10 } } })
  // In their folder, whatever the name says, as recipe files that `run --recipe FILE` takes.
  expect(await readdir(join(folder, '..'))).toEqual(['recipes'])
  expect(await readdir(folder)).toHaveLength(2)
})

it('takes another under a name only when that is said, in whatever case it is written', async () => {
  await versions.keep('Strict', recipe({ objects: { radius: 2 } }), false)
  const again = recipe({ objects: { radius: 3 } })
  await expect(versions.keep('strict', again, false)).rejects.toMatchObject({ code: 'OUTPUT_EXISTS' })
  expect((await versions.list())[0]!.recipe.params['objects']!['radius']).toBe(2)
  await versions.keep('strict', again, true)
  expect(await names()).toEqual(['strict'])
  expect((await versions.list())[0]!.recipe.params['objects']!['radius']).toBe(3)
  await expect(versions.keep('bad', recipe({ objects: { radius: -1 } }), false)).rejects.toMatchObject({
    code: 'INVALID_PARAMETER',
  })
})

it('forgets one', async () => {
  await versions.keep('A', recipe(), false)
  await versions.keep('B', recipe(), false)
  await versions.forget('a')
  expect(await names()).toEqual(['B'])
  await expect(versions.forget('A')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('leaves files that are none alone, and says so', async () => {
  await versions.keep('A', recipe(), false)
  const [own] = await readdir(folder)
  await writeFile(join(folder, 'notes.json'), '{"a": 1}')
  await writeFile(join(folder, 'copied.json'), (await readFile(join(folder, own!), 'utf8')).replace('"A"', '"Copied by hand"'))
  expect(await names()).toEqual(['A', 'Copied by hand'])
  expect(said.join()).toContain('notes.json is no recipe')
  await versions.keep('Copied by hand', recipe({ objects: { radius: 3 } }), true)
  expect(await names()).toEqual(['A', 'Copied by hand'])
  await versions.forget('Copied by hand')
  expect((await readdir(folder)).sort()).toEqual(['notes.json', own].sort())
})

it.each(['', ' ', ' a', 'a\nb', 'x'.repeat(81), 'a\u202eb'])('a name is not %j', (name) => {
  expect(VersionName.safeParse(name).success).toBe(false)
})
