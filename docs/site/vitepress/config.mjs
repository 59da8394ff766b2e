// The generator's configuration; the sidebar stands beside it in site.json, made from the pages.
import { readFileSync, writeFileSync } from 'node:fs'
import { scriptFor } from './asFile.mjs'

const { version, sidebar } = JSON.parse(readFileSync(new URL('site.json', import.meta.url), 'utf8'))

/** The anchors that GitHub makes, so that a link is right in both places: docs/site/markdown.ts has the same. */
const slugify = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replace(/ /g, '-')

/** The empty corner of a table heads nothing: it is a cell. */
const emptyHeads = (md) =>
  md.core.ruler.push('empty-heads', ({ tokens }) => {
    for (const [i, token] of tokens.entries()) {
      if (token.type !== 'th_open' || tokens[i + 1].content.trim() !== '') continue
      token.tag = 'td'
      tokens[i + 2].tag = 'td'
    }
  })

/** Which modules are in the site's scripts: docs.mjs gives their licences with it. */
const modules = new Set()
const keepModules = {
  name: 'keep-modules',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) for (const id of Object.keys(chunk.modules ?? {})) modules.add(id)
    for (const id of this.getModuleIds()) if (/\.css(\?|$)/.test(id)) modules.add(id)
    writeFileSync(new URL('modules.json', import.meta.url), JSON.stringify([...modules]))
  },
}

export default {
  title: 'Morphoscope',
  description: 'How to find, count and measure nuclei and other objects on whole-slide images',
  lang: 'en',
  lastUpdated: false,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/icon.svg' }]],
  transformHead: ({ page }) => [['script', {}, scriptFor(page)]],
  vite: { plugins: [keepModules] },
  markdown: { anchor: { slugify }, headers: { slugify }, config: emptyHeads },
  themeConfig: {
    logo: '/icon.svg',
    // What people wrote for users goes before what explains the code.
    search: {
      provider: 'local',
      options: {
        miniSearch: { searchOptions: { boostDocument: (id) => (id.includes('/background/') ? 0.4 : 1) } },
      },
    },
    nav: [
      { text: 'Tutorials', link: '/tutorials/' },
      { text: 'Guide', link: '/guide/' },
      { text: 'Reference', link: '/reference/' },
      { text: version, items: [{ text: 'What is new', link: '/background/CHANGELOG' }] },
    ],
    sidebar,
    outline: { level: [2, 3] },
    footer: {
      message:
        'Apache-2.0. For research use only. <a href="/licences.txt" target="_self">Licences</a> of what this site is made of.',
    },
    docFooter: { prev: 'Before', next: 'Next' },
  },
}
