// The guide has every command, names controls that there are, and is as the script that walks through it made it.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commands } from '../../app/commands'
import { guideChapters } from '../../app/guide'
import { guideText } from '../stress/guideText'

const folder = 'assets/guide'
const filesBelow = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

it('has every command, in one chapter', () => {
  const named = guideChapters.flatMap((chapter) => [...chapter.commands])
  expect([...named].sort()).toEqual(Object.keys(commands).sort())
})
it('names commands by their keys, and no key itself', () => {
  const words = guideChapters.flatMap((chapter) => chapter.words)
  const named = words.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))
  expect(named.filter((name) => !Object.hasOwn(commands, name))).toEqual([])
  expect(words.filter((text) => /\b(Ctrl|Shift)\+|(^|[ (])[B-HJ-Z]( |,|\))/.test(text))).toEqual([])
})
it('has small pictures of what values do, of values that the recipes have: npm run effects', () => {
  const effects = JSON.parse(readFileSync(join(folder, 'effects', 'effects.json'), 'utf8')) as Record<string, object>
  expect(Object.keys(effects).length).toBeGreaterThan(30)
  for (const name of Object.keys(effects)) {
    expect(existsSync(join(folder, 'effects', `${name}.webp`)), name).toBe(true)
    const [spec, stage, key] = name.split('.')
    const { stages } = JSON.parse(readFileSync(`assets/recipes/${spec}.json`, 'utf8')) as {
      stages: { id: string; params: { key: string; min: number; max: number }[] }[]
    }
    expect(
      stages.find(({ id }) => id === stage)?.params.map((param) => param.key),
      name,
    ).toContain(key)
  }
  expect(readdirSync(join(folder, 'effects')).filter((name) => name.endsWith('.webp'))).toHaveLength(Object.keys(effects).length)
})
it('puts its numbers on controls that there are', () => {
  const sources = filesBelow('renderer')
    .filter((path) => path.endsWith('.tsx'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  // A value's are made of its stage and key, a channel's of what it sets.
  const ids = guideChapters.flatMap(({ marks }) => marks.map(({ testId }) => testId)).filter((id) => !id.startsWith('param-'))
  const isMade = (id: string): boolean => sources.includes(`\`${id.replace(/-[^-]+$/, '')}-$\{`)
  expect(ids.filter((id) => !sources.includes(`"${id}"`) && !isMade(id))).toEqual([])
})
it('has a picture a chapter, all of them together below 3 MB, and a page that says the same: npm run guide', () => {
  for (const { id } of guideChapters) expect(existsSync(join(folder, `${id}.webp`)), id).toBe(true)
  const bytes = filesBelow(folder).reduce((sum, path) => sum + statSync(path).size, 0)
  expect(bytes).toBeLessThan(3_000_000)
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(guideText())
})
