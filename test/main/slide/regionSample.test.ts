// Stains of one region: of the pixels inside it alone, whatever lies around, and refused in words where it is not on the slide.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Shape } from '../../../app/contract'
import type { Engine } from '../../../main/engine'
import { regionSample } from '../../../main/slide/regionSample'
import type { OpenSlide } from '../../../main/slide/slides'
import { openSlide } from '../../../native/index'
import { firstRecipe, realEngine, sample } from '../realEngine'

let folder: string
let engine: Engine
let slideId: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'morphoscope-stains-'))
  engine = realEngine(folder)
  slideId = (await engine.invoke('slide:open', { path: sample })).slideId
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})
const never = new AbortController().signal
const stains = async (within: Shape | undefined) =>
  engine.invoke('slide:stains', { slideId, recipe: await firstRecipe(engine), method: 'macenko', ...(within && { within }) })

it('takes them from the pixels inside a shape alone', async () => {
  const box = { x: 600, y: 700, width: 600, height: 500 }
  const whole = (await stains(undefined))!
  const inBox = (await stains({ kind: 'rectangle', ...box }))!
  expect(inBox).not.toEqual(whole)
  const at = (x: number, y: number): [number, number] => [box.x + x, box.y + y]
  const outline = [at(0, 0), at(box.width, 0), at(box.width, box.height), at(0, box.height)]
  expect(await stains({ kind: 'polygon', parts: [[outline]] })).toEqual(inBox)
  // An ellipse in it has other pixels.
  expect(await stains({ kind: 'ellipse', ...box })).not.toEqual(inBox)
})

it('tells nothing of a speck, and refuses what is not on the slide or no shape', async () => {
  expect(await stains({ kind: 'rectangle', x: 600, y: 700, width: 12, height: 12 })).toBeNull()
  await expect(stains({ kind: 'rectangle', x: -900, y: 0, width: 20, height: 20 })).rejects.toThrow('outside the slide')
  await expect(stains({ kind: 'rectangle', x: 0, y: 0, width: -1, height: 20 })).rejects.toThrow('within')
})

it('reads no more of a large region than of a slide, and glass in place of what is outside', async () => {
  const native = await openSlide(sample)
  const slide = { info: { levels: [{ downsample: 1 }] }, native } as unknown as OpenSlide
  const area = { x: 100, y: 50, width: 64, height: 40 }
  const { rgba, width, height } = await regionSample(slide, 1, area, (x, y) => x < 132 && y >= 60, never)
  expect([width, height]).toEqual([64, 40])
  const plain = await native.readScaled(1, 100, 50, 64, 40)
  for (const [x, y] of [
    [0, 10],
    [31, 39],
    [32, 20],
    [5, 9],
  ] as const) {
    const i = (y * width + x) * 4
    const is = [...rgba.subarray(i, i + 3)]
    expect(is, `${x}, ${y}`).toEqual(x < 32 && y >= 10 ? [...plain.rgba.subarray(i, i + 3)] : [255, 255, 255])
  }
  const all = await regionSample(slide, 1, { x: 0, y: 0, width: 2220, height: 2967 }, null, never)
  expect(all.width * all.height).toBeLessThanOrEqual(16 * 512 * 512)
  native.close()
})
