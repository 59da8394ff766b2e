// The pages that a newcomer opens first: short, plain, with links and commands that work, and one version everywhere.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const pages = ['CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md']
const forms = readdirSync(join(root, '.github', 'ISSUE_TEMPLATE')).map((name) => `.github/ISSUE_TEMPLATE/${name}`)
const templates = [...forms, '.github/pull_request_template.md']
const { version, author, scripts, ...manifest } = JSON.parse(read('package.json')) as {
  version: string
  author: string
  scripts: Record<string, string>
}

const withoutCode = (text: string): string => text.replace(/^```[^]*?^```/gm, '').replace(/^\|.*\|$/gm, '')
/** Of prose: list items, and what ends with a full stop, a question mark or a colon. */
const sentencesOf = (text: string): string[] =>
  withoutCode(text)
    .split(/\n\s*\n|\n(?=#|- |\d+\. )|(?<=[.?!:;])\s+/)
    .map((each) => each.replace(/^[#\-\d.\s]+/, '').trim())
    .filter(Boolean)

describe.each(pages)('%s', (page) => {
  it('is under 80 lines, and no sentence has more than 25 words', () => {
    expect(read(page).split('\n').length).toBeLessThanOrEqual(80)
    expect(sentencesOf(read(page)).filter((sentence) => sentence.split(/\s+/).length > 25)).toEqual([])
  })
  it('names commands and files that are there', () => {
    const code = [...read(page).matchAll(/`([^`\n]+)`|^```\n([^]*?)^```/gm)]
      .map(([, short, long]) => short ?? long ?? '')
      .join('\n')
    const run = [...code.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!)
    expect(run.filter((name) => scripts[name] === undefined)).toEqual([])
    const tests = [...code.matchAll(/\btest\/[\w/.-]+\.ts\b/g)].map(([path]) => path)
    expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})

describe('the templates of .github', () => {
  it('are there for a fault, a wish, a slide that does not open, and a change', () => {
    expect(forms.map((path) => path.replace(/.*\//, '')).sort()).toEqual(['fault.yml', 'slide.yml', 'wish.yml'])
  })
  it.each(templates)('%s is short and names only what is there', (path) => {
    const text = read(path)
    expect(text.split('\n').length).toBeLessThanOrEqual(80)
    const named = [...text.matchAll(/\b[A-Z_]+\.md\b/g)].map(([name]) => name)
    expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([])
    const run = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!)
    expect(run.filter((name) => scripts[name] === undefined)).toEqual([])
  })
  it.each(forms)('%s is a form: a name, a description, and fields with ids of their own', (path) => {
    const text = read(path)
    for (const key of ['name', 'description', 'body']) expect(text).toMatch(new RegExp(`^${key}:`, 'm'))
    const ids = [...text.matchAll(/^ {4}id: (\w+)$/gm)].map(([, id]) => id)
    const fields = [...text.matchAll(/^ {2}- type: (?!markdown)\w+$/gm)]
    expect(ids.length).toBe(fields.length)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('what the project says of itself', () => {
  it('names who made it, and no place that does not exist', () => {
    expect(author).toBe('Morphoscope contributors')
    for (const key of ['homepage', 'repository', 'bugs']) expect(manifest).not.toHaveProperty(key)
  })
  it('has the same version for those who cite it, and the four papers', () => {
    const text = read('CITATION.cff')
    expect(/^version: (.*)$/m.exec(text)?.[1]).toBe(version)
    expect([...text.matchAll(/^ {4}year: (\d+)$/gm)].map(([, year]) => year)).toEqual(['2012', '2021', '2011', '2016'])
    for (const name of ['Teodoro', 'Blin', 'Körbes', 'He']) expect(text).toMatch(new RegExp(`family-names: ${name}$`, 'm'))
  })
})
