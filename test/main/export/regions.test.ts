// Which regions of interest hold each object: in objects.csv, objects.parquet and objects.geojson alike, by the rule that the window counts by.
import { parquetReadObjects } from 'hyparquet'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { RegionOfInterest } from '../../../app/contract'
import { defaultRecipe } from '../../../main/engine'
import { stems } from '../../../main/export/tables/regionTables'
import { realEngine, sample } from '../realEngine'

it('is a column of each file where the slide has areas, and of none where it has not', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'regions-'))
  const engine = realEngine(join(dir, 'settings'), { shell: 'serve' })
  try {
    const { slideId } = await engine.invoke('slide:open', { path: sample })
    const { slide } = await engine.invoke('project:state', { slideId })
    const recipe = defaultRecipe((await engine.invoke('recipe:list', undefined)).find(({ id }) => id === 'he-nuclei')!)
    const region = { x: 300, y: 300, width: 700, height: 600 }
    const { runId } = await engine.invoke('run:start', { slideId, region, recipe, purpose: 'run' })
    await vi.waitUntil(async () => (await engine.invoke('run:status', { runId })).state === 'done', 30_000)
    const files = ['objects.csv', 'objects.geojson', 'objects.parquet'] as const
    const exported = async (to: string) => {
      const directory = join(dir, to)
      await engine.invoke('export:start', { runId, directory, files: [...files] })
      const [csv, json, parquet] = await Promise.all(files.map((name) => readFile(join(directory, name))))
      const [head, ...rows] = csv!.toString().trim().split('\r\n').map((line) => line.split(',')) // oxfmt-ignore
      const { features } = JSON.parse(json!.toString()) as { features: { properties: { metadata?: { regions?: string } } }[] }
      const listed = await parquetReadObjects({ file: Uint8Array.from(parquet!).buffer })
      return { head: head!, rows, features, listed }
    }
    const point = { kind: 'points' as const, points: [[400, 400]] as [number, number][] }
    const add = (name: string, classId: string | null, shape: RegionOfInterest['shape']) => {
      const made = { id: randomUUID(), slide: slide!, name, classId, locked: false, shape, madeBy: 'hand' as const }
      const regions = [{ ...made, createdAt: '2026-01-01T00:00:00Z' }]
      return engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions } })
    }
    await add('', null, point)
    const plain = await exported('plain')
    expect([plain.head.includes('regions'), plain.features[0]!.properties.metadata]).toEqual([false, undefined])

    // Two that overlap where the objects are.
    const xs = plain.rows.map((row) => Number(row[plain.head.indexOf('centroid_x_px')])).sort((a, b) => a - b)
    const [from, to] = [0.4, 0.6].map((share) => Math.round(xs[Math.floor(xs.length * share)]!)) as [number, number]
    await add('left, top', null, { kind: 'rectangle', x: 300, y: 300, width: to - 300, height: 600 })
    await add('', 'tumour', { kind: 'rectangle', x: from, y: 300, width: 1000 - from, height: 600 })
    const { head, rows, features, listed } = await exported('regions')
    expect(head).toContain('regions')
    const at = (row: readonly string[], axis: 'x' | 'y'): number => Number(row[head.indexOf(`centroid_${axis}_px`)])
    // An object is the run's by its first pixel, and a region's by its centre.
    const within = (row: readonly string[]): boolean => at(row, 'x') >= 300 && at(row, 'x') < 1000 && at(row, 'y') < 900
    // A name with a comma stands in quotes, which this test's splitting cuts.
    const texts = listed.map((row) => String(row['regions']))
    expect(new Set(texts)).toEqual(new Set(['left, top', 'left, top; Tumor', 'Tumor', ...(rows.every(within) ? [] : [''])]))
    rows.forEach((row, i) => {
      const inside = [
        ...(within(row) && at(row, 'x') < to ? ['left, top'] : []),
        ...(within(row) && at(row, 'x') >= from ? ['Tumor'] : []),
      ].join('; ')
      expect(texts[i]).toBe(inside)
      expect(features[i]!.properties.metadata?.regions ?? '').toBe(inside)
      expect(row.join(',')).toContain(inside.includes(',') ? `,"${inside}",` : `,${inside},`)
    })
    const measured = await engine.invoke('project:measure', { runIds: [runId], key: slide! })
    const counted = measured.flatMap(({ objects }) => objects ?? [])
    expect(counted).toEqual([0, 1].map((at) => texts.filter((text) => text.includes(['left', 'Tumor'][at]!)).length))

    // One table a region, of the same rows, and only where the run has looked.
    await add('../left, top', null, { kind: 'rectangle', x: 300, y: 300, width: to - 300, height: 600 })
    await add('Left, Top', null, { kind: 'rectangle', x: 900, y: 300, width: 400, height: 600 })
    await add('far', null, { kind: 'rectangle', x: 1500, y: 1500, width: 100, height: 100 })
    const directory = join(dir, 'tables')
    const split = () =>
      engine.invoke('export:start', { runId, directory, files: ['objects.csv', 'objects.parquet', 'run.json'], byRegion: true })
    const result = await split()
    const names = ['left-top', 'Tumor', 'left-top-2', 'Left-Top-3']
    const tables = ['csv', 'parquet'].flatMap((kind) =>
      ['', ...names.map((name) => `-${name}`)].map((name) => `objects${name}.${kind}`),
    )
    expect((await readdir(directory)).sort()).toEqual([...tables, 'run.json'].sort())
    expect(result.files.map(({ name }) => name)).toEqual([...tables, 'run.json'])
    expect(result.warnings).toEqual([
      expect.stringMatching(/not looked at.*: far\.$/),
      expect.stringMatching(/a part only.*: Left-Top-3\.$/),
    ])
    const lines = async (name: string) => (await readFile(join(directory, name), 'utf8')).trim().split('\r\n')
    const [first, ...every] = await lines('objects.csv')
    expect(await lines('objects-Tumor.csv')).toEqual([first, ...every.filter((_, i) => texts[i]!.includes('Tumor'))])
    expect(await lines('objects-left-top.csv')).toEqual(await lines('objects-left-top-2.csv'))
    const inTumor = await parquetReadObjects({
      file: Uint8Array.from(await readFile(join(directory, 'objects-Tumor.parquet'))).buffer,
    })
    expect(inTumor.map((each) => Number(each['id']))).toEqual(
      listed.flatMap((each, i) => (texts[i]!.includes('Tumor') ? [Number(each['id'])] : [])),
    )
    const record = JSON.parse(await readFile(join(directory, 'run.json'), 'utf8')) as {
      files: Record<string, { sha256: string }>
    }
    for (const name of tables)
      expect(record.files[name]?.sha256, name).toBe(
        createHash('sha256').update(await readFile(join(directory, name))).digest('hex'), // oxfmt-ignore
      )
    // Its own files are replaced unasked; a table that is another's by now is not.
    await split()
    await writeFile(join(directory, 'objects-Tumor.csv'), 'mine')
    await expect(split()).rejects.toMatchObject({ code: 'OUTPUT_EXISTS', files: ['objects-Tumor.csv'] })
  } finally {
    await engine.close()
    await rm(dir, { recursive: true, force: true })
  }
}, 60_000)

it('calls tables by names that lead nowhere and are all different', () => {
  expect(stems(['../../etc', 'a/b\\c', 'A-B-C', '', '\u202e\n', 'x'.repeat(300), 'run.json'])).toEqual([
    'etc',
    'a-b-c',
    'A-B-C-2',
    'region',
    'region-2',
    'x'.repeat(40),
    'run.json',
  ])
})
