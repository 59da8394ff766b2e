// One word for one thing: no page for users and no text of the window has a word that the glossary gives another one for.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { proseOf } from '../../docs/site/markdown'
import { spellings, terms } from '../../docs/site/reference/terms'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const below = (folder: string, wanted: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => wanted.test(name))

const instead = new Map([
  ...terms.flatMap(({ word, not = [] }) => not.map((other) => [other.toLowerCase(), word] as const)),
  ...Object.entries(spellings),
])
const wholeWords = (words: Iterable<string>): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}-])(${[...words].join('|')})(?![\\p{L}\\p{N}-])`, 'giu')
const unused = wholeWords(instead.keys())
/** What the window calls otherwise than files and the command line do. A microscope's stage is another thing. */
const ofFiles = wholeWords(terms.flatMap(({ inFiles = [] }) => inFiles))
const fileWords = ({ place, words }: Text): string[] =>
  [...words.replaceAll(/\b(?:microscope|Zeiss)['’]s stage\b/g, '').matchAll(ofFiles)].map(
    ([found]) => `${place}: “${found}”, in “${words}”`,
  )

interface Text {
  readonly place: string
  readonly words: string
}
const wrongWords = ({ place, words }: Text): string[] =>
  [...words.matchAll(unused)].map(([found]) => `${place}: “${found}”, which is called ${instead.get(found.toLowerCase())}`)

/** Without links' targets, pictures' files, names in quotes, and tags. */
const ofPage = (path: string): Text => ({
  place: path,
  words: proseOf(read(path))
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/[“"][^”"\n]*[”"]/g, '')
    .replace(/<[^>]*>/g, ''),
})
/** Texts of TypeScript: what has a space, or begins as a sentence does. */
function ofSource(path: string): Text[] {
  const found: Text[] = []
  const file = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node): void => {
    // What people look for, and nobody is shown.
    if (ts.isImportDeclaration(node) || (ts.isPropertyAssignment(node) && node.name.getText().startsWith('wordsFor'))) return
    if (
      (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) &&
      /^\p{Lu}|\s/u.test(node.text)
    )
      found.push({
        place: `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`,
        words: node.text.replace(/\{\w+\}/g, ''),
      })
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}
function ofRecipe(path: string): Text[] {
  const found: Text[] = []
  JSON.parse(read(path), (key, value: unknown) => {
    if (/^(label|help|description|name|zero)$/.test(key) && typeof value === 'string') found.push({ place: path, words: value })
    return value
  })
  return found
}

/** Pages that tell users of other programs what their words are here. */
const namesOthers = ['coming-from', 'how-to/imagej']
const pages = ['README.md', ...below('docs', /^docs\/(?!site\/).*\.md$/), 'assets/guide/README.md'].filter(
  (path) => !namesOthers.some((name) => path.includes(name)),
)
// Words that people look for a command by are in palette.ts, and never shown; the glossary is of English.
const sources = [
  ...below('renderer/words', /\.ts$/),
  'app/commands.ts',
  'app/guide.ts',
  'app/desktop/english.ts',
  ...below('app/cli', /\.ts$/),
].filter((path) => !path.endsWith('/palette.ts') && !path.includes('/german/'))

test('pages have no other word for what the glossary names', () => {
  expect(pages.length).toBeGreaterThan(5)
  expect(pages.map(ofPage).flatMap(wrongWords)).toEqual([])
})
test('pages, recipes and the window say step; files and the command line say stage', () => {
  const windows = sources.filter((path) => !path.startsWith('app/cli/'))
  const texts = [
    ...[...windows, 'main/export/report/tables.ts'].flatMap(ofSource),
    ...below('assets/recipes', /\.json$/).flatMap(ofRecipe),
  ]
  expect([...pages.map(ofPage), ...texts].flatMap(fileWords)).toEqual([])
  expect(fileWords({ place: 'a', words: 'Stages as CSV' })).toHaveLength(1)
})
test('texts of the window, of the command line and of recipes have none', () => {
  const texts = [...sources.flatMap(ofSource), ...below('assets/recipes', /\.json$/).flatMap(ofRecipe)]
  expect(texts.length).toBeGreaterThan(1500)
  expect(texts.flatMap(wrongWords)).toEqual([])
})
describe('the table', () => {
  test('has each word once, with a text, and no word that another term gives up', () => {
    const own = terms.map(({ word }) => word.toLowerCase())
    expect(new Set(own).size).toBe(own.length)
    expect(terms.filter(({ text }) => !/^\P{Ll}.*\.$/u.test(text))).toEqual([])
    expect(own.filter((word) => instead.has(word))).toEqual([])
    expect(terms.map(({ word, text }) => ({ place: word, words: text })).flatMap(wrongWords)).toEqual([])
  })
  test('a planted word is found, a name in code is not', () => {
    expect(wrongWords({ place: 'a.md', words: 'Draw a ROI.' })).toEqual(['a.md: “ROI”, which is called region'])
    expect(wrongWords({ place: 'a.md', words: 'The colours of 3 regions.' })).toEqual([])
    expect(wrongWords({ place: 'a.md', words: proseOf('See `color` here.') })).toEqual([])
  })
})
