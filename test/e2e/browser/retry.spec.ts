// A tile that fails is asked for again, in the real browser: the connection breaks, or the server refuses, and the picture is whole in the end.
import { expect, test } from '@playwright/test'
import type { Page, Route } from '@playwright/test'
import { runEnds, seesTissue, viewerOf, zoomsToNuclei } from '../journey'
import { overlay, picture } from '../pixels'
import { withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
withShell((started) => void (shell = started))

/**
 * The first two requests for each tile of the kind fail: one without an answer, one with a refusal. A request for several fails while one of
 * them is to fail. Gives how often each was asked for.
 */
async function failing(page: Page, kind: 'slide' | 'objects'): Promise<ReadonlyMap<string, number>> {
  const asked = new Map<string, number>()
  await page.route(
    (url) => url.pathname.startsWith(`/tile/${kind}/`),
    async (route: Route) => {
      const [first = '', ...others] = new URL(route.request().url()).pathname.split('+')
      const sheet = first.slice(0, first.lastIndexOf('/') + 1)
      const tiles = [first, ...others.map((place) => sheet + place)]
      for (const tile of tiles) asked.set(tile, (asked.get(tile) ?? 0) + 1)
      const least = Math.min(...tiles.map((tile) => asked.get(tile)!))
      if (least === 1) await route.abort('connectionreset')
      else if (least === 2) await route.fulfill({ status: 503, body: 'The engine is not there.' })
      else await route.continue()
    },
  )
  return asked
}
const pixelsOf = async (page: Page): Promise<string> => (await picture(viewerOf(page))).data.toString('latin1')

test('the slide’s tiles that failed come after a while, until the picture is what it was', async () => {
  const { page } = shell
  await seesTissue(shell)
  await zoomsToNuclei(shell)
  const whole = await pixelsOf(page)
  const asked = await failing(page, 'slide')
  await page.reload()
  await expect(page.getByTestId('slide-name')).toContainText('CMU-1')
  await expect.poll(() => asked.size).toBeGreaterThan(0)
  // Nothing else is asked of the page meanwhile: it comes by itself.
  await seesTissue(shell)
  await zoomsToNuclei(shell)
  await expect.poll(async () => (await pixelsOf(page)) === whole).toBe(true)
  expect([...asked.values()].filter((times) => times > 2).length).toBeGreaterThan(3)
  await page.unrouteAll()
})

test('a result’s tiles that failed are drawn when they come', async () => {
  const { page } = shell
  await page.getByTestId('segment-visible').click()
  await runEnds(shell)
  await expect.poll(async () => (await overlay(page)).coloured).toBeGreaterThan(500)
  await zoomsToNuclei(shell)
  const { hash } = await overlay(page)
  const asked = await failing(page, 'objects')
  await page.reload()
  await seesTissue(shell)
  await zoomsToNuclei(shell)
  await expect.poll(async () => (await overlay(page)).hash).toBe(hash)
  expect([...asked.values()].filter((times) => times > 2).length).toBeGreaterThan(0)
  await page.unrouteAll()
})
