// Every object's figures in each of three channels, against how the slide was made; the same bytes for every tile and thread.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { channelField, PackedObjects } from '../../../../main/run/objects/packedObjects'
import { coreOf, gridOf, windowOf } from '../../../../main/run/plan/plan'
import { openNative } from '../../../../main/slide/slides'
import { CHANNEL_FIGURES, createCancelToken, haloPx, planOf, runWindow } from '../../../../native/index'
import type { Params } from '../../../../native/index'
import { pitch, side, threeChannels } from '../../../main/slide/threeChannels'
import { cli } from '../inProcess'

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'morphoscope-measures-cli-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

async function found(slide: string, name: string, ...options: string[]): Promise<(file: string) => Promise<string>> {
  const out = join(folder, name)
  const { code, err } = await cli('run', slide, '--recipe', 'fluorescence-nuclei', '--out', out, ...options)
  expect(err).not.toContain('rror')
  expect(code).toBe(0)
  return (file) => readFile(join(out, file), 'utf8')
}

/** Of each object by its first pixel, its columns of channels: from windows of tiles of 256, 1000 and 4096 px. */
async function sameInEveryTile(path: string, { resolved }: { resolved: Params }): Promise<void> {
  const slide = await openNative(path)
  const plan = planOf('fluorescence-nuclei', resolved)
  const halo = haloPx('fluorescence-nuclei', resolved)
  const seen: Map<string, string>[] = []
  for (const tilePx of [256, 1000, 4096])
    for (const threads of [1, 2]) {
      const grid = gridOf(side, side, 1, tilePx)
      const own = new Map<string, string>()
      const count = Math.ceil(side / tilePx)
      for (let k = 0; k < count * count; k++) {
        const tile = { x: k % count, y: Math.floor(k / count) }
        const { objects } = await runWindow({
          ...{ slide, scale: 1, ...windowOf(grid, coreOf(grid, tile), halo), plan, ground: null, threads, device: 'cpu' },
          grid: { tileSizePx: tilePx, widthPx: side, heightPx: side, tiles: [tile] },
          cancelToken: createCancelToken(),
        })
        const packed = PackedObjects.of(objects)
        for (let row = 0; row < packed.count; row++) {
          const values = [0, 1, 2].flatMap((channel) =>
            CHANNEL_FIGURES.map((figure) => packed.value(row, channelField(channel, figure))),
          )
          own.set(`${packed.value(row, 'firstX')},${packed.value(row, 'firstY')}`, values.join())
        }
      }
      seen.push(new Map([...own].sort(([a], [b]) => (a < b ? -1 : 1))))
    }
  expect(seen[0]!.size).toBe((side / pitch) ** 2)
  for (const other of seen) expect([...other]).toEqual([...seen[0]!])
  slide.close()
}

const figures = ['mean', 'std', 'min', 'max', 'sum']

it('are the file’s own values, in every file and whatever the tiles and threads', async () => {
  const slide = await threeChannels(join(folder, 'three.ome.tif'))
  const files = ['--files', 'objects.csv,objects.geojson,objects.parquet,run.json,report.html']
  const read = await found(slide, 'a', ...files, '--threads', '1', '--verify', '2')
  const csv = await read('objects.csv')
  const [header, ...rows] = csv
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
  expect(header!.slice(-15)).toEqual(['dapi', 'cd8', 'panck'].flatMap((name) => figures.map((each) => `channel_${name}_${each}`)))
  expect(rows).toHaveLength((side / pitch) ** 2)
  const objects = rows.map((row) => Object.fromEntries(header!.map((name, i) => [name, Number(row[i])])))
  for (const object of objects) {
    const [x, y] = [object['centroid_x_px']!, object['centroid_y_px']!]
    const own = 100 * (Math.floor(y / pitch) * (side / pitch) + Math.floor(x / pitch))
    expect(object).toMatchObject({ channel_cd8_mean: own, channel_cd8_std: 0, channel_cd8_min: own, channel_cd8_max: own })
    // 0.25 µm² a px.
    const area = object['area_um2']! * 4
    expect(object['channel_cd8_sum']).toBeCloseTo(own * area, -1)
    expect(object['channel_panck_mean']).toBeCloseTo(x - 0.5, 2)
    expect(object['channel_panck_max']! - object['channel_panck_min']!).toBeGreaterThan(14)
    expect(object['channel_dapi_max']).toBe(3000)
  }
  const { features } = JSON.parse(await read('objects.geojson')) as {
    features: { properties: { measurements: Record<string, number> } }[]
  }
  const first = objects[0]!
  expect(features[0]!.properties.measurements).toMatchObject({
    'CD8: Mean': first['channel_cd8_mean'],
    'CD8: Std.Dev.': 0,
    'PanCK: Sum': first['channel_panck_sum'],
  })
  const parquet = await parquetReadObjects({ file: await asyncBufferFromFile(join(folder, 'a', 'objects.parquet')) })
  expect(parquet[7]!['channel_panck_mean']).toBeCloseTo(objects[7]!['channel_panck_mean']!, 3)
  const { export: said } = JSON.parse(await read('run.json')) as { export: { channels: string[] } }
  expect(said.channels).toEqual(['DAPI', 'CD8', 'PanCK'])
  expect(await read('report.html')).toMatch(/DAPI \(analysed\).*CD8.*PanCK/s)
  const again = await found(slide, 'b', '--files', 'objects.csv', '--threads', '2')
  expect(await again('objects.csv')).toBe(csv)
  await sameInEveryTile(slide, JSON.parse(await read('run.json')) as { resolved: Params })
}, 120_000)

it('are of the first 64 channels where there are more, which is said', async () => {
  const names = Array.from({ length: 69 }, (_, i) => `M${i}`)
  const read = await found(await threeChannels(join(folder, 'many.ome.tif'), 200, names), 'many', '--threads', '2')
  const [header] = (await read('objects.csv')).split('\r\n')
  expect(header!.match(/channel_[a-z0-9]+_mean/g)).toHaveLength(64)
  const { warnings } = JSON.parse(await read('run.json')) as { warnings: string[] }
  expect(warnings.join(' ')).toContain('Objects are measured in the first 64 of the slide’s 72 channels')
}, 120_000)

it('that could not be read are none, and the run is partial', async () => {
  const slide = await threeChannels(join(folder, 'lost.ome.tif'), 400, [], true)
  const out = join(folder, 'lost')
  const { code } = await cli('run', slide, '--recipe', 'fluorescence-nuclei', '--out', out, '--threads', '2')
  expect(code).toBe(3)
  const [header, ...rows] = (await readFile(join(out, 'objects.csv'), 'utf8'))
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
  expect(rows).toHaveLength(64)
  const [x, y, dapi, cd8] = ['centroid_x_px', 'centroid_y_px', 'channel_dapi_max', 'channel_cd8_mean'].map((name) =>
    header!.indexOf(name),
  )
  for (const row of rows) {
    expect(row[dapi!]).toBe('3000')
    // Nuclei have a radius of 9 px, and the lost tile ends at 128.
    const [right, down] = [Number(row[x!]) - 9, Number(row[y!]) - 9]
    if (right < 120 && down < 120) expect(row[cd8!]).toBe('')
    else if (right > 140 || down > 140) expect(row[cd8!]).toBe('500')
  }
  const { unreadable } = JSON.parse(await readFile(join(out, 'run.json'), 'utf8')) as { unreadable: unknown[] }
  expect(unreadable.length).toBeGreaterThan(0)
}, 60_000)
