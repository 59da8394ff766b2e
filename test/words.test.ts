// The judge of the pages' words: how long the README is, and how long the sentences of the front pages and of the folders' pages are.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sentencesOf, wordsIn } from './sentences'

const root = join(import.meta.dirname, '..')
const pages = [
  ...['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name.replaceAll('\\', '/')}`),
].filter((name) => name.endsWith('.md') && existsSync(join(root, name)))
// The guide is generated from the window's own texts; results are notes on figures, and faults.md is a table of them.
const exempt = ['assets/guide/', 'test/bench/results/', 'test/faults.md']
const folderPages = ['app', 'assets', 'cuda', 'main', 'native', 'renderer', 'test']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.md') && !exempt.some((path) => name.startsWith(path)))
const textOf = (name: string): string => readFileSync(join(root, name), 'utf8')

describe('the front pages and the pages of folders', () => {
  test('the README has at most 120 lines and 1,400 words', () => {
    const text = textOf('README.md')
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(120)
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(1400)
  })
  test.each([...pages, ...folderPages])('%s: at most one sentence in twenty has more than 25 words', (name) => {
    const sentences = sentencesOf(textOf(name))
    expect(sentences.length).toBeGreaterThan(pages.includes(name) && !name.startsWith('docs/reference/') ? 5 : 1)
    const long = sentences.filter((sentence) => wordsIn(sentence) > 25)
    expect([long.length <= sentences.length / 20, long]).toEqual([true, expect.anything()])
  })
  test.each(pages.filter((name) => name.startsWith('docs/')))('%s: no sentence has more than 25 words', (name) => {
    expect(sentencesOf(textOf(name).replace(/^---\n[^]*?\n---\n/, '')).filter((sentence) => wordsIn(sentence) > 25)).toEqual([])
  })
  test('a long sentence is seen', () => {
    const long = `${'word '.repeat(26)}end.`
    expect(sentencesOf(`Short one. ${long} Another one.\n\n- ${long}\n`).filter((each) => wordsIn(each) > 25)).toHaveLength(2)
  })
})
