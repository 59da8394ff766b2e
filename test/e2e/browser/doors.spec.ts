// A page of another port of this machine against `morphoscope serve`, in a real Chromium: the same site to the browser, and a stranger here.
import { expect, test } from '@playwright/test'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { seesTissue } from '../journey'
import { withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
let stranger: Server
/** What the browser told the other server. */
const heard: { url: string; cookie: string | undefined; referer: string | undefined }[] = []

withShell(async (started) => {
  shell = started
  stranger = createServer((request, response) => {
    heard.push({ url: request.url ?? '', cookie: request.headers.cookie, referer: request.headers.referer })
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>stranger</title><body>')
  })
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
})
test.afterAll(async () => {
  stranger?.closeAllConnections()
  await new Promise((resolve) => (stranger ? stranger.close(resolve) : resolve(null)))
})

test('a page at another port learns nothing and changes nothing, while the owner is served', async () => {
  await seesTissue(shell)
  const own = new URL(shell.url!)
  const target = own.origin
  const context = shell.page.context()
  // A tile that the owner's page does get.
  const tile = await shell.page.evaluate(() => {
    const found = performance.getEntriesByType('resource').find(({ name }) => name.includes('/tile/slide/'))!.name
    return new URL(found).pathname
  })
  const owned = await shell.page.evaluate(async (path) => {
    const key = localStorage.getItem('morphoscope-key')
    return { key, status: (await fetch(`${path}?key=${key}`)).status, cookie: document.cookie }
  }, tile)
  expect(owned).toMatchObject({ status: 200, cookie: '' })
  expect(await context.cookies()).toEqual([])
  const script = await shell.page.evaluate(() => document.querySelector<HTMLScriptElement>('script[src]')!.src)

  for (const host of ['127.0.0.1', 'localhost']) {
    const other = await context.newPage()
    await other.goto(`http://${host}:${(stranger.address() as AddressInfo).port}/`)
    const found = await other.evaluate(
      async ({ origin, path, src, used }) => {
        const settled = (work: (tell: (what: string) => void) => void) =>
          new Promise<string>((resolve) => {
            work(resolve)
            setTimeout(() => resolve('silent'), 3000)
          })
        const fetched = (url: string, init: RequestInit) =>
          fetch(url, init).then(
            async (answer) => (answer.type === 'opaque' ? 'opaque' : `read ${(await answer.text()).length}`),
            () => 'refused',
          )
        const element = (name: 'img' | 'script', url: string) =>
          settled((tell) => {
            const made = document.createElement(name)
            made.onload = () => tell('loaded')
            made.onerror = () => tell('refused')
            made.src = url
            document.body.append(made)
          })
        const socket = (protocols: string[]) =>
          settled((tell) => {
            const made = new WebSocket(`${origin.replace('http', 'ws')}/ws`, protocols)
            made.onopen = () => tell('open')
            made.onerror = () => tell('refused')
          })
        const framed = (url: string) =>
          settled((tell) => {
            const made = document.createElement('iframe')
            made.onload = () => {
              try {
                tell(made.contentDocument ? `read ${made.contentDocument.body.innerHTML.length}` : 'sealed')
              } catch {
                tell('sealed')
              }
            }
            made.src = url
            document.body.append(made)
          })
        const opened = async (url: string) => {
          const made = window.open(url)
          await new Promise((resolve) => setTimeout(resolve, 500))
          try {
            return made ? `read ${made.document.body.innerHTML.length}` : 'refused'
          } catch {
            return 'sealed'
          }
        }
        const posted = settled((tell) => {
          const frame = document.createElement('iframe')
          frame.name = 'answer'
          const form = Object.assign(document.createElement('form'), { method: 'post', action: `${origin}/ws`, target: 'answer' })
          document.body.append(frame, form)
          frame.onload = () => {
            try {
              if (frame.contentDocument?.URL === 'about:blank') return
              tell(frame.contentDocument ? 'read' : 'sealed')
            } catch {
              tell('sealed')
            }
          }
          form.submit()
        })
        return {
          fetch: await fetched(origin + path, { credentials: 'include' }),
          fetchNoCors: await fetched(origin + path, { credentials: 'include', mode: 'no-cors' }),
          token: await fetched(used, { credentials: 'include' }),
          image: await element('img', origin + path),
          script: await element('script', src),
          socket: await socket([]),
          socketProtocol: await socket(['morphoscope', 'key.guess']),
          form: await posted,
          frame: await framed(`${origin}/`),
          tileFrame: await framed(origin + path),
          events: await settled((tell) => {
            const made = new EventSource(origin + path, { withCredentials: true })
            made.onopen = () => tell('open')
            made.onerror = () => tell('refused')
          }),
          beacon: String(navigator.sendBeacon(`${origin}/ws`, 'x')),
          window: await opened(`${origin}/`),
          storage: String(localStorage.getItem('morphoscope-key')),
          cookie: document.cookie,
        }
      },
      { origin: target, path: tile, src: script, used: own.href },
    )
    expect(found).toEqual({
      fetch: 'refused',
      fetchNoCors: 'refused',
      token: 'refused',
      image: 'refused',
      script: 'refused',
      socket: 'refused',
      socketProtocol: 'refused',
      form: 'sealed',
      frame: 'sealed',
      tileFrame: 'sealed',
      events: 'refused',
      // A beacon is sent blindly: that it is refused is the server's matter (405, Origin).
      beacon: 'true',
      window: 'sealed',
      storage: 'null',
      cookie: '',
    })
    await other.close()
  }
  // What the browser said to the other server: no cookie, no address of ours.
  expect(heard.length).toBeGreaterThan(0)
  for (const each of heard) {
    expect(each.cookie).toBeUndefined()
    expect(`${each.url} ${each.referer}`).not.toContain(owned.key!)
  }
  // The owner goes on, also after a reload and in a second tab.
  await shell.page.reload()
  await seesTissue(shell)
  const second = await context.newPage()
  await second.goto(shell.page.url())
  await expect(second.getByText('CMU-1-Small-Region.svs').first()).toBeVisible()
  await second.close()
})

test('another browser does not come in by an address that was used, and this one does', async () => {
  const browser = shell.page.context().browser()!
  const other = await browser.newContext()
  const page = await other.newPage()
  await page.goto(shell.url!)
  await expect(page.getByText('It works once')).toBeVisible()
  // The bare address leads to the same words, not to an app that tries for ever.
  await page.goto(new URL(shell.url!).origin)
  await expect(page.getByText('It works once')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('morphoscope-key'))).toBeNull()
  await other.close()
  await shell.page.goto(shell.url!)
  await shell.page.waitForURL((now) => !now.search.includes('token'))
  await expect(shell.page.getByText('CMU-1-Small-Region.svs').first()).toBeVisible()
})
