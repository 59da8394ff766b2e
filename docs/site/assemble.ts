// Lays the site out for its generator: the pages with their links led, their pictures, the sidebar, and the generator's own files.
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brokenLinks, laidOut, sitePages } from './pages'
import { schemaNames, schemaOf, schemaPlace } from './reference/schemas'
import { sidebarOf } from './sidebar'

/** Returns what is wrong with its links. `stage` is made anew. */
export function assemble(root: string, stage: string, version: string): string[] {
  const pages = sitePages(root)
  rmSync(stage, { recursive: true, force: true })
  const put = (at: string, text: string): void => {
    mkdirSync(dirname(join(stage, at)), { recursive: true })
    writeFileSync(join(stage, at), text)
  }
  const laid = laidOut(pages)
  for (const { at, text } of laid.pages) put(at, text)
  for (const [from, at] of laid.pictures) {
    mkdirSync(dirname(join(stage, at)), { recursive: true })
    copyFileSync(join(root, from), join(stage, at))
  }
  cpSync(join(root, 'docs', 'site', 'vitepress'), join(stage, '.vitepress'), { recursive: true })
  put('.vitepress/site.json', JSON.stringify({ version, sidebar: sidebarOf(pages) }))
  mkdirSync(join(stage, 'public'), { recursive: true })
  copyFileSync(join(root, 'assets', 'icons', 'icon.svg'), join(stage, 'public', 'icon.svg'))
  for (const name of schemaNames) put(`public/${schemaPlace(name)}`, JSON.stringify(schemaOf(name), null, 2))
  return brokenLinks(root, pages)
}
