// The site's sidebar, made from the folders of its pages: a folder is a group, a page stands by its own `order` and title.
import { posix } from 'node:path'
import type { SitePage } from './pages'

export interface SidebarItem {
  text: string
  link?: string
  items?: SidebarItem[]
  collapsed?: boolean
}

/** Groups in this order; a folder that is not here comes after those of the reader's ways, called as it is named. */
const groups: readonly (readonly [folder: string, title: string, isFolded?: true])[] = [
  ['tutorials', 'Tutorials'],
  ['how-to', 'How to'],
  ['explanation', 'Explanations'],
  ['reference', 'Reference'],
  ['background', 'From the code', true],
]

const titled = (folder: string): string => folder.charAt(0).toUpperCase() + folder.slice(1).replaceAll('-', ' ')
export const linkOf = (at: string): string => `/${at.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`

const byOrder = (a: SitePage, b: SitePage): number =>
  (a.head.order === b.head.order ? 0 : a.head.order - b.head.order) || a.head.title.localeCompare(b.head.title, 'en')

/** Of a folder: its own page first, its pages, then its folders, folded. */
function itemsOf(pages: readonly SitePage[], folder: string): SidebarItem[] {
  const inside = pages.filter(
    ({ at, head }) => posix.dirname(at) === folder || (posix.dirname(at) === '.' && head.section === folder),
  )
  const own = inside.filter(({ at }) => at === `${folder}/index.md`)
  const rest = inside.filter((page) => !own.includes(page)).toSorted(byOrder)
  const below = new Set(
    pages
      .filter(({ at }) => at.startsWith(`${folder}/`))
      .flatMap(({ at }) => {
        const parts = at.slice(folder.length + 1).split('/')
        return parts.length > 1 ? [parts[0]!] : []
      }),
  )
  const item = ({ head, at }: SitePage): SidebarItem => ({ text: head.title, link: linkOf(at) })
  return [
    ...own.map(item),
    ...rest.map(item),
    ...[...below].map((name) => {
      const path = `${folder}/${name}`
      const page = pages.find(({ at }) => at === `${path}/index.md`)
      const items = itemsOf(
        pages.filter((each) => each !== page),
        path,
      )
      const group = { text: page?.head.title ?? titled(name), ...(page && { link: linkOf(page.at) }) }
      return items.length > 0 ? { ...group, items, collapsed: true } : group
    }),
  ]
}

export function sidebarOf(pages: readonly SitePage[]): SidebarItem[] {
  const folders = [...new Set(pages.flatMap(({ at }) => (at.includes('/') ? [at.split('/')[0]!] : [])))]
  const extra = folders.filter((folder) => folder !== 'guide' && !groups.some(([name]) => name === folder)).toSorted()
  const known = groups.slice(0, 3)
  const order = [...known, ...extra.map((folder) => [folder, titled(folder)] as const), ...groups.slice(3)]
  const loose = pages
    .filter(({ at, head }) => !at.includes('/') && at !== 'index.md' && head.section === undefined)
    .toSorted(byOrder)
    .map(({ head, at }) => ({ text: head.title, link: linkOf(at) }))
  return [
    { text: 'Start here', items: [{ text: 'The guide: every tool', link: '/guide/' }, ...loose] },
    ...order.flatMap(([folder, text, isFolded]) => {
      // Pages of the code's folders are listed flat: their folders say nothing to who reads.
      const items =
        folder === 'background'
          ? pages
              .filter(({ at }) => at.startsWith('background/'))
              .toSorted(byOrder)
              .map(({ head, at }) => ({ text: head.title, link: linkOf(at) }))
          : itemsOf(pages, folder)
      return items.length === 0 ? [] : [{ text, items, ...(isFolded && { collapsed: true }) }]
    }),
  ]
}
