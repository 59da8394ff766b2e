// The judge of the house's maps: every relative link of a text file opens, what it names is there, and a family's README stays short.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const families = ['color', 'components', 'distance', 'local', 'max_tree', 'measure', 'reconstruct', 'runtime', 'watershed']
const notOurs = new Set(['node_modules', 'build', 'dist', 'out', 'release', 'test-results', 'playwright-report'])

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || notOurs.has(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? walk(path) : [path]
  })
}
const shortPath = (path: string): string => relative(root, path).split(sep).join('/')
const files = walk(root)
const texts = files.filter((path) => path.endsWith('.md'))
const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n')

interface Link {
  target: string
  file: string
  anchor: string
}

/** Relative links, those of pictures included; what stands in code is no link. */
function linksOf(path: string, text: string): Link[] {
  const prose = text.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target))
    .map((target) => {
      const [file, anchor = ''] = target.split('#', 2) as [string, string?]
      return { target, file: file === '' ? path : join(dirname(path), decodeURIComponent(file)), anchor }
    })
}

/** Headings as the anchors that GitHub makes of them. */
function anchorsOf(text: string): string[] {
  const headings = linesOf(text.replace(/^```[^]*?^```/gm, '')).filter((line) => /^#{1,6} /.test(line))
  return headings.map((line) =>
    line
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replace(/ /g, '-'),
  )
}

/** What is wrong with a link, or null. In a source file an anchor is a line (L12) or a name that stands in it. */
function trouble({ file, anchor }: Link): string | null {
  if (!existsSync(file)) return 'is not there'
  if (anchor === '') return null
  if (statSync(file).isDirectory()) return 'is a folder, which has no places in it'
  const text = readFileSync(file, 'utf8')
  if (file.endsWith('.md')) return anchorsOf(text).includes(anchor) ? null : `has no heading #${anchor}`
  const line = /^L(\d+)(?:-L(\d+))?$/.exec(anchor)
  if (line) return Number(line[2] ?? line[1]) <= linesOf(text).length ? null : `has no line ${line[2] ?? line[1]}`
  const name = decodeURIComponent(anchor).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text) ? null : `does not name ${anchor}`
}

const broken = (path: string, text: string): string[] =>
  linksOf(path, text).flatMap((link) => {
    // What stands there is for who reads the repository. The page with the heading is made: test/docs/site.test.ts follows that.
    const isStandIn = shortPath(link.file).startsWith('docs/reference/')
    const wrong = trouble(isStandIn ? { ...link, anchor: '' } : link)
    return wrong === null ? [] : [`${shortPath(path)}: ${link.target} ${wrong}`]
  })

test('every relative link opens, and what it names is there', () => {
  expect(texts.length).toBeGreaterThan(20)
  expect(texts.flatMap((path) => broken(path, readFileSync(path, 'utf8')))).toEqual([])
})

test('every source file that a README names is in the house', () => {
  const all = new Set(
    files.flatMap((path) =>
      shortPath(path)
        .split('/')
        .map((_, i, parts) => parts.slice(i).join('/')),
    ),
  )
  const gone = texts
    .filter((path) => path.endsWith('README.md'))
    .flatMap((path) => {
      const prose = readFileSync(path, 'utf8').replace(/^```[^]*?^```/gm, '')
      const named = [...prose.matchAll(/`([\w./-]+\.(?:[ch]pp|cuh?|tsx?|mts|mjs|py|sh))`/g)].map(([, name]) => name!)
      return named.filter((name) => !all.has(name)).map((name) => `${shortPath(path)}: ${name}`)
    })
  expect(gone).toEqual([])
})

describe('the pages of folders', () => {
  // The guide is generated from the window's own texts.
  const longer = ['assets/guide/README.md']
  const pages = texts
    .map(shortPath)
    .filter((path) => path.includes('/') && !/^(docs|\.|test\/bench\/results|test\/faults)/.test(path))
  test.each(pages.filter((path) => !longer.includes(path)))('%s has at most 80 lines', (path) => {
    expect(linesOf(readFileSync(join(root, path), 'utf8')).length).toBeLessThanOrEqual(80)
  })
  test('no line of theirs is longer than a screen, tables aside', () => {
    const long = pages
      .filter((path) => !longer.includes(path))
      .flatMap((path) => linesOf(readFileSync(join(root, path), 'utf8')).map((line) => [path, line] as const))
      .filter(([, line]) => line.length > 140 && !line.startsWith('|'))
    expect(long).toEqual([])
  })
})

