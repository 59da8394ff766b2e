// The German texts of the bundled recipes: one for each English text, and none beside them.
import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RecipeSpec } from '../../../app/contract'
import { germanRecipe, recipes } from '../../../app/german/recipes/index'
import type { GermanParam } from '../../../app/german/recipes/shape'

const folder = new URL('../../../assets/recipes/', import.meta.url)
const specs = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => RecipeSpec.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))))

/** Each text by its place. */
function textsOf({ name, description, stages, layers }: RecipeSpec): [place: string, text: string][] {
  return [
    ['name', name],
    ['description', description],
    ...layers.map(({ id, label }): [string, string] => [`layer ${id}`, label]),
    ...stages.flatMap(({ id, label, help, params }): [string, string][] => [
      [`${id}.label`, label],
      [`${id}.help`, help],
      ...params.flatMap((param): [string, string][] => [
        [`${id}.${param.key}.label`, param.label],
        [`${id}.${param.key}.help`, param.help],
        ...(param.kind === 'number' && param.zero !== undefined
          ? [[`${id}.${param.key}.zero`, param.zero] as [string, string]]
          : []),
        ...(param.kind === 'choice'
          ? param.choices.map((each): [string, string] => [`${id}.${param.key}=${each.value}`, each.label])
          : []),
      ]),
    ]),
  ]
}

/** The same of the German table alone, without the recipe. */
function germanPlaces(id: string): string[] {
  const { stages, layers } = recipes[id]!
  const ofParam = (at: string, { zero, choices = {} }: GermanParam): string[] => [
    `${at}.label`,
    `${at}.help`,
    ...(zero === undefined ? [] : [`${at}.zero`]),
    ...Object.keys(choices).map((value) => `${at}=${value}`),
  ]
  return [
    ...['name', 'description', ...Object.keys(layers).map((layer) => `layer ${layer}`)],
    ...Object.entries(stages).flatMap(([stage, { params }]) => [
      ...[`${stage}.label`, `${stage}.help`],
      ...Object.entries(params).flatMap(([key, param]) => ofParam(`${stage}.${key}`, param)),
    ]),
  ]
}

test('each bundled recipe has German texts', () => {
  expect(Object.keys(recipes).sort()).toEqual(specs.map(({ id }) => id).sort())
})

test.each(specs)('every text of $id has a German one, and every German one a place', (spec) => {
  const places = textsOf(spec).map(([place]) => place)
  expect(germanPlaces(spec.id).sort()).toEqual(places.sort())
})

/** They are the same in both languages. */
const alike = ['Pigment', 'Keratin', 'DAB', 'Sigma', 'Marker']

test.each(specs)('no text of $id stays English', (spec) => {
  const german = new Map(textsOf(germanRecipe(spec)))
  const same = textsOf(spec).filter(([place, text]) => german.get(place) === text && !alike.includes(text))
  expect(same).toEqual([])
})

test('labels are short: at most 1.3 times the English one, or a few letters longer', () => {
  const long = specs.flatMap((spec) => {
    const german = new Map(textsOf(germanRecipe(spec)))
    return textsOf(spec).flatMap(([place, text]) => {
      const own = german.get(place)!
      const isShort =
        place.endsWith('.help') || place === 'description' || own.length <= Math.max(1.3 * text.length, text.length + 9)
      return isShort ? [] : [`${spec.id} ${place}: ${text} -> ${own}`]
    })
  })
  expect(long).toEqual([])
})

test('one English text has one German text', () => {
  const found = new Map<string, Set<string>>()
  for (const spec of specs) {
    const german = new Map(textsOf(germanRecipe(spec)))
    for (const [place, text] of textsOf(spec)) found.set(text, (found.get(text) ?? new Set()).add(german.get(place)!))
  }
  expect([...found].filter(([, texts]) => texts.size > 1).map(([text, texts]) => [text, ...texts])).toEqual([])
})
