// A slide of 0.25 × 0.5 µm pixels: an ellipse of 16 × 8 µm is one, whether it lies or stands, in figures, in files and for who grows it.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ObjectDetails, RunStatus } from '../../../../app/contract'
import type { Engine } from '../../../../main/engine'
import { firstRecipe, realEngine } from '../../realEngine'

const [mppX, mppY] = [0.25, 0.5]
/** Centres in µm and half axes along x and y: lying, standing, and a disc. */
const shapes = [
  { x: 60, y: 60, a: 8, b: 4 },
  { x: 120, y: 60, a: 4, b: 8 },
  { x: 180, y: 60, a: 5.66, b: 5.66 },
]
const [width, height] = [240 / mppX, 120 / mppY]

let dir: string
let engine: Engine
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'not-square-'))
  engine = realEngine(join(dir, 'settings'))
})
afterAll(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

async function picture(): Promise<string> {
  const rgb = new Uint8Array(width * height * 3).fill(240)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [ux, uy] = [(x + 0.5) * mppX, (y + 0.5) * mppY]
      if (shapes.some(({ x: cx, y: cy, a, b }) => ((ux - cx) / a) ** 2 + ((uy - cy) / b) ** 2 <= 1))
        rgb.set([90, 60, 150], (y * width + x) * 3)
    }
  const path = join(dir, 'ellipses.tif')
  await sharp(rgb, { raw: { width, height, channels: 3 } })
    .tiff({
      tile: true,
      tileWidth: 256,
      tileHeight: 256,
      compression: 'lzw',
      xres: 1000 / mppX,
      yres: 1000 / mppY,
      resolutionUnit: 'cm',
    })
    .toFile(path)
  return path
}

async function run(slideId: string): Promise<RunStatus> {
  const recipe = await firstRecipe(engine)
  // Whole shapes, whatever their size.
  const params = { ...recipe.params, tissue: { ...recipe.params['tissue'], only: false } }
  const end = new Promise<RunStatus>((resolve) => {
    const off = engine.onEvent((event) => {
      if (event.type !== 'run:end') return
      off()
      resolve(event.status)
    })
  })
  await engine.invoke('run:start', { slideId, region: 'whole', recipe: { ...recipe, params }, purpose: 'run' })
  return end
}

it('measures objects by axis, says what the recipe cannot, and exports the same', async () => {
  const { slideId, mppX: x, mppY: y } = await engine.invoke('slide:open', { path: await picture() })
  expect([x, y]).toEqual([mppX, mppY])
  const status = await run(slideId)
  expect(status).toMatchObject({ state: 'done', objects: 3 })
  expect(status.warnings.join(' ')).toContain('10 µm reach 7.07 µm across and 14.1 µm down')
  const at = (i: number): Promise<ObjectDetails | null> =>
    engine.invoke('object:at', { runId: status.runId, x: shapes[i]!.x / mppX, y: shapes[i]!.y / mppY })
  const [lies, stands, disc] = await Promise.all([at(0), at(1), at(2)])
  for (const [object, turned] of [
    [lies!, 0],
    [stands!, 90],
  ] as const) {
    // At 803bda9: 22.0 × 5.7 and 11.4 × 11.4.
    expect(Math.abs(object.majorAxis - 16)).toBeLessThan(0.8)
    expect(Math.abs(object.minorAxis - 8)).toBeLessThan(0.6)
    expect(Math.abs(Math.abs(object.orientation) - turned)).toBeLessThan(1.5)
    expect(Math.abs(object.perimeter - 38.75)).toBeLessThan(2)
    expect(Math.abs(object.area - Math.PI * 32)).toBeLessThan(8)
  }
  expect(disc!.circularity).toBeGreaterThan(0.95)
  expect(disc!.eccentricity).toBeLessThan(0.3)

  const out = join(dir, 'out')
  await engine.invoke('export:start', { runId: status.runId, directory: out, files: ['objects.csv'] })
  const [header, ...rows] = (await readFile(join(out, 'objects.csv'), 'utf8')).trimEnd().split('\n')
  const column = header!.split(',').indexOf('major_axis_um')
  const axes = rows.map((row) => Number(row.split(',')[column])).sort((a, b) => b - a)
  expect(axes[0]).toBeCloseTo(Math.max(lies!.majorAxis, stands!.majorAxis), 3)
})

it('a size that a person gives makes pixels square', async () => {
  const { slideId } = await engine.invoke('slide:open', { path: join(dir, 'ellipses.tif'), mpp: 0.25 })
  const status = await run(slideId)
  expect(status.warnings.join(' ')).not.toContain('not square')
  const lies = await engine.invoke('object:at', { runId: status.runId, x: 60 / mppX, y: 60 / mppY })
  // 64 × 16 px.
  expect(Math.abs(lies!.majorAxis - 16)).toBeLessThan(0.8)
  expect(Math.abs(lies!.minorAxis - 4)).toBeLessThan(0.6)
})
