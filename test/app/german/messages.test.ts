// The engine's messages in German: each template of the sources has one, and those that tests expect are said in German from end to end.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { german, messages } from '../../../app/german/messages'
import { titles } from '../../../app/german/titles'
import { expectedIn } from './expectedMessages'
import { realMessages } from './realMessages'
import { elsewhere, foreignMessages, machineWords, texts } from './notShown'
import { nativeTemplatesIn, templatesIn, type Template } from './messageSources'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => ({ path, text: readFileSync(join(root, path), 'utf8') })
const isElsewhere = (path: string): boolean => Object.keys(elsewhere).some((each) => path.startsWith(each))
const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`)
const sources = [...filesIn('main'), ...filesIn('native'), ...filesIn('cuda')].filter(
  (path) => /\.(ts|[ch]pp|cuh?)$/.test(path) && !path.endsWith('.d.ts'),
)
const found: readonly Template[] = sources
  .filter((path) => !isElsewhere(path))
  .map(read)
  .flatMap((source) => (source.path.endsWith('.ts') ? templatesIn(source) : nativeTemplatesIn(source)))

const known = [...messages, ...titles].map(({ english, words }) => [english, ...words.keys()].join('\n')).join('\n')
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
/** Whether a template with values has a German text, or is a part of a phrase. */
const isKnown = (text: string): boolean => {
  if (german(text.replaceAll('{}', '7')) !== null) return true
  const inner = text.replace(/^(\{\}|[\s.,;:])+|(\{\}|[\s.,;:])+$/g, '')
  if (inner === '' || known.includes(inner)) return true
  const pattern = inner.split('{}').map(escaped).join('[^\\n]*')
  return new RegExp(`(?<!\\p{L})${pattern}(?!\\p{L})`, 'u').test(known)
}

test('every text of the engine has a German one, or is on the list with a reason', () => {
  const missing = found.filter(({ text }) => !(text in texts) && !machineWords.some((each) => each.test(text)) && !isKnown(text))
  expect(missing.map(({ place, text }) => `${place} ${text}`).join('\n')).toBe('')
})

const expected = [
  ...new Set(
    [...filesIn('test/main'), ...filesIn('test/app/serve')]
      .filter((path) => path.endsWith('.test.ts'))
      .map(read)
      .flatMap(expectedIn),
  ),
]
/** Values are as they are: names in quotes, paths, what stands in brackets. */
const withoutValues = (text: string): string => text.replace(/"[^"]*"|„[^“]*“|\([^)]*\)|\S*[/.]\S+|VALUE\S*/g, '')

test('messages that the engine gives, and that tests expect, are German from end to end', () => {
  expect(expected.length).toBeGreaterThan(20)
  const english = [...expected, ...realMessages].flatMap((message) => {
    if (message in foreignMessages) return []
    const said = german(message)
    return said === null || /\b(the|of|and|not|are|is|with|for|but|has|have)\b/.test(withoutValues(said))
      ? [`${message} -> ${said}`]
      : []
  })
  expect(english.join('\n')).toBe('')
})
