// The documentation's pages: every link and anchor of the site leads somewhere, everything that the program has is on a page, and no page names what is gone.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commands } from '../../app/commands'
import { errorCodes, exportFiles } from '../../app/contract'
import { ExitCode } from '../../app/cli/exitCodes'
import { commandOf } from '../../app/cli/op/opCommand'
import { guideChapters } from '../../app/guide'
import { typedCommands } from '../../app/package/commandPages.mjs'
import { ops } from '../../main/engine'
import { words } from '../../renderer/words'
import { anchorsOf, headOf, linksOf, slugOf, withLinks } from '../../docs/site/markdown'
import { brokenLinks, laidOut, sitePages, standIns, targetOf } from '../../docs/site/pages'
import type { SitePage } from '../../docs/site/pages'
import { nextStep } from '../../docs/site/reference/codes'
import { objectColumns, otherTables } from '../../docs/site/reference/columns'
import { tableTexts } from '../../docs/site/reference/columnTexts'
import { commandTree } from '../../docs/site/reference/commands'
import { readOthers, readSlides } from '../../docs/site/reference/fileTexts'
import { bundledRecipes } from '../../docs/site/reference/recipes'
import { code } from '../../docs/site/reference/text'
import { besides, scriptFor } from '../../docs/site/vitepress/asFile.mjs'
import { linkOf, sidebarOf } from '../../docs/site/sidebar'
import type { SidebarItem } from '../../docs/site/sidebar'
import { sentencesOf, wordsIn } from '../sentences'

const root = join(import.meta.dirname, '..', '..')
const pages = sitePages(root)
const textAt = (at: string): string => {
  const found = pages.find((page) => page.at === at)
  if (!found) throw new Error(`there is no page ${at}`)
  return found.text
}
/** Whose options are not the command line's alone: of tests and benchmarks, of a scheduler, of making packages. */
const ofOtherPrograms = /^background\/(test\/|assets\/workflows\/|CHANGELOG)/
const silent = { print: () => undefined, note: () => undefined, progress: () => undefined, endProgress: () => undefined }
const ofTable = (text: string): string => code(text).replaceAll('|', '\\|')

describe('links', () => {
  test('every link and anchor of every page leads somewhere', () => {
    expect(pages.length).toBeGreaterThan(60)
    expect(pages.flatMap(({ text }) => linksOf(text)).length).toBeGreaterThan(300)
    expect(brokenLinks(root, pages)).toEqual([])
  })
  test('a page, an anchor and a picture that are not there are found', () => {
    const planted = (link: string): string[] => {
      const page: SitePage = {
        ...pages[0]!,
        source: 'docs/planted.md',
        at: 'planted.md',
        text: `# A\n\nSee [it](${link}).\n`,
        isMade: false,
      }
      return brokenLinks(root, [...pages, page])
    }
    expect(planted('reference/nothing.md')).toEqual(['docs/planted.md: reference/nothing.md is not there'])
    expect(planted('reference/columns.md#nothing')).toEqual([
      'docs/planted.md: reference/columns.md#nothing has no heading #nothing',
    ])
    expect(planted('../assets/guide/none.webp')).toHaveLength(1)
    expect(planted('reference/columns.md#shape')).toEqual([])
    expect(planted('reference/recipes/he-nuclei.md#threshold-level')).toEqual([])
    expect(planted('../ARCHITECTURE.md#the-map')).toEqual([])
  })
  test('what is laid out for the generator links to pages and pictures of the site alone', () => {
    const laid = laidOut(pages)
    const there = new Set([...laid.pages.map(({ at }) => at), ...laid.pictures.map(([, at]) => at)])
    const outside = laid.pages.flatMap(({ at, text }) =>
      linksOf(text).flatMap(({ target }) => {
        const path = join(at, '..', target.split('#')[0]!).replaceAll('\\', '/')
        return target.startsWith('#') || there.has(path) ? [] : [`${at}: ${target}`]
      }),
    )
    expect(outside).toEqual([])
    expect(laid.pictures.filter(([from]) => !existsSync(join(root, from)))).toEqual([])
  })
  test('each page has a place of its own, and every page is in the sidebar', () => {
    const places = pages.map(({ at }) => at)
    expect(new Set(places).size).toBe(places.length)
    const linked = (items: readonly SidebarItem[]): string[] =>
      items.flatMap(({ link, items: below = [] }) => [...(link === undefined ? [] : [link]), ...linked(below)])
    const listed = linked(sidebarOf(pages))
    expect(new Set(listed).size).toBe(listed.length)
    expect(listed.toSorted()).toEqual(
      places
        .filter((at) => at !== 'index.md')
        .map(linkOf)
        .toSorted(),
    )
  })
  test('code has no links, and a link that leads nowhere keeps its words', () => {
    const text =
      '---\ntitle: A\n---\n\n[a](a.md) See `[a](b.md)` and [`c`](d.ts "D"), [e](https://example.org).\n\n```\n[f](g.md)\n```\n'
    expect(linksOf(text).map(({ target }) => target)).toEqual(['a.md', 'd.ts'])
    expect(withLinks(text, ({ target }) => (target === 'a.md' ? './z.md' : null))).toBe(
      text.replace('a.md', './z.md').replace('[`c`](d.ts "D")', '`c`'),
    )
    expect(withLinks('[`a`](b.ts)', () => ({ about: 'x/b.ts' }))).toBe('<abbr title="x/b.ts">`a`</abbr>')
    expect(anchorsOf('# A b\n## A b\n### Own {#x-y.z}\n```\n# no\n```\n')).toEqual(['a-b', 'a-b-1', 'x-y.z'])
  })
})

