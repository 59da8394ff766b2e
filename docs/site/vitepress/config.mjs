// The generator's configuration; the sidebar stands beside it in site.json, made from the pages.
import { readFileSync } from 'node:fs'

const { version, sidebar } = JSON.parse(readFileSync(new URL('site.json', import.meta.url), 'utf8'))

/** The anchors that GitHub makes, so that a link is right in both places: docs/site/markdown.ts has the same. */
const slugify = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replace(/ /g, '-')

export default {
  title: 'Morphoscope',
  description: 'How to find, count and measure nuclei and other objects on whole-slide images',
  lang: 'en',
  lastUpdated: false,
  markdown: { anchor: { slugify }, headers: { slugify } },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Guide', link: '/guide/' },
      { text: version, items: [{ text: 'What is new', link: '/background/CHANGELOG' }] },
    ],
    sidebar,
    outline: { level: [2, 3] },
    docFooter: { prev: 'Before', next: 'Next' },
  },
}