describe('a planted link that is wrong is found', () => {
  const planted = (link: string): string[] => broken(join(root, 'README.md'), `See [it](${link}).\n`)
  test.each([
    ['native/cpu/nowhere.cpp', 'is not there'],
    ['native/contract/op/geodesic/reconstruct.hpp#NoSuchVariant', 'does not name NoSuchVariant'],
    ['native/contract/op/geodesic/reconstruct.hpp#ReconstructVarian', 'does not name ReconstructVarian'],
    ['native/contract/op/geodesic/reconstruct.hpp#L99999', 'has no line 99999'],
    ['README.md#no-such-heading', 'has no heading #no-such-heading'],
    ['native/cpu#reconstruct', 'is a folder'],
  ])('%s', (link, wrong) => expect(planted(link).join()).toContain(wrong))
  test.each([
    'native/contract/op/geodesic/reconstruct.hpp#ReconstructVariant',
    'native/contract/op/geodesic/reconstruct.hpp#L1',
    'ARCHITECTURE.md#the-map',
    'native/cpu',
    'https://example.org/x',
  ])('and one that is right is not: %s', (link) => expect(planted(link)).toEqual([]))
})

describe('the families of native/cpu and cuda', () => {
  test.each(['native/cpu', 'cuda'])('%s holds these, each with a README that names its files, and a map', (place) => {
    const folders = readdirSync(join(root, place), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(folders.map((entry) => entry.name).sort()).toEqual(families)
    const map = readFileSync(join(root, place, 'README.md'), 'utf8')
    expect(linesOf(map).length).toBeLessThanOrEqual(100)
    for (const family of families) {
      const text = readFileSync(join(root, place, family, 'README.md'), 'utf8')
      expect([family, linesOf(text).length <= 80]).toEqual([family, true])
      expect([family, text.includes('`automatic`')]).toEqual([family, true])
      const stems = files
        .map(shortPath)
        .flatMap((path) => new RegExp(`^${place}/${family}/(?:.*/)?(\\w+)\\.(?:[ch]pp|cuh?)$`).exec(path)?.[1] ?? [])
      const said = text.replace(/`_(\w+)`/g, `${family}_$1`) // `a_one.cpp`, `_two` names two
      expect([family, stems.filter((stem) => !said.includes(stem))]).toEqual([family, []])
      expect(linksOf(join(root, place, 'README.md'), map).map((link) => shortPath(link.file))).toContain(
        `${place}/${family}/README.md`,
      )
    }
  })
})

test("a newcomer's questions end at the line in three steps at most, each named by the page before it", () => {
  const path = join(root, 'ARCHITECTURE.md')
  const section = /^## Ten questions\n([^]*)/m.exec(readFileSync(path, 'utf8'))?.[1] ?? ''
  const questions = section.split('\n').filter((line) => /^\d+\. /.test(line))
  expect(questions).toHaveLength(10)
  for (const question of questions) {
    const steps = linksOf(path, question)
    const what = question.slice(0, question.indexOf('?') + 1)
    expect([what, steps.length >= 1 && steps.length <= 3]).toEqual([what, true])
    const last = steps[steps.length - 1]!
    expect([
      what,
      last.file.endsWith('.md') ? 'ends at a page' : last.anchor === '' ? 'ends at a file' : 'ends at a line',
    ]).toEqual([what, 'ends at a line'])
    steps.slice(1).forEach((step, i) => {
      // The page before names the folder or file of the next; a line of code also leads to where the same name stands again.
      const before = steps[i]!
      const next = step.file.endsWith('README.md') ? basename(dirname(step.file)) : basename(step.file).replace(/\.\w+$/, '')
      const said = readFileSync(before.file, 'utf8').includes(next)
      const carried = !before.file.endsWith('.md') && readFileSync(step.file, 'utf8').includes(before.anchor)
      expect([what, `${before.target} to ${step.target}`, said || carried]).toEqual([
        what,
        `${before.target} to ${step.target}`,
        true,
      ])
    })
  }
})
