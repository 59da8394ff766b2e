// The engine killed again and again in the middle of its work, below the real Electron: everything comes back, nothing is mixed, nothing is left.
// By hand: MORPHOSCOPE_STRESS_KILLS=200 xvfb-run -a npx playwright test --config test/stress/playwright.config.ts desktopKills
import { expect, test } from '@playwright/test'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { AppEvent, Bridge, CallArg, CallName, CallValue, Result } from '../../app/contract'
import { tilePaths } from '../../app/contract'
import { seesTissue } from '../e2e/journey'
import { processesBelow } from '../e2e/processes'
import { launch, sample, whyNot } from '../e2e/shells'
import type { Shell } from '../e2e/shells'
import { seed, seeded, times } from './seeded'

const kills = times('KILLS', 200)
const region = { x: 300, y: 300, width: 600, height: 600 }
const recipe = { format: 'morphoscope-recipe', version: 1, spec: 'he-nuclei', name: 'stress', params: {} } as const

type Page = Shell['page']
/** The engine's processes below this test. */
const engines = () => processesBelow(process.pid, 'engine.mjs')
/** What the page keeps for this campaign: every event, and the bridge that its own code uses. */
type Held = typeof globalThis & { morphoscope: Bridge; heard: AppEvent[] }

const call = <N extends CallName>(page: Page, name: N, arg: CallArg<N>): Promise<Result<CallValue<N>>> =>
  page.evaluate(([callName, callArg]) => (globalThis as Held).morphoscope.call(callName, callArg as never), [name, arg] as const)
async function ask<N extends CallName>(page: Page, name: N, arg: CallArg<N>): Promise<CallValue<N>> {
  const result = await call(page, name, arg)
  if (!result.ok) throw new Error(`${name}: ${result.error.code} ${result.error.message}`)
  return result.value
}
/** Status and SHA-256 of a tile, asked for as the page asks. */
const tileOf = (page: Page, path: string): Promise<{ status: number; hash: string }> =>
  page.evaluate(async (pathname) => {
    const reply = await fetch(`morphoscope://app${pathname}`).catch(() => null)
    if (!reply) return { status: 0, hash: '' }
    const hash = await crypto.subtle.digest('SHA-256', await reply.arrayBuffer())
    return { status: reply.status, hash: [...new Uint8Array(hash)].join() }
  }, path)
const heardCount = (page: Page) => page.evaluate(() => (globalThis as Held).heard.length)
/** The first event of a type from place `from` on that `wanted` holds of, as soon as it is there. */
async function next<T extends AppEvent['type']>(
  page: Page,
  type: T,
  from: number,
  wanted: (event: Extract<AppEvent, { type: T }>) => boolean = () => true,
): Promise<Extract<AppEvent, { type: T }>> {
  const until = Date.now() + 120_000
  while (Date.now() < until) {
    const events = await page.evaluate((at) => (globalThis as Held).heard.slice(at), from)
    const found = events.find((event): event is Extract<AppEvent, { type: T }> => event.type === type && wanted(event as never))
    if (found) return found
    await page.waitForTimeout(20)
  }
  throw new Error(`no ${type} within two minutes`)
}

