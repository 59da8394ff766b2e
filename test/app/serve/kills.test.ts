// The engine killed again and again in the middle of its work, behind the real server: everything comes back, and nothing is mixed or left.
// By hand: MORPHOSCOPE_STRESS_KILLS=200 npx vitest run test/app/serve/kills.test.ts
import { copyFile, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { tilePaths } from '../../../app/contract'
import type { AppEvent } from '../../../app/contract'
import { isBuilt, sample, startServer } from './realServer'
import type { Client, RealServer } from './realServer'
import { noLimit, seed, seeded, times } from '../../stress/seeded'

const kills = times('KILLS', 3)
const region = { x: 300, y: 300, width: 600, height: 600 }
const recipe = { format: 'morphoscope-recipe', version: 1, spec: 'he-nuclei', name: 'stress', params: {} } as const

describe.skipIf(!isBuilt || process.platform !== 'linux')(`${kills} kills of the engine (seed ${seed})`, () => {
  let folder: string
  let server: RealServer
  let page: Client
  const slides: { path: string; tile?: string; objects?: number }[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'morphoscope-kills-'))
    // Two slides that differ in every tile.
    const [one, two] = [join(folder, 'one.svs'), join(folder, 'two.png')]
    await copyFile(sample, one)
    const noise = Buffer.alloc(1500 * 1500 * 3)
    const random = seeded(seed + 1)
    for (let i = 0; i < noise.length; i++) noise[i] = 200 + 50 * random()
    await sharp(noise, { raw: { width: 1500, height: 1500, channels: 3 } })
      .png()
      .toFile(two)
    slides.push({ path: one }, { path: two })
    server = await startServer(folder)
    page = await server.client()
  })
  afterAll(async () => {
    page?.close()
    await server?.close()
    await rm(folder, { recursive: true })
  })

  const open = async (path: string) => (await page.ask('slide:open', { path })).slideId
  const tileOf = async (slideId: string) => {
    const answer = await server.tile(tilePaths.slide(slideId, 0, 1, 1))
    expect(answer.status).toBe(200)
    return createHash('sha256')
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest('hex')
  }
  const objectsOf = async (slideId: string) => {
    const ended: AppEvent[] = []
    const stop = page.next('run:end', (event) => {
      ended.push(event)
      return event.status.slideId === slideId && event.status.state === 'done'
    })
    await page.ask('run:start', { slideId, region, recipe, purpose: 'run', mpp: 0.5 })
    const { status } = await stop
    return status.objects
  }
  const descriptors = () => readdirSync(`/proc/${server.child.pid}/fd`).length
  const residentMiB = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) / 1024

  it(
    'lose the work in flight and nothing else',
    async () => {
      const random = seeded(seed)
      for (const slide of slides) {
        const slideId = await open(slide.path)
        slide.tile = await tileOf(slideId)
        slide.objects = await objectsOf(slideId)
      }
      expect(slides[0]!.tile).not.toBe(slides[1]!.tile)
      expect(slides[0]!.objects).toBeGreaterThan(0)
      // Within an engine an open slide keeps its id; no id outlives its engine.
      const dead = new Set<string>()
      const living = new Set<string>()
      const fresh = (id: string) => {
        expect(dead.has(id)).toBe(false)
        living.add(id)
      }
      const counts = { restarted: 0, offered: 0, reopenOffered: 0, inFlightLost: 0, inFlightDone: 0, stale404: 0, stale503: 0 }
      let held = 0
      let rssMiB = 0
      const began = performance.now()
      for (let i = 0; i < kills; i++) {
        const slide = slides[i % 2]!
        const slideId = await open(slide.path)
        fresh(slideId)
        // Work of every kind is in flight: a run, a click, tiles.
        const { runId } = await page.ask('run:start', { slideId, region: 'whole', recipe, purpose: 'run', mpp: 0.5 })
        fresh(runId)
        const flying = [
          page.call('object:segment', { slideId, recipe, x: 700, y: 700, mpp: 0.5 }),
          page.call('slide:open', { path: slides[(i + 1) % 2]!.path }),
        ]
        const tiles = [0, 1].map((x) => server.tile(tilePaths.slide(slideId, 0, x, 0)).then(({ status }) => status))
        await new Promise((resolve) => setTimeout(resolve, 400 * random()))
        const [engine, ...more] = server.engines()
        expect(more).toEqual([])
        const said = page.next('engine:lost')
        process.kill(engine!, 'SIGKILL')
        const lost = await said
        for (const id of living) dead.add(id)
        living.clear()
        for (const result of await Promise.all(flying)) {
          if (result.ok) counts.inFlightDone++
          else {
            expect(result.error.code).toBe('ENGINE_LOST')
            counts.inFlightLost++
          }
        }
        for (const status of await Promise.all(tiles)) expect([200, 503]).toContain(status)
        if (lost.canRestart) {
          expect([lost.restarted, lost.reopen]).toEqual([false, false])
          counts.offered++
          const up = page.next('engine:lost', (event) => event.restarted)
          await page.ask('engine:restart', null)
          await up
        } else {
          expect(lost.restarted).toBe(true)
          counts.restarted++
          if (lost.reopen) counts.reopenOffered++
        }
        // What the old engine called its own is nobody's now.
        for (const path of [
          tilePaths.slide(slideId, 0, 1, 1),
          tilePaths.slide(slideId, 1, 0, 0),
          tilePaths.objects(runId, 1, 0, 0, 0),
          tilePaths.stain(slideId, 'h-e', 0, 0, 0, 0),
        ]) {
          const { status } = await server.tile(path)
          expect([path, [404, 503].includes(status)]).toEqual([path, true])
          counts[status === 404 ? 'stale404' : 'stale503']++
        }
        expect(await page.call('run:status', { runId })).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
        // The other slide, so that a mix would show.
        const other = slides[(i + 1) % 2]!
        const again = await open(other.path)
        fresh(again)
        expect(await tileOf(again)).toBe(other.tile)
        expect(await objectsOf(again)).toBe(other.objects)
        if (i === Math.min(2, kills - 1)) [held, rssMiB] = [descriptors(), residentMiB()]
      }
      console.log(
        `${kills} kills in ${((performance.now() - began) / 1000).toFixed(0)} s:`,
        JSON.stringify(counts),
        `server: ${held} -> ${descriptors()} descriptors, ${rssMiB.toFixed(0)} -> ${residentMiB().toFixed(0)} MiB`,
      )
      expect(counts.restarted + counts.offered).toBe(kills)
      // Each has a process's line and pipes; none is left of the dead ones.
      expect(descriptors()).toBeLessThanOrEqual(held + 8)
      const [engine] = server.engines()
      page.close()
      expect(await server.close()).toBe(0)
      await vi.waitFor(() => expect(() => process.kill(engine!, 0)).toThrow('ESRCH'))
      expect((await readdir(folder)).sort()).toEqual(['.home', 'one.svs', 'two.png'])
      // A draft that was being written at a kill goes at the next start, once it is old enough to be nobody's.
      const settings = join(folder, '.home/morphoscope')
      const drafts = (await readdir(settings)).filter((name) => /\.json\.(\d+|lock-[0-9a-f]{12}(-away)?)$/.test(name))
      const old = new Date(Date.now() - 120_000)
      for (const name of drafts) await utimes(join(settings, name), old, old)
      const next = await startServer(folder)
      const last = await next.client()
      expect(await last.ask('recent:list', null)).toHaveLength(2)
      await last.ask('settings:get', null)
      last.close()
      expect(await next.close()).toBe(0)
      expect(
        (await readdir(settings)).filter((name) => !/^((settings|recent)\.json|runs|recent-pictures|serve)$/.test(name)),
      ).toEqual([])
      console.log(`drafts left by kills and swept at the next start: ${drafts.length}`)
    },
    noLimit,
  )
})
