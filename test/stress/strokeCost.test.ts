// What one brush stroke costs in a project of many slides and regions: calls and bytes between page and engine, the engine and the page's store as
// they are. By hand:
//   SLIDES=500 REGIONS=100 npx vitest run --config test/stress/vitest.config.ts strokeCost
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { expect, it, vi } from 'vitest'
import type { CallName, DocumentSlide } from '../../app/contract'
import { emptyContent } from '../../main/project/document'
import { ProjectStore } from '../../main/project/store'
import { setApi } from '../../renderer/api'
import { refreshProject } from '../../renderer/store/document/documentActions'
import { combineRegion } from '../../renderer/store/document/projectActions'
import { listen } from '../../renderer/store/events'
import { firstState, getState, patch, useStore } from '../../renderer/store/store'
import { realEngine, sample } from '../main/realEngine'

const [slides, regions, points] = [Number(process.env['SLIDES'] ?? 500), Number(process.env['REGIONS'] ?? 100), 200]
const ring = (n: number): [number, number][] =>
  Array.from({ length: points }, (_, i) => {
    const turn = (2 * Math.PI * i) / points
    return [100 + (n % 10) * 200 + 60 * Math.cos(turn), 100 + Math.floor(n / 10) * 200 + 60 * Math.sin(turn)]
  })
const idOf = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
const size = (value: unknown): number => (value === undefined ? 0 : JSON.stringify(value).length)

it('a stroke tells what it changed, whatever else there is', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  const dir = await mkdtemp(join(tmpdir(), 'stroke-'))
  const engine = realEngine(join(dir, 'settings'), { shell: 'serve' })
  try {
    const info = await engine.invoke('slide:open', { path: sample })
    const { slide: key } = await engine.invoke('project:state', { slideId: info.slideId })
    const slideAt = (n: number): DocumentSlide => ({
      ...{ key: n === 0 ? key! : n.toString(16).padStart(32, '0'), name: n === 0 ? info.name : `slide ${n}.svs` },
      ...{ path: n === 0 ? sample : join(dir, `slide ${n}.svs`), widthPx: info.widthPx, heightPx: info.heightPx },
      ...{ mppX: info.mppX, mppY: info.mppY },
    })
    const placed = Array.from({ length: regions }, (_, n) => ({
      region: {
        ...{ id: idOf(n), slide: key!, name: '', classId: null, locked: false, madeBy: 'hand' as const },
        ...{ shape: { kind: 'polygon' as const, parts: [[ring(n)]] }, createdAt: '2026-11-26T00:00:00.000Z' },
      },
      place: n,
    }))
    const content = { ...emptyContent, regions: new Map(placed.map((each) => [each.region.id, each])) }
    const folder = join(dir, 'many.morphoscope')
    const known = new Map(Array.from({ length: slides }, (_, n) => slideAt(n)).map((slide) => [slide.key, slide]))
    ProjectStore.create(folder, 'test', { content, slides: known, steps: [], revision: 0 }).store.close()
    await engine.invoke('project:open', { path: folder })

    const calls: { name: CallName; asked: number; answered: number }[] = []
    let eventBytes = 0
    setApi({
      call: async (name, arg, signal) => {
        const result = await engine.call(name, arg, signal)
        calls.push({ name, asked: size(arg), answered: size(result) })
        return result as never
      },
      onEvent: (hearer) =>
        engine.onEvent((event) => {
          if (event.type === 'document:changed') eventBytes += size(event)
          hearer(event)
        }),
      onConnection: () => () => undefined,
      tileUrl: (path) => path,
      pathOfFile: () => null,
    })
    useStore.setState(firstState, true)
    const off = listen()
    patch('slide', { info })
    await refreshProject()
    expect(getState().project.doc?.regions).toHaveLength(regions)
    const quiet = async (): Promise<void> => {
      let before = -1
      while (before !== calls.length) {
        before = calls.length
        await new Promise((resolve) => setTimeout(resolve, 300))
      }
    }
    const stroke = async (n: number): Promise<number> => {
      const from = performance.now()
      await combineRegion(idOf(n), 'add', { kind: 'ellipse', x: 140 + (n % 10) * 200, y: 90, width: 40, height: 20 })
      return performance.now() - from
    }
    await stroke(1)
    await quiet()
    calls.length = 0
    eventBytes = 0
    const ms = await stroke(2)
    await quiet()
    const sum = (of: 'asked' | 'answered') => calls.reduce((all, each) => all + each[of], 0)
    console.log(
      JSON.stringify({ slides, regions, calls, asked: sum('asked'), answered: sum('answered'), eventBytes, ms: Math.round(ms) }),
    )
    // One region of some 200 points, its figures, and the row of its slide.
    expect(calls.map(({ name }) => name).sort()).toEqual(['project:do', 'project:measure', 'project:slides'])
    expect(sum('answered') + eventBytes).toBeLessThan(20_000)
    off()
  } finally {
    setApi(null)
    await engine.close()
    await rm(dir, { recursive: true, force: true })
  }
})
