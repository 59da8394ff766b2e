// Which pages the site has: those of docs/, the guide, the reference that is made, and what these link to in the repository; all their links lead to one.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { anchorsOf, headOf, linksOf, withLinks } from './markdown'
import type { PageHead } from './markdown'
import { referencePages } from './reference/pages'

export interface SitePage {
  /** From the repository's root; a made page has the place that it would have in docs/. */
  readonly source: string
  /** From the site's root, with .md. */
  readonly at: string
  readonly text: string
  readonly head: PageHead
  readonly isMade: boolean
}

/** For who reads the repository on GitHub: in the place of each page that is made and linked to, a short one that says where its table is. */
export const standIns = 'docs/reference/'
const guidePage = 'assets/guide/README.md'
const slashed = (path: string): string => path.replaceAll('\\', '/')
const indexed = (path: string): string => path.replace(/(^|\/)README\.md$/, '$1index.md')

function pageOf(source: string, at: string, text: string, isMade: boolean): SitePage {
  return { source, at, text, head: headOf(text, basename(at, '.md')), isMade }
}

/** Where a link of a page leads, from the repository's root. */
export function targetOf(source: string, target: string): { readonly path: string; readonly anchor: string } {
  const [file, anchor = ''] = target.split('#', 2) as [string, string?]
  const path = file === '' ? source : posix.normalize(posix.join(posix.dirname(source), decodeURIComponent(file)))
  return { path: path.replace(/\/$/, ''), anchor: decodeURIComponent(anchor) }
}

/** Pages of the code's folders that a page of the site links to: they are shown as they are. */
function backgroundOf(root: string, pages: readonly SitePage[]): SitePage[] {
  const known = new Set(pages.map(({ source }) => source))
  const found = new Map<string, SitePage>()
  for (const { source, text } of pages)
    for (const { target, isPicture } of linksOf(text)) {
      let { path } = targetOf(source, target)
      if (isPicture || path.startsWith('..')) continue
      if (existsSync(join(root, path, 'README.md'))) path = `${path}/README.md`
      if (!path.endsWith('.md') || known.has(path) || found.has(path) || !existsSync(join(root, path))) continue
      found.set(path, pageOf(path, `background/${indexed(path)}`, readFileSync(join(root, path), 'utf8'), false))
    }
  return [...found.values()]
}

export function sitePages(root: string): SitePage[] {
  const written = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map(slashed)
    .filter((name) => name.endsWith('.md') && !name.startsWith('site/') && !`docs/${name}`.startsWith(standIns))
    .map((name) => pageOf(`docs/${name}`, indexed(name), readFileSync(join(root, 'docs', name), 'utf8'), false))
  const guide = pageOf(guidePage, 'guide/index.md', readFileSync(join(root, guidePage), 'utf8'), false)
  const made = referencePages(root).map(({ at, text }) => pageOf(`docs/${at}`, indexed(at), text, true))
  const own = [...written, guide, ...made]
  return [...own, ...backgroundOf(root, own)].toSorted((a, b) => (a.at < b.at ? -1 : 1))
}

export interface Laid {
  readonly at: string
  readonly text: string
}

/** The pages as the site's generator takes them, and the pictures that they show: [in the repository, in the site]. */
export function laidOut(pages: readonly SitePage[]): { pages: Laid[]; pictures: [string, string][] } {
  const bySource = new Map(pages.map((page) => [page.source, page]))
  const pictures = new Map<string, string>()
  const lead = (page: SitePage) => (link: { target: string; isPicture: boolean }) => {
    const { path, anchor } = targetOf(page.source, link.target)
    const to = (at: string) => {
      const way = posix.relative(posix.dirname(page.at), at)
      return `${way.startsWith('.') ? way : `./${way}`}${anchor === '' ? '' : `#${anchor}`}`
    }
    if (link.isPicture) {
      pictures.set(path, `pictures/${path}`)
      return to(`pictures/${path}`)
    }
    if (path === page.source) return `#${anchor}`
    const other = bySource.get(path) ?? bySource.get(`${path}/README.md`) ?? bySource.get(`${path}/index.md`)
    if (other) return to(other.at)
    // A file of the code is named; a page of it that the site has not is no more than its words.
    return path.endsWith('.md') || !/\.\w+$/.test(path) ? null : { about: path }
  }
  return { pages: pages.map((page) => ({ at: page.at, text: withLinks(page.text, lead(page)) })), pictures: [...pictures] }
}

/** What is wrong with the links of the pages of the site, as sentences. */
export function brokenLinks(root: string, pages: readonly SitePage[]): string[] {
  const bySource = new Map(pages.map((page) => [page.source, page]))
  return pages.flatMap(({ source, text }) =>
    linksOf(text).flatMap(({ target }) => {
      const { path, anchor } = targetOf(source, target)
      const page = bySource.get(path) ?? bySource.get(`${path}/README.md`) ?? bySource.get(`${path}/index.md`)
      if (page) {
        return anchor === '' || anchorsOf(page.text).includes(anchor) ? [] : [`${source}: ${target} has no heading #${anchor}`]
      }
      if (!existsSync(join(root, path))) return [`${source}: ${target} is not there`]
      if (anchor !== '' && path.endsWith('.md') && statSync(join(root, path)).isFile()) {
        return anchorsOf(readFileSync(join(root, path), 'utf8')).includes(anchor)
          ? []
          : [`${source}: ${target} has no heading #${anchor}`]
      }
      return []
    }),
  )
}