test('a page that is opened as a file has addresses from its own place', () => {
  const own = ['/', '/guide/', '/a/b.html#c', '/icon.svg', '//x.org/y', '#d', 'https://x.org/'].map((each) =>
    besides('../', each),
  )
  expect(own).toEqual([
    '../index.html',
    '../guide/index.html',
    '../a/b.html#c',
    '../icon.svg',
    '//x.org/y',
    '#d',
    'https://x.org/',
  ])
  expect(scriptFor('a/b/c.md')).toContain("besides('../../', ")
  expect(scriptFor('c.md')).toContain("besides('./', ")
})

describe('everything is on a page', () => {
  test('every command with every option, and no command that is gone', () => {
    const typed = typedCommands(commandTree())
    expect(typed.length).toBeGreaterThan(25)
    for (const { names, command } of typed) {
      const text = textAt(`reference/commands/${names.join('-')}.md`)
      expect(command.description(), names.join(' ')).not.toBe('')
      for (const { flags, description } of command.options) {
        expect(text, names.join(' ')).toContain(`| ${ofTable(flags)} | `)
        expect(description, `${names.join(' ')} ${flags}`).not.toBe('')
      }
    }
    const own = pages.filter(({ at }) => at.startsWith('reference/commands/') && !at.endsWith('/index.md'))
    expect(own.map(({ at }) => at).toSorted()).toEqual(
      typed.map(({ names }) => `reference/commands/${names.join('-')}.md`).toSorted(),
    )
  })
  test('every operation with every option', () => {
    const text = textAt('reference/operations.md')
    expect(ops().length).toBeGreaterThan(20)
    for (const info of ops()) {
      const part = text.slice(text.indexOf(`\n## ${info.name.replaceAll('_', '-')}\n`) + 1)
      const [own] = part.split('\n## ')
      for (const { flags } of commandOf(info, () => undefined, silent).options)
        expect(own, info.name).toContain(`| ${ofTable(flags)} | `)
    }
  })
  test('every recipe, stage and value, each with its text, range, unit and default', () => {
    const specs = bundledRecipes(root)
    expect(specs.length).toBe(readdirSync(join(root, 'assets/recipes')).filter((name) => name.endsWith('.json')).length)
    for (const spec of specs) {
      const text = textAt(`reference/recipes/${spec.id}.md`)
      const anchors = anchorsOf(text)
      for (const stage of spec.stages) {
        expect(anchors).toContain(stage.id)
        expect(stage.help.trim(), stage.id).not.toBe('')
        for (const param of stage.params) {
          const name = `${spec.id}: ${stage.id}.${param.key}`
          expect(anchors, name).toContain(`${stage.id}-${param.key}`)
          expect(param.help.trim().length, name).toBeGreaterThan(10)
          const part = text.slice(text.indexOf(`{#${stage.id}-${param.key}}`)).split('\n### ')[0]!
          expect(part, name).toContain(`\n| set | \`${stage.id}.${param.key}\` |`)
          expect(part, name).toMatch(/\n\| (range|choices) \| .+ \|\n\| default \| .+ \|/)
        }
      }
    }
    const own = pages.filter(({ at }) => at.startsWith('reference/recipes/') && !at.endsWith('/index.md'))
    expect(own).toHaveLength(specs.length)
  })
  test('every small picture of a value', () => {
    const shown = new Set(
      pages.flatMap(({ text }) => linksOf(text)).flatMap(({ target }) => /effects\/(.+\.webp)$/.exec(target)?.[1] ?? []),
    )
    const there = readdirSync(join(root, 'assets/guide/effects')).filter((name) => name.endsWith('.webp'))
    expect(there.filter((name) => !shown.has(name))).toEqual([])
  })
  test('every column of the other tables has its text, and no text is of a column that is gone', () => {
    const headers = new Set(otherTables().flatMap(({ headers: own }) => own))
    expect(headers.size).toBeGreaterThan(60)
    expect([...headers].filter((header) => !tableTexts[header])).toEqual([])
    expect(Object.keys(tableTexts).filter((header) => !headers.has(header))).toEqual([])
    const page = textAt('reference/columns.md')
    for (const { header } of objectColumns().flatMap(({ columns }) => columns)) expect(page).toContain(`| \`${header}\` | `)
  })
  test('every exit code and every error code, with what to do next', () => {
    const page = textAt('reference/codes.md')
    const codes = [...page.matchAll(/^\| ([\d, ]+) \| /gm)].flatMap(([, cell]) => cell!.split(',').map(Number))
    expect(codes.toSorted((a, b) => a - b)).toEqual(Object.values(ExitCode).toSorted((a, b) => a - b))
    for (const name of errorCodes) {
      expect(page).toContain(`| \`${name}\` | `)
      expect(nextStep(name)?.length ?? 0, name).toBeGreaterThan(10)
    }
  })
  test('every command of the window with its chapter of the guide', () => {
    const page = textAt('reference/keys.md')
    const guide = anchorsOf(textAt('guide/index.md'))
    for (const [command, { label }] of Object.entries(commands)) {
      const chapter = guideChapters.find((each) => (each.commands as readonly string[]).includes(command))!
      expect(guide).toContain(slugOf(chapter.title))
      expect(page).toContain(`| [${label}](../../assets/guide/README.md#${slugOf(chapter.title)}) | `)
    }
  })
  test('every file that is written, and every ending that the window offers to open', () => {
    const page = textAt('reference/files.md')
    for (const name of exportFiles) expect(page).toContain(`| \`${name}\` | `)
    const offered = [...readFileSync(join(root, 'app/desktop/dialogs.ts'), 'utf8').matchAll(/extensions: \[([^\]]+)\]/g)].flatMap(
      ([, list]) => [...list!.matchAll(/'(\w+)'/g)].map(([, ending]) => ending!),
    )
    const regions = readFileSync(join(root, 'renderer/panels/regions/RegionsFile.tsx'), 'utf8')
    const imported = [.../accept="([^"]+)"/.exec(regions)![1]!.matchAll(/\.(\w+)/g)].map(([, ending]) => ending!)
    expect(imported.length).toBeGreaterThan(8)
    expect(imported.filter((ending) => !readOthers.some(({ endings }) => endings.includes(ending)))).toEqual([])
    expect(offered.length).toBeGreaterThan(10)
    const told = new Set([...readSlides, ...readOthers].flatMap(({ endings }) => endings))
    expect(offered.filter((ending) => !told.has(ending))).toEqual([])
  })
  test('the exporting dialog says of each file what it is', () => {
    expect(Object.keys(words.exportDialog.files).toSorted()).toEqual([...exportFiles].toSorted())
  })
})

