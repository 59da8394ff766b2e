// What the site reads of a page of Markdown: its title and place in the sidebar, its headings' anchors, and its links, which can be led elsewhere.

export interface PageHead {
  readonly title: string
  /** Smaller ones stand first in the sidebar; those without stand after them, by title. */
  readonly order: number
  /** A page beside the folders of docs/ names the one that it is listed with. */
  readonly section: string | undefined
}

const frontmatterOf = (text: string): string => /^---\n([^]*?)\n---\n/.exec(text)?.[1] ?? ''
const field = (text: string, name: string): string | undefined =>
  new RegExp(`^${name}: *(.+?) *$`, 'm').exec(frontmatterOf(text))?.[1]?.replace(/^(['"])(.*)\1$/, '$2')

/** Without code, which has no links and no headings. */
export const proseOf = (text: string): string =>
  text
    .replace(/^---\n[^]*?\n---\n/, '')
    .replace(/^( *)```[^]*?^ *```/gm, '')
    .replace(/`[^`\n]*`/g, '')

export function headOf(text: string, name: string): PageHead {
  const heading = /^# (.+)$/m.exec(text.replace(/^( *)```[^]*?^ *```/gm, ''))?.[1]?.replace(/[`*]/g, '')
  const order = Number(field(text, 'order') ?? Number.POSITIVE_INFINITY)
  return { title: field(text, 'title') ?? heading ?? name, order, section: field(text, 'section') }
}

/** A heading as the anchor that GitHub makes of it; the site makes the same. */
export const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replace(/ /g, '-')

/** As GitHub numbers them where one comes again. */
export function anchorsOf(text: string): string[] {
  const seen = new Map<string, number>()
  const lines = text.replace(/^---\n[^]*?\n---\n/, '').replace(/^( *)```[^]*?^ *```/gm, '')
  return [...lines.matchAll(/^#{1,6} (.+?)(?: *\{#([\w.-]+)\})?$/gm)].map(([, heading, own]) => {
    if (own !== undefined) return own
    const slug = slugOf(heading!.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1'))
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    return times === 0 ? slug : `${slug}-${times}`
  })
}

export interface Link {
  /** As it stands there. */
  readonly target: string
  readonly isPicture: boolean
  readonly text: string
}

const fenced = /^( *)```[^]*?^ *```/gm
const linkOrCode = /`[^`\n]*`|(!?)\[((?:`[^`\n]*`|[^\]`])*)\]\(\s*<?([^)\s>]+)>?((?:\s+"[^"]*")?)\s*\)/g

/** A target; words with a note of what they are about, where there is nothing to go to; null: the words alone. */
export type Led = string | { readonly about: string } | null

/** Every relative link and picture goes through `lead`. */
export function withLinks(text: string, lead: (link: Link) => Led): string {
  const isOutside = (target: string) => /^[a-z][a-z+.-]*:/i.test(target)
  const ofProse = (prose: string): string =>
    prose.replace(
      linkOrCode,
      (all: string, mark: string | undefined, words: string | undefined, target: string | undefined, title) => {
        if (target === undefined || isOutside(target)) return all
        const to = lead({ target, isPicture: mark === '!', text: words ?? '' })
        if (to === null) return words ?? ''
        return typeof to === 'object' ? `<abbr title="${to.about}">${words}</abbr>` : `${mark}[${words}](${to}${title})`
      },
    )
  const head = /^---\n[^]*?\n---\n/.exec(text)?.[0] ?? ''
  const body = text.slice(head.length)
  let at = 0
  let led = ''
  for (const code of body.matchAll(fenced)) {
    led += ofProse(body.slice(at, code.index)) + code[0]
    at = code.index + code[0].length
  }
  return head + led + ofProse(body.slice(at))
}

/** The relative links and pictures of a page. */
export function linksOf(text: string): Link[] {
  const links: Link[] = []
  withLinks(text, (link) => {
    links.push(link)
    return null
  })
  return links
}
