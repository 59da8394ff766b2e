// Every command of the tutorials and the how-to pages runs as it is written, and prints what stands beside it. DOCS_UPDATE=1 writes that anew.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { agrees, shownAs, stepsOf } from './blocks'
import { folders, pagesOf, root, runPage } from './runPage'

const update = process.env['DOCS_UPDATE'] === '1'
const only = process.env['DOCS_ONLY']?.split(',')
/** In `npm test`, each for less than a second and a half of CPU time; `npm run docs:test` runs all (DOCS_ALL=1). */
const quick = [
  ...['tutorials/index.md', 'tutorials/count-nuclei.md', 'tutorials/membrane.md'],
  ...['how-to/coming-from.md', 'how-to/deidentify.md', 'how-to/gpus.md', 'explanation/tiles.md'],
]
const all = process.env['DOCS_ALL'] === '1'
const pages = folders
  .flatMap(pagesOf)
  .filter((page) => (only ? only.some((name) => page.includes(name)) : all || quick.some((name) => page.endsWith(name))))
const isBuilt = existsSync(join(root, 'dist', 'cli.mjs'))

// Two at once, as a page's commands wait for each other; in `npm test` other files run beside these.
vi.setConfig({ maxConcurrency: 2 })
describe.skipIf(!isBuilt || process.platform === 'win32')('the commands of', { concurrent: all }, () => {
  test.for(pages)('%s', async (page, { expect }) => {
    const { findings, commands, compared, skipped } = await runPage(page, { update })
    if (skipped.length > 0) console.log(`not run:\n${skipped.join('\n')}`)
    expect(findings.join('\n\n')).toBe('')
    if (page.includes('/tutorials/') && !page.endsWith('index.md')) expect([commands > 0, compared > 0]).toEqual([true, true])
  })
})

test.runIf(!all)('every page is read', () => {
  for (const page of folders.flatMap(pagesOf)) expect(() => stepsOf(readFileSync(join(root, page), 'utf8')), page).not.toThrow()
})

test('every picture of a tutorial is made by a walk, and shown by a page', () => {
  const walks = readFileSync(join(root, 'test', 'docs', 'pictures.spec.ts'), 'utf8')
  const pages = pagesOf('tutorials').map((page) => readFileSync(join(root, page), 'utf8'))
  const pictures = readdirSync(join(root, 'docs', 'tutorials', 'pictures')).map((name) => name.replace('.webp', ''))
  expect(pictures.length).toBeGreaterThan(10)
  expect(pictures.filter((name) => !walks.includes(`'${name}'`))).toEqual([])
  expect(pictures.filter((name) => !pages.some((text) => text.includes(`(pictures/${name}.webp)`)))).toEqual([])
})

describe('a page is read as it is meant', () => {
  const fence = '```'
  const page = `${fence}sh\necho 7\n${fence}\n\n${fence}text\n7\n${fence}\n\nSave this as \`a.py\`:\n\n${fence}python\nprint()\n${fence}\n\n${fence}sh\nsbatch\n${fence}\n\n*Not run by the tests: it needs Slurm.*\n`
  test('what is run, saved and left out', () => {
    const steps = stepsOf(page)
    expect(steps.map(({ kind }) => kind)).toEqual(['run', 'file', 'skipped'])
    expect(steps[0]).toMatchObject({ block: { text: 'echo 7' }, prints: { text: '7' } })
    expect(steps[1]).toMatchObject({ name: 'a.py' })
    expect(steps[2]).toMatchObject({ why: 'it needs Slurm.' })
  })
  test.each([
    ['`R`', [{ of: 'program', name: 'R' }]],
    ['Python’s `pandas`', [{ of: 'Python', name: 'pandas' }]],
    [
      '`imagej`, `xvfb-run` and npm’s `@duckdb/node-api`',
      [
        { of: 'program', name: 'imagej' },
        { of: 'program', name: 'xvfb-run' },
        { of: 'npm', name: '@duckdb/node-api' },
      ],
    ],
  ])('what %s needs', (names, needs) => {
    const line = `*Run by the tests only where ${names} ${needs.length > 1 ? 'are' : 'is'}.*`
    expect(stepsOf(`${fence}sh\nx\n${fence}\n\n${line}\n`)).toMatchObject([{ kind: 'run', needs }])
    expect(stepsOf(`${fence}sh\nx\n${fence}\n`)).toMatchObject([{ kind: 'run', needs: [] }])
  })
  test.each([
    ['a language that nobody runs', `${fence}python\nprint()\n${fence}\n`],
    ['output of nothing', `${fence}text\n7\n${fence}\n`],
    ['a block without a language', `${fence}\necho\n${fence}\n`],
    ['a block that does not end', `${fence}sh\necho\n`],
  ])('%s is no page', (_, text) => expect(() => stepsOf(text)).toThrow(/line \d/))
  test.each([
    ['3003 objects in … s', '3003 objects in 0.2 s', true],
    ['3003 objects in … s', '3004 objects in 0.2 s', false],
    ['a\n…\nz', 'a\nb\nc\nz', true],
    ['a\n…\nz', 'a\nb\nc\ny', false],
    ['a', 'a\nb', false],
    ['1.5 (all)', '1x5 (all)', false],
  ])('%j beside %j: %s', (shown, printed, same) => expect(agrees(shown, printed)).toBe(same))
  test('what is shown has no folder and no time of this machine', () =>
    expect(shownAs('5 objects in 1.2 s\n/x/y/objects.csv \n', '/x/y')).toBe('5 objects in … s\n…/objects.csv'))
})