describe('pages that people write', () => {
  test('name options that there are', () => {
    const flags = typedCommands(commandTree()).flatMap(({ command }) => command.options.map(({ long }) => long))
    const opFlags = ops().flatMap((info) => commandOf(info, () => undefined, silent).options.map(({ long }) => long))
    const known = new Set([...flags, ...opFlags, '--help', '--version'])
    const named = pages
      .filter(({ isMade, at }) => !isMade && !ofOtherPrograms.test(at))
      .flatMap(({ source, text }) =>
        [...text.replace(/^( *)```[^]*?^ *```/gm, '').matchAll(/`(--[a-z][\w-]*)[^`\n]*`/g)].map(([all, flag]) => ({
          source,
          all,
          flag: flag!,
        })),
      )
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter(({ flag }) => !known.has(flag)).map(({ source, all }) => `${source}: ${all}`)).toEqual([])
  })
  const written = pages.filter(({ source, isMade }) => !isMade && source.startsWith('docs/'))
  test('are not among those that are made', () => {
    expect(written.filter(({ source }) => source.startsWith(standIns))).toEqual([])
    expect(written.length).toBeGreaterThan(3)
  })
  test('a page that stands in for a made one on GitHub has its place and title, and is linked to', () => {
    const there = readdirSync(join(root, standIns), { recursive: true, encoding: 'utf8' })
      .map((name) => `${standIns}${name.replaceAll('\\', '/')}`)
      .filter((name) => name.endsWith('.md'))
    const made = new Map(pages.filter(({ isMade }) => isMade).map(({ source, head }) => [source, head.title]))
    expect(there.map((path) => [path, headOf(readFileSync(join(root, path), 'utf8'), '').title])).toEqual(
      there.map((path) => [path, made.get(path)]),
    )
    const linked = new Set(
      written.flatMap(({ source, text }) => linksOf(text).map(({ target }) => targetOf(source, target).path)),
    )
    expect(there.filter((path) => !linked.has(path))).toEqual([])
  })
  test('name values of recipes that there are', () => {
    const known = new Set(
      bundledRecipes(root).flatMap(({ stages }) => stages.flatMap(({ id, params }) => params.map(({ key }) => `${id}.${key}`))),
    )
    const named = written.flatMap(({ source, text }) =>
      [...text.matchAll(/--(?:set|vary) "?([\w-]+\.[\w-]+)=/g)].map(([, value]) => [source, value!] as const),
    )
    expect(named.length).toBeGreaterThan(1)
    expect(named.filter(([, value]) => !known.has(value))).toEqual([])
  })
})

test('the pages that are made are as plain as those that people write', () => {
  const made = pages.filter(({ isMade }) => isMade)
  expect(made.length).toBeGreaterThan(40)
  const hard = made.flatMap(({ at, text }) => {
    const sentences = sentencesOf(text.replace(/^---\n[^]*?\n---\n/, ''))
    const long = sentences.filter((sentence) => wordsIn(sentence) > 25)
    return long.length > sentences.length / 20 ? [[at, ...long]] : []
  })
  expect(hard).toEqual([])
})