test(`${kills} kills of the engine (seed ${seed})`, async () => {
  const reason = await whyNot('electron')
  test.skip(reason !== null, reason ?? '')
  const shell = await launch('electron')
  const { page } = shell
  try {
    const [one, two] = [join(shell.folder, 'one.svs'), join(shell.folder, 'two.png')]
    copyFileSync(sample, one)
    const noise = Buffer.alloc(1500 * 1500 * 3)
    const random = seeded(seed + 1)
    for (let i = 0; i < noise.length; i++) noise[i] = 200 + 50 * random()
    const picture = sharp(noise, { raw: { width: 1500, height: 1500, channels: 3 } }).png()
    writeFileSync(two, await picture.toBuffer())
    // The desktop opens what its own dialog has returned, and nothing else.
    for (const path of [one, two]) {
      // A key that is pressed before the page is ready is lost.
      await seesTissue(shell, path === one ? undefined : 'one.svs')
      await shell.chooseFile(path, () => page.keyboard.press('Control+o'))
      await expect(page.getByTestId('slide-name')).toContainText(path === one ? 'one.svs' : 'two.png')
    }
    await page.evaluate(() => {
      const held = globalThis as Held
      held.heard = []
      held.morphoscope.onEvent((event) => held.heard.push(event))
    })
    const runs = async (slideId: string) => {
      const from = await heardCount(page)
      const { runId } = await ask(page, 'run:start', { slideId, region, recipe, purpose: 'run', mpp: 0.5 })
      const { status } = await next(page, 'run:end', from, (event) => event.status.runId === runId)
      expect(status.state).toBe('done')
      return status.objects
    }
    const open = async (path: string) => (await ask(page, 'slide:open', { path })).slideId
    const slides: { path: string; tile: string; objects: number }[] = []
    for (const path of [one, two]) {
      const slideId = await open(path)
      slides.push({ path, tile: (await tileOf(page, tilePaths.slide(slideId, 0, 1, 1))).hash, objects: await runs(slideId) })
    }
    expect(slides[0]!.tile).not.toBe(slides[1]!.tile)
    expect(slides[0]!.objects).toBeGreaterThan(0)

    const main = Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${engines()[0]!}/status`, 'utf8'))?.[1])
    const descriptors = () => readdirSync(`/proc/${main}/fd`).length
    const residentMiB = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${main}/status`, 'utf8'))?.[1]) / 1024
    const chance = seeded(seed)
    const dead = new Set<string>()
    const counts = { restarted: 0, offered: 0, inFlightLost: 0, inFlightDone: 0, stale404: 0, stale503: 0 }
    let held = 0
    let rssMiB = 0
    const began = Date.now()
    for (let i = 0; i < kills; i++) {
      const slideId = await open(slides[i % 2]!.path)
      const { runId } = await ask(page, 'run:start', { slideId, region: 'whole', recipe, purpose: 'run', mpp: 0.5 })
      for (const id of [slideId, runId]) expect(dead.has(id)).toBe(false)
      const flying = [
        call(page, 'object:segment', { slideId, recipe, x: 700, y: 700, mpp: 0.5 }),
        call(page, 'slide:open', { path: slides[(i + 1) % 2]!.path }),
      ]
      const from = await heardCount(page)
      await page.waitForTimeout(400 * chance())
      shell.killEngine()
      const lost = await next(page, 'engine:lost', from)
      for (const id of [slideId, runId]) dead.add(id)
      for (const result of await Promise.all(flying)) {
        if (result.ok) counts.inFlightDone++
        else {
          expect(result.error.code).toBe('ENGINE_LOST')
          counts.inFlightLost++
        }
      }
      if (lost.canRestart) {
        counts.offered++
        const again = await heardCount(page)
        await ask(page, 'engine:restart', null)
        await next(page, 'engine:lost', again, (event) => event.restarted)
      } else {
        expect(lost.restarted).toBe(true)
        counts.restarted++
      }
      // What the old engine called its own is nobody's now.
      for (const path of [tilePaths.slide(slideId, 1, 0, 0), tilePaths.objects(runId, 1, 0, 0, 0)]) {
        const { status } = await tileOf(page, path)
        expect([path, [404, 503].includes(status)]).toEqual([path, true])
        counts[status === 404 ? 'stale404' : 'stale503']++
      }
      expect(await call(page, 'run:status', { runId })).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
      // The other slide, so that a mix would show.
      const other = slides[(i + 1) % 2]!
      const again = await open(other.path)
      expect(dead.has(again)).toBe(false)
      expect(await tileOf(page, tilePaths.slide(again, 0, 1, 1))).toEqual({ status: 200, hash: other.tile })
      expect(await runs(again)).toBe(other.objects)
      if (i === Math.min(2, kills - 1)) [held, rssMiB] = [descriptors(), residentMiB()]
      if ((i + 1) % 20 === 0)
        console.log(`${i + 1} kills after ${Math.round((Date.now() - began) / 1000)} s`, JSON.stringify(counts))
    }
    console.log(
      `${kills} kills in ${Math.round((Date.now() - began) / 1000)} s:`,
      JSON.stringify(counts),
      `main process: ${held} -> ${descriptors()} descriptors, ${rssMiB.toFixed(0)} -> ${residentMiB().toFixed(0)} MiB`,
    )
    expect(counts.restarted + counts.offered).toBe(kills)
    expect(descriptors()).toBeLessThanOrEqual(held + 8)
    expect(engines()).toHaveLength(1)
  } finally {
    await shell.close()
  }
})
