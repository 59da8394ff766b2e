// Windows, operations and outlines through the addon: shapes, agreement of every part with every other, determinism.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PackedObjects } from '../../main/run/objects/packedObjects'
import * as native from '../../native/index'
import type { NativeError, Params, Slide, WindowResult } from '../../native/index'
import { bundledParams } from './bundledParams'
import { root, sample } from './pixels'

const openSlideThere = native.status().openslide.available

const recipes = readdirSync(join(root, 'assets', 'recipes')).filter((name) => name.endsWith('.json'))

async function window(slide: Slide, pipeline: string, params: Params, threads: number): Promise<WindowResult> {
  return native.runWindow({
    slide,
    scale: 1.002,
    x: 1000,
    y: 900,
    width: 500,
    height: 400,
    core: { x: 50, y: 40, width: 400, height: 300 },
    plan: native.planOf(pipeline, params),
    wantPlanes: true,
    threads,
  })
}

/** Which of six colours an object has, said once more. */
function colourOf(firstX: number, firstY: number): number {
  let h = Math.imul(firstX ^ 0x27d4eb2f, 0x9e3779b1) ^ Math.imul(firstY ^ 0x165667b1, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35)
  return 1 + (((h ^ (h >>> 13)) >>> 0) % 6)
}

describe.skipIf(!openSlideThere)('windows of the bundled sample (needs OpenSlide)', () => {
  test('planes are cut into the tiles of a grid, a byte a pixel, labels as colours', async () => {
    const slide = await native.openSlide(sample)
    const { pipeline, params } = bundledParams(recipes[0]!)
    const { rgba, width, height } = await slide.readScaled(1, 1000, 900, 500, 400)
    const all = { ...params, ...(await native.overview(pipeline, params, rgba, width, height)) }
    const where = { slide, scale: 1, x: 1000, y: 900, width: 500, height: 400, core: { x: 0, y: 0, width: 500, height: 400 } }
    const request = { ...where, plan: native.planOf(pipeline, all), wantPlanes: true }
    const image = { widthPx: 2220, heightPx: 2967 }
    const [whole] = (await native.runWindow({ ...request, grid: { ...image, tileSizePx: 4096, tiles: [{ x: 0, y: 0 }] } }))
      .tilePlanes!.tiles
    expect(whole).toMatchObject({ width: 500, height: 400 })
    // Some tiles lie in the window, some reach out of it, one column lies beyond it.
    const tiles = [7, 9, 10, 11, 13].flatMap((x) => [7, 8, 10].map((y) => ({ x, y })))
    const tiled = await native.runWindow({ ...request, grid: { ...image, tileSizePx: 128, tiles } })
    expect(tiled.planes).toEqual([])
    const { planes, tiles: cut } = tiled.tilePlanes!
    expect(planes.map(({ name }) => name)).toEqual(native.pipelines().find(({ id }) => id === pipeline)!.planes)
    let seen = 0
    tiles.forEach((tile, i) => {
      const [x0, y0] = [Math.max(1000, tile.x * 128), Math.max(900, tile.y * 128)]
      const [x1, y1] = [Math.min(1500, (tile.x + 1) * 128), Math.min(1300, (tile.y + 1) * 128)]
      const [w, h] = x1 > x0 && y1 > y0 ? [x1 - x0, y1 - y0] : [0, 0]
      const { width, height, data } = cut[i]!
      expect([width, height, data.length]).toEqual([w, h, w * h * planes.length])
      planes.forEach((_, n) => {
        const wanted = new Uint8Array(w * h)
        for (let y = 0; y < h; y++) {
          const from = (n * 400 + y0 + y - 900) * 500 + x0 - 1000
          wanted.set(whole!.data.subarray(from, from + w), y * w)
        }
        expect(data.subarray(n * w * h, (n + 1) * w * h)).toEqual(wanted)
        seen += w * h
      })
    })
    const at = planes.findIndex(({ kind }) => kind === 'colored')
    expect(planes.map(({ kind }) => kind)).toContain('binary')
    const found = PackedObjects.of(tiled.objects)
    let inside = 0
    for (let k = 0; k < tiled.objects.count; k++) {
      const [x, y] = [found.value(k, 'firstX'), found.value(k, 'firstY')]
      // At the window's rim objects are those of a larger window, and planes are not.
      if (x < 1100 || y < 1000 || x >= 1400 || y >= 1200) continue
      inside++
      expect(whole!.data[(at * 400 + y - 900) * 500 + x - 1000]).toBe(colourOf(x, y))
    }
    expect(inside).toBeGreaterThan(20)
    expect(seen).toBeGreaterThan(100_000)
    slide.close()
  })
  test.each(recipes)('%s: objects, runs, planes and timings agree', async (file) => {
    const slide = await native.openSlide(sample)
    const { pipeline, params } = bundledParams(file)
    const known = native.pipelines().find((p) => p.id === pipeline)
    expect(known).toBeDefined()
    expect(native.haloPx(pipeline, params)).toBeGreaterThan(0)
    const { rgba, width, height } = await slide.readScaled(1.002, 1000, 900, 500, 400)
    const all = { ...params, ...(await native.overview(pipeline, params, rgba, width, height)) }

    const result = await window(slide, pipeline, all, 1)
    const { count } = result.objects
    const found = PackedObjects.of(result.objects)
    expect(count).toBeGreaterThan(10)
    expect([...result.objects.starts]).toEqual([0, count])
    const outlined = Array.from({ length: count }, (_, k) => found.runsOf(k))
    const runOffsets = Int32Array.from([
      0,
      ...outlined.map(
        (
          (sum) => (own: Int32Array) =>
            (sum += own.length / 3)
        )(0),
      ),
    ])
    const runs = Int32Array.from(outlined.flatMap((own) => [...own]))
    for (let k = 0; k < count; k++) {
      let area = 0
      let minX = Infinity
      let maxX = -Infinity
      for (let i = runOffsets[k] ?? 0; i < (runOffsets[k + 1] ?? 0); i++) {
        const x0 = runs[i * 3 + 1] ?? 0
        const x1 = runs[i * 3 + 2] ?? 0
        area += x1 - x0
        minX = Math.min(minX, x0)
        maxX = Math.max(maxX, x1 - 1)
      }
      expect([area, minX, maxX]).toEqual([found.value(k, 'area'), found.value(k, 'minX'), found.value(k, 'maxX')])
      expect(found.value(k, 'circularity')).toBeGreaterThan(0)
      expect(found.value(k, 'stain1Max')).toBeGreaterThanOrEqual(found.value(k, 'stain1Mean'))
    }
    expect(result.planes.map((p) => p.name)).toEqual(known?.planes)
    for (const plane of result.planes) {
      expect([plane.width, plane.height, plane.data.length]).toEqual([400, 300, 120000])
      if (plane.kind === 'binary') expect(Math.max(...plane.data.subarray(0, 1000))).toBeLessThanOrEqual(1)
    }
    expect(result.timings[0]).toMatchObject({ stage: 'read', device: 'cpu', pixels: 200000 })
    expect(result.timings.length).toBeGreaterThan(3)
    expect(result.trust).toEqual({ parts: [], tiles: [null] })

    const again = await window(slide, pipeline, all, 2)
    expect(again.objects).toEqual(result.objects)
    expect(again.planes).toEqual(result.planes)

    const outlines = await native.traceOutlines(runs, runOffsets)
    expect(outlines.objectOffsets.length).toBe(count + 1)
    for (let k = 0; k < count; k++) {
      // The signed areas of an object's rings add up to its pixels.
      let doubled = 0
      for (let r = outlines.objectOffsets[k] ?? 0; r < (outlines.objectOffsets[k + 1] ?? 0); r++) {
        const from = outlines.ringOffsets[r] ?? 0
        const to = outlines.ringOffsets[r + 1] ?? 0
        for (let i = from; i < to; i++) {
          const j = i + 1 < to ? i + 1 : from
          doubled +=
            (outlines.xy[i * 2] ?? 0) * (outlines.xy[j * 2 + 1] ?? 0) - (outlines.xy[j * 2] ?? 0) * (outlines.xy[i * 2 + 1] ?? 0)
        }
      }
      expect(Math.abs(doubled) / 2).toBe(found.value(k, 'area'))
    }
  })

  test('a cancelled window rejects with CANCELLED', async () => {
    const slide = await native.openSlide(sample)
    const { pipeline, params } = bundledParams('iwpp-nuclei.json')
    const cancelToken = native.createCancelToken()
    const request = {
      slide,
      scale: 1,
      x: 0,
      y: 0,
      width: 2000,
      height: 2000,
      core: { x: 0, y: 0, width: 2000, height: 2000 },
      plan: native.planOf(pipeline, params),
      cancelToken,
    }
    const calls = [native.runWindow(request), native.runWindow(request), native.runWindow(request)]
    setTimeout(() => cancelToken.cancel(), 30)
    for (const settled of await Promise.allSettled(calls)) {
      expect(settled.status).toBe('rejected')
      if (settled.status === 'rejected') expect((settled.reason as NativeError).code).toBe('CANCELLED')
    }
  })

  test('closing a slide lets its windows finish', async () => {
    const slide = await native.openSlide(sample)
    const { pipeline, params } = bundledParams('iwpp-nuclei.json')
    const running = window(slide, pipeline, params, 1)
    slide.close()
    expect((await running).objects.count).toBeGreaterThan(0)
    await expect(window(slide, pipeline, params, 1)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
  })

  test('a stain channel is darker where there is stain', async () => {
    const slide = await native.openSlide(sample)
    const { gray: channel, unreadable } = await native.stainChannel(slide, 'h-e', 0, 2, 0, 0, 1200, 1500)
    expect(unreadable).toEqual([])
    expect(channel.length).toBe(1800000)
    expect(Math.max(...channel.subarray(0, 100000))).toBeGreaterThan(30)
    // Right of and below the slide is background: no stain.
    expect(channel[channel.length - 1]).toBe(0)
  })
})

describe('outlines', () => {
  test('of a ring: one outline and one hole', async () => {
    const runs = new Int32Array([0, 0, 3, 1, 0, 1, 1, 2, 3, 2, 0, 3])
    const outlines = await native.traceOutlines(runs, new Int32Array([0, 4]))
    expect([...outlines.objectOffsets]).toEqual([0, 2])
    expect([...outlines.holes]).toEqual([0, 1])
    expect([...outlines.ringOffsets]).toEqual([0, 4, 8])
    expect(new Set([...outlines.xy.subarray(0, 8)])).toEqual(new Set([0, 3]))
    expect(new Set([...outlines.xy.subarray(8)])).toEqual(new Set([1, 2]))
  })
  test('of nothing, and of an object without runs', async () => {
    const none = await native.traceOutlines(new Int32Array(0), new Int32Array([0]))
    expect([...none.objectOffsets, ...none.ringOffsets, none.xy.length]).toEqual([0, 0, 0])
    const empty = await native.traceOutlines(new Int32Array(0), new Int32Array([0, 0, 0]))
    expect([...empty.objectOffsets]).toEqual([0, 0, 0])
  })
})

describe('operations', () => {
  test('are listed with slots and parameters', () => {
    const ops = native.ops()
    expect(ops.map((op) => op.name)).toEqual([...ops.map((op) => op.name)].sort())
    expect(ops.find((op) => op.name === 'label')?.inputs[0]).toMatchObject({ channels: 1, optional: false })
    for (const op of ops) {
      expect(op.help).not.toBe('')
      for (const slot of [...op.inputs, ...op.outputs])
        for (const type of slot.types) expect(['uint8', 'uint16', 'int32']).toContain(type)
      for (const p of op.params) if (p.kind === 'choice') expect(p.choices.length).toBeGreaterThan(0)
    }
  })
  test('label two pixels', async () => {
    const slot = native.ops().find((op) => op.name === 'label')?.inputs[0]?.name ?? ''
    const data = new Uint8Array([1, 0, 0, 1])
    const call = native.callOp('label', [{ name: slot, channels: 1, width: 4, height: 1, data }], {})
    data.fill(0) // the inputs were copied
    const result = await call
    expect([...(result.outputs[0]?.data ?? [])]).toEqual([1, 0, 0, 2])
    expect(result.outputs[0]?.data).toBeInstanceOf(Int32Array)
    expect(Object.values(result.scalars)).toContain(2)
    expect(result.ms).toBeGreaterThanOrEqual(0)
  })
  test('keep 16 bits', async () => {
    const slot = native.ops().find((op) => op.name === 'median')?.inputs[0]?.name ?? ''
    const data = new Uint16Array(50).fill(40000)
    // A view into a larger buffer: its offset counts.
    const result = await native.callOp('median', [{ name: slot, channels: 1, width: 7, height: 7, data: data.subarray(1) }], {
      radius: 1,
    })
    expect(result.outputs[0]?.data).toEqual(new Uint16Array(49).fill(40000))
  })
})
