// How long the engine's thread is taken at once, in its CPU time, while regions are measured over a million objects. By hand:
//   OBJECTS=1000000 REGIONS=1000 npx vitest run --config test/stress/vitest.config.ts measureSteps
import { expect, it } from 'vitest'
import type { RegionOfInterest } from '../../app/contract'
import { breather, inSteps } from '../../main/base/breather'
import { measureRegions, measuring } from '../../main/project/regions/measure'
import type { Results } from '../../main/project/regions/regionResults'
import { ObjectStore } from '../../main/run/objects/objectStore'
import type { Run } from '../../main/run/run'
import { tilesOf } from '../main/packing'

const [objects, count] = [Number(process.env['OBJECTS'] ?? 1_000_000), Number(process.env['REGIONS'] ?? 1000)]
/** A tile of the grid has an object every 8 px; a region lies over some of the tiles. */
const pitch = 8
const across = 256 / pitch
const perTile = across * across
const tilesAcross = Math.ceil(Math.sqrt(objects / perTile))

const regions = Array.from({ length: count }, (_, n): RegionOfInterest => {
  const side = (tilesAcross * 256) / Math.ceil(Math.sqrt(count))
  const row = Math.ceil(Math.sqrt(count))
  const [x, y] = [(n % row) * side, Math.floor(n / row) * side]
  const ring = Array.from({ length: 200 }, (_, i): [number, number] => {
    const turn = (2 * Math.PI * i) / 200
    return [x + side / 2 + side * 0.45 * Math.cos(turn), y + side / 2 + side * 0.45 * Math.sin(turn)]
  })
  return {
    ...{ id: `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`, slide: 'a'.repeat(32), name: '', classId: null },
    ...{ locked: false, shape: { kind: 'polygon', parts: [[ring]] }, createdAt: '2026-11-26T00:00:00.000Z', madeBy: 'hand' },
  }
})

function filled(): ObjectStore {
  const store = new ObjectStore({ scale: 1, tileSizePx: 256, widthPx: tilesAcross * 256, heightPx: tilesAcross * 256 } as never)
  for (let t = 0; t < tilesAcross * tilesAcross && store.count < objects; t++) {
    const [left, top] = [(t % tilesAcross) * 256, Math.floor(t / tilesAcross) * 256]
    const [tile] = tilesOf(
      Array.from({ length: perTile }, (_, i) => {
        const [x, y] = [left + (i % across) * pitch, top + Math.floor(i / across) * pitch]
        const at: Record<string, number> = {
          firstX: x,
          firstY: y,
          minX: x,
          minY: y,
          maxX: x + 1,
          maxY: y + 1,
          centroidX: x + 1,
          centroidY: y + 1,
          area: 4,
        }
        return { value: (field) => at[field] ?? 0, runs: Int32Array.from([y, x, x + 2, y + 1, x, x + 2]) }
      }),
    )
    store.add([{ objects: tile!, keep: null }])
  }
  return store
}

it('gives the thread back within some 20 ms', { timeout: 600_000 }, async () => {
  const store = filled()
  const run = {
    runId: 'r1',
    objects: store,
    draft: { grid: { scale: 1 }, spec: {}, params: {} },
    analysis: null,
    lookedAt: { areaOf: () => 1, lacks: () => false },
  } as unknown as Run
  const results = { lead: run, of: () => run, whole: run } as Results
  const cpuMs = (): number => process.cpuUsage().user / 1000
  let from = cpuMs()
  const whole = measureRegions(regions, null, results)
  const atOnce = cpuMs() - from
  let [longest, last] = [0, cpuMs()]
  let over = false
  const watch = (): void => {
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!over) setImmediate(watch)
  }
  setImmediate(watch)
  from = cpuMs()
  const stepped = await inSteps(measuring(regions, null, results), breather())
  const inAll = cpuMs() - from
  over = true
  const one = cpuMs()
  await inSteps(measuring(regions.slice(0, 1), null, results), breather())
  const forOne = cpuMs() - one
  console.log(JSON.stringify({ objects: store.count, regions: count, atOnce, inAll, longest, forOne }))
  expect(stepped).toEqual(whole)
  expect(whole.reduce((sum, { objects }) => sum + objects!, 0)).toBeGreaterThan(objects / 4)
})
