// The documentation's site in a browser, for a person to look at: npx playwright test --config test/stress/playwright.config.ts site
// It needs build/docs (npm run docs). Pictures lie in test-results/screenshots/site. What axe finds, what is wider than the window, a word
// that search does not find, a dead picture, and a request to anywhere else fail.
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { createReadStream, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { findChromium } from '../../app/setup/needs.mjs'
import { axeFindings } from '../e2e/axe'

const root = join(import.meta.dirname, '..', '..')
const site = join(root, 'build', 'docs')
const folder = join(root, 'test-results', 'screenshots', 'site')
const widths = [400, 900, 1600]
const pages = {
  front: '/',
  guide: '/guide/',
  command: '/reference/commands/run',
  recipe: '/reference/recipes/he-nuclei',
  columns: '/reference/columns',
  keys: '/reference/keys',
  codes: '/reference/codes',
  glossary: '/reference/glossary',
  tutorial: '/tutorials/count-nuclei',
  comingFrom: '/how-to/coming-from',
  explanation: '/explanation/tiles',
  cluster: '/cluster',
  background: '/background/main/spatial/',
}
const types: Readonly<Record<string, string>> = {
  ...{ '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' },
  ...{ '.webp': 'image/webp', '.svg': 'image/svg+xml', '.png': 'image/png' },
}

const executablePath = findChromium()
test.use({ launchOptions: { ...(executablePath && { executablePath }), chromiumSandbox: process.getuid?.() !== 0 } })

/** Opened as a file. */
test('a page that is opened as a file has its styles, pictures and links', async ({ page }) => {
  for (const [name, path] of Object.entries(pages)) {
    const file = path.endsWith('/') ? `${path}index.html` : `${path}.html`
    await page.goto(`file://${site}${file}`)
    const found = await page.evaluate(() => ({
      sidebar: getComputedStyle(document.querySelector('.VPNav')!).position,
      dead: [...document.images].filter((each) => each.complete && each.naturalWidth === 0).map(({ src }) => src),
      links: [...document.links].map(({ href }) => href).filter((href) => href.startsWith('file:')),
    }))
    expect([name, found.sidebar, found.dead]).toEqual([name, expect.stringMatching(/fixed|relative/), []])
    expect(found.links.length).toBeGreaterThan(20)
    expect(found.links.filter((href) => !existsSync(decodeURIComponent(new URL(href).pathname)))).toEqual([])
  }
})

let server: Server
let address: string
test.beforeAll(async () => {
  expect(existsSync(join(site, 'index.html')), 'npm run docs comes first').toBe(true)
  server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url!, 'http://x').pathname))
    const found = [path, `${path}.html`, join(path, 'index.html')]
      .map((each) => join(site, each))
      .find((each) => existsSync(each) && statSync(each).isFile())
    if (!found) return void response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': types[extname(found)] ?? 'application/octet-stream' })
    createReadStream(found).pipe(response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  mkdirSync(folder, { recursive: true })
})
test.afterAll(() => server.close())

/** What is wrong with every page that a browser shows. */
async function faultsOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    await Promise.all([...document.images].map((image) => ((image.loading = 'eager'), image.decode().catch(() => undefined))))
    const wide = document.documentElement.scrollWidth - innerWidth
    return [
      ...(wide > 0 ? [`${wide} px wider than the window`] : []),
      ...[...document.images].filter((image) => image.naturalWidth === 0).map((image) => `no picture at ${image.src}`),
      ...[...document.images]
        .filter((image) => image.alt === '' && image.closest('main') !== null)
        .map((image) => `no words for ${image.src}`),
    ]
  })
}

for (const [name, path] of Object.entries(pages))
  test(name, async ({ page }) => {
    const wrong: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(address) && !request.url().startsWith('data:')) wrong.push(`asks ${request.url()}`)
    })
    page.on('response', (response) => {
      if (response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`)
    })
    page.on('pageerror', (error) => wrong.push(error.message))
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        await page.goto(`${address}${path}`)
        await expect(page.locator('h1').first()).toBeVisible()
        wrong.push(...(await faultsOf(page)).map((fault) => `${theme} ${width}: ${fault}`))
        await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`), animations: 'disabled' })
        if (theme === 'dark') wrong.push(...(await axeFindings(page)).map((finding) => `${width}: ${finding}`))
      }
    }
    expect([...new Set(wrong)]).toEqual([])
  })

test('every page fits a narrow window, and axe finds nothing on it', async ({ page }) => {
  const wrong: string[] = []
  page.on('pageerror', (error) => wrong.push(`${page.url()}: ${error.message}`))
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 400, height: 900 })
  const all = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.html') && name !== '404.html',
  )
  expect(all.length).toBeGreaterThan(80)
  for (const name of all) {
    await page.goto(`${address}/${name.replaceAll('\\', '/')}`)
    await expect(page.locator('h1').first()).toBeVisible()
    const found = [...(await faultsOf(page)), ...(await axeFindings(page))]
    wrong.push(...found.map((fault) => `${name}: ${fault}`))
  }
  expect(wrong).toEqual([])
})

test('search finds a value, a column and a command, without a network', async ({ page }) => {
  await page.setViewportSize({ width: 1600, height: 900 })
  await page.goto(address)
  for (const [words, at] of [
    ['contrastWeight', '/reference/recipes/'],
    ['solidity', '/reference/columns'],
    ['import-objects', '/reference/commands/project-import-objects'],
  ] as const) {
    await page
      .getByRole('button', { name: /search/i })
      .first()
      .click()
    await page.getByRole('searchbox').fill(words)
    await expect(page.locator(`a.result[href*="${at}"]`).first()).toBeVisible()
    if (words === 'solidity') await page.screenshot({ path: join(folder, 'search.png') })
    await page.keyboard.press('Escape')
  }
})
