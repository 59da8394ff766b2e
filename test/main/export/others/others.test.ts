// Each file of an export opened by the libraries of others that Debian has: as many objects, and the same values.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../../../main/engine'
import { firstRecipe, realEngine, sample } from '../../realEngine'

const modules = 'anndata, fiona, geopandas, h5py, numpy, pandas, skimage, tifffile, zarr'
const python = ['python3', '/usr/bin/python3'].find((each) => spawnSync(each, ['-c', `import ${modules}`]).status === 0)

let engine: Engine
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'others-'))
  engine = realEngine(folder, { shell: 'serve' })
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

interface Opened {
  readonly csv: number
  readonly fiona: [number, string[]]
  readonly geopandas: Record<'rows' | 'cells' | 'nucleusArea' | 'cellArea' | 'nucleusInCell', number> & {
    readonly valid: boolean
  }
  readonly labels: Record<'ids' | 'inside' | 'area' | 'x' | 'y', number> & { readonly cellsHoldNuclei: boolean }
  readonly zarr: boolean
  readonly overlay: number[]
  readonly h5ad: { readonly shape: number[]; readonly rows: number; readonly area: number; readonly x: number }
  readonly lmd: number
}

it.skipIf(!python)(
  'a result with cells is in each of its files what objects.csv says',
  async () => {
    const { slideId } = await engine.invoke('slide:open', { path: sample })
    const first = await firstRecipe(engine)
    const recipe = {
      ...first,
      // Analysed at the slide's own px, so that areas are whole numbers of them.
      params: {
        ...first.params,
        image: { ...first.params.image, pixelSizeUm: 0 },
        cells: { ...first.params.cells, expansion: 5 },
      },
    }
    const region = { x: 600, y: 800, width: 512, height: 448 }
    const { runId } = await engine.invoke('run:start', { slideId, region, recipe, purpose: 'run' })
    const status = () => engine.invoke('run:status', { runId })
    await expect.poll(async () => (await status()).state, { timeout: 60_000 }).toBe('done')
    const { objects } = await status()
    const directory = join(folder, 'files')
    const files = ['objects.csv', 'objects.geojson', 'objects.h5ad', 'labels.ome.tif', 'labels.zarr', 'overlay.png', 'shapes.lmd.xml', 'run.json'] as const // oxfmt-ignore
    const marks: [[number, number], [number, number], [number, number]] = [[10, 10], [2000, 20], [30, 2500]] // oxfmt-ignore
    await engine.invoke('export:start', { runId, directory, files: [...files], laser: { marks, tolerance: 0.5 } })
    const script = join(import.meta.dirname, 'opened.py')
    const found = JSON.parse(
      execFileSync(python!, [script, directory], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
    ) as Opened
    expect(objects).toBeGreaterThan(100)
    expect(found).toMatchObject({
      csv: objects,
      geopandas: { rows: objects, valid: true },
      labels: { ids: objects, cellsHoldNuclei: true },
      zarr: true,
      h5ad: { rows: objects },
      lmd: objects,
    })
    expect(found.fiona[0]).toBe(objects)
    expect(found.h5ad.shape[0]).toBe(objects)
    expect(found.geopandas.cells).toBeGreaterThan(objects * 0.9)
    expect(found.labels.inside).toBeGreaterThan(objects * 0.8)
    // Seven digits of a CSV, and a hundredth of a px.
    for (const off of [found.geopandas.nucleusArea, found.geopandas.cellArea, found.labels.area, found.h5ad.area])
      expect(off).toBeLessThan(0.01)
    for (const off of [found.labels.x, found.labels.y, found.h5ad.x]) expect(off).toBeLessThan(0.01)
    expect(found.geopandas.nucleusInCell).toBeLessThan(1e-6)
  },
  120_000,
)
