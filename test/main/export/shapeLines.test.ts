// overlay.png of a run within shapes: the shapes' lines to the pixel, and the real export of a real run within a triangle.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import type { Shape } from '../../../app/contract'
import { defaultRecipe } from '../../../main/engine'
import { paintShapes } from '../../../main/export/picture/shapeLines'
import { realEngine } from '../realEngine'
import { writeTiled } from '../slide/halfMissing'

const never = new AbortController().signal
const [line, dark] = [
  [190, 255, 0],
  [0, 0, 0],
]

/** What is painted, a letter for each px: # the line, o its dark rim. */
async function painted(shapes: Shape[], picture: { scale: number; x0: number; y0: number }): Promise<string[]> {
  const [width, height] = [14, 12]
  const rgb = new Uint8Array(width * height * 3).fill(200)
  await paintShapes(shapes, { rgb, width, height, lost: 0, ...picture }, never)
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => {
      const color = [...rgb.subarray(3 * (y * width + x), 3 * (y * width + x) + 3)]
      return String(color) === String(line) ? '#' : String(color) === String(dark) ? 'o' : '.'
    }).join(''),
  )
}

it('every px whose centre is within a px of a rim has the line, within two its dark rim', async () => {
  const square: Shape = { kind: 'rectangle', x: 120, y: 80, width: 20, height: 16 }
  // Of two px of the slide for one of the picture: a square from (3, 2) to (13, 10).
  expect(await painted([square], { scale: 2, x0: 57, y0: 38 })).toEqual([
    '..oooooooooooo',
    '.o############',
    '.o############',
    '.o##oooooooo##',
    '.o##o......o##',
    '.o##o......o##',
    '.o##o......o##',
    '.o##o......o##',
    '.o##oooooooo##',
    '.o############',
    '.o############',
    '..oooooooooooo',
  ])
  // A hole has its own line, and what lies beyond the picture is nowhere.
  const far: Shape = { kind: 'polygon', parts: [[[[-1e6, -1e6], [1e6, -1e6], [1e6, 1e6], [-1e6, 1e6]], [[4, 4], [9, 4], [9, 8], [4, 8]]]] } // oxfmt-ignore
  const holed = await painted([far], { scale: 1, x0: 0, y0: 0 })
  expect(holed[4]).toBe('..o#######o...')
  expect(holed.join('')).toBe((await painted([{ kind: 'rectangle', x: 4, y: 4, width: 5, height: 4 }], { scale: 1, x0: 0, y0: 0 })).join('')) // oxfmt-ignore
})

it('a real export shows the triangle that was run, and neither its box nor what was computed around it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'shape-lines-'))
  const engine = realEngine(join(dir, 'desk'), { shell: 'serve' })
  try {
    const path = join(dir, 'slide.tif')
    await writeTiled(path)
    const { slideId } = await engine.invoke('slide:open', { path })
    const recipe = defaultRecipe((await engine.invoke('recipe:list', undefined)).find(({ id }) => id === 'he-nuclei')!)
    const corners: [number, number][] = [[256, 256], [768, 256], [256, 768]] // oxfmt-ignore
    const within: Shape[] = [{ kind: 'polygon', parts: [[corners]] }]
    const { runId } = await engine.invoke('run:start', { slideId, region: 'whole', within, recipe, purpose: 'run' })
    await expect
      .poll(async () => (await engine.invoke('run:status', { runId })).state, { timeout: 20_000, interval: 20 })
      .toBe('done')
    const directory = join(dir, 'out')
    await engine.invoke('export:start', { runId, directory, files: ['overlay.png'] })
    const { data, info } = await sharp(join(directory, 'overlay.png')).raw().toBuffer({ resolveWithObject: true })
    // Of 512 px and a margin for the line on either side.
    const margin = (info.width - 512) / 2
    expect([info.width, info.height, margin]).toEqual([520, 520, 4])
    const at = (x: number, y: number): number[] => {
      const place = 3 * ((y - 256 + margin) * info.width + x - 256 + margin)
      return [...data.subarray(place, place + 3)]
    }
    // On its three sides, and the dark beside them; half a px off a side is still on it.
    for (const [x, y] of [[400, 256], [256, 500], [512, 511], [400, 623], [640, 383]] as const) expect(at(x, y), `${x} ${y}`).toEqual(line) // oxfmt-ignore
    for (const [x, y] of [[400, 254], [254, 500], [514, 511]] as const) expect(at(x, y), `${x} ${y}`).toEqual(dark) // oxfmt-ignore
    // The box's other two sides are no line.
    const white = (x: number, y: number): boolean => at(x, y).every((value, i) => value === line[i]!)
    expect([white(767, 600), white(600, 767), white(700, 700)]).toEqual([false, false, false])
  } finally {
    await engine.close()
    await rm(dir, { recursive: true, force: true })
  }
}, 60_000)
