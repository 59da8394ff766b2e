// `morphoscope compare`: two exports of a slide against the window's comparison of the same runs, its tables, and what it refuses.
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunComparison } from '../../../app/contract'
import { firstRecipe, realEngine, sample } from '../../main/realEngine'
import { cli } from './inProcess'

let folder: string
let strict: string
let loose: string
/** What the window tells of the same two runs. */
let shown: RunComparison

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'morphoscope-compare-test-'))
  const engine = realEngine(folder)
  const { slideId } = await engine.invoke('slide:open', { path: sample })
  const recipe = await firstRecipe(engine)
  const done = async (name: string, level: number) => {
    // The whole slide, coarsely: nothing is cut, and there is little of it.
    const values = { image: { pixelSizeUm: 1.5 }, threshold: { ...recipe.params['threshold'], level } }
    const arg = {
      slideId,
      recipe: { ...recipe, params: { ...recipe.params, ...values } },
      region: 'whole',
      purpose: 'run',
    } as const
    const ended = new Promise<void>((resolve) => {
      const stop = engine.onEvent(({ type }) => void (type === 'run:end' && (stop(), resolve())))
    })
    const { runId } = await engine.invoke('run:start', arg)
    await ended
    const directory = join(folder, name)
    await engine.invoke('export:start', { runId, directory, files: ['labels.ome.tif', 'run.json'] })
    return { runId, directory }
  }
  const [one, two] = [await done('strict', 1.4), await done('loose', 1)]
  shown = await engine.invoke('run:compare', { a: one.runId, b: two.runId })
  ;[strict, loose] = [one.directory, two.directory]
  await engine.close()
})
afterAll(async () => await rm(folder, { recursive: true, force: true }))

it('tells what the window tells of the same runs, as text, CSV and JSON', async () => {
  const json = await cli('compare', strict, loose, '--json')
  expect([json.code, json.err]).toEqual([0, ''])
  const found = JSON.parse(json.out) as RunComparison & { scale: number; stages: { stage: string; a: { by: string[] } }[] }
  const { comparison: _, a, b, ...same } = shown
  expect(found).toMatchObject(same)
  expect(found.a).toEqual({ ...a, name: strict })
  expect(found.b).toEqual({ ...b, name: loose })
  expect(found.values).toMatchObject([{ stage: 'threshold', param: 'level', a: 1.4, b: 1 }])
  for (const count of [found.both, found.onlyA, found.onlyB]) expect(count).toBeGreaterThan(5)
  expect(found.scale).toBeCloseTo(1.5 / 0.499)
  // The algorithms that ran, of each operation that has several.
  const [by, ...others] = found.stages.find(({ stage }) => stage === 'split')!.a.by
  expect(by).toMatch(/^cpu (.+; )?arrows \+ queue of plateaus/)
  expect(others).toEqual([])

  const text = (await cli('compare', strict, loose)).out
  expect(text).toMatch(new RegExp(`^objects +${a.objects} +${b.objects} +${shown.both}$`, 'm'))
  expect(text).toMatch(/^ {2}threshold\.level +1\.4 +1$/m)
  expect(text).toContain(`Dice of the areas ${shown.dice.toFixed(4)}, mean IoU of the pairs ${shown.meanIou!.toFixed(4)}`)
  const csv = (await cli('compare', strict, loose, '--csv')).out.split('\r\n')
  expect(csv).toContain(`objects,${a.objects},${b.objects},`)
  expect(csv).toContain('threshold.level,1.4,1,')
  expect(csv.find((line) => line.startsWith('stage split ms,'))).toBeDefined()
})

it('lists every object with its place, and replaces nothing unasked', async () => {
  const out = join(folder, 'objects.csv')
  const { code, out: text } = await cli('compare', strict, loose, '--objects', out)
  expect([code, text.endsWith(out)]).toEqual([0, true])
  const [header, ...lines] = (await readFile(out, 'utf8')).trimEnd().split('\r\n')
  expect(header).toBe('found_in,id_a,id_b,iou,centroid_x_px,centroid_y_px,area_a_px,area_b_px')
  const of = (kind: string) => lines.filter((line) => line.startsWith(`${kind},`)).map((line) => line.split(','))
  expect([of('A').length, of('B').length, of('both').length]).toEqual([shown.onlyA, shown.onlyB, shown.both])
  const ids = (rows: string[][], column: number) => rows.map((row) => Number(row[column]))
  const everyA = [...ids(of('A'), 1), ...ids(of('both'), 1)].sort((p, q) => p - q)
  expect(everyA).toEqual(Array.from({ length: shown.a.objects }, (_, i) => i + 1))
  const mean = ids(of('both'), 3).reduce((sum, iou) => sum + iou, 0) / shown.both
  expect(mean).toBeCloseTo(shown.meanIou!, 3)
  for (const x of ids(of('both'), 4)) expect(x > 0 && x < 2220).toBe(true)
  expect(await cli('compare', strict, loose, '--objects', out)).toMatchObject({
    code: 73,
    err: expect.stringContaining('--overwrite') as string,
  })
  expect((await cli('compare', strict, loose, '--objects', out, '--overwrite')).code).toBe(0)
  expect(await cli('compare', strict, loose, '--objects', 'o.txt')).toMatchObject({
    code: 2,
    err: 'error: expected a file that ends in .csv for --objects but received o.txt',
  })
})

it('refuses what cannot be compared, by file and value', async () => {
  expect((await cli('compare', strict, `${strict}/.`)).err).toMatch(/A run is the same as itself: expected two folders/)
  expect(await cli('compare', strict, join(folder, 'nowhere'))).toMatchObject({
    code: 66,
    err: expect.stringMatching(/nowhere holds no run\.json: expected a folder/) as string,
  })
  const both = await cli('compare', strict, loose, '--json', '--csv')
  expect([both.code, both.err]).toEqual([2, 'error: expected one of --json and --csv but received both'])

  let n = 0
  /** A copy of the second run whose run.json has something else in it. */
  const changed = async (change: (record: Record<string, never>) => unknown): Promise<string> => {
    const directory = join(folder, `changed${n++}`)
    await cp(loose, directory, { recursive: true })
    const record = JSON.parse(await readFile(join(directory, 'run.json'), 'utf8')) as Record<string, never>
    const text = change(record)
    await writeFile(join(directory, 'run.json'), typeof text === 'string' ? text : JSON.stringify(record))
    return directory
  }
  const refusal = async (directory: string) => {
    const { code, err, out } = await cli('compare', strict, directory)
    expect(out).toBe('')
    return `${code} ${err}`
  }
  const refused = async (change: (record: Record<string, never>) => unknown) => refusal(await changed(change))
  type Any = Record<string, Record<string, unknown>>
  const set = (part: string, key: string, value: unknown) => (record: unknown) => void ((record as Any)[part]![key] = value)

  expect(await refused(() => '{"format":')).toMatch(/^2 .*run\.json is damaged: it is not JSON/)
  expect(await refused(() => '[]')).toMatch(/expected "morphoscope-run" for format but received undefined/)
  expect(await refused((record) => void Object.assign(record, { version: 2 }))).toMatch(/has version 2, and this program reads/)
  expect(await refused(set('region', 'x', -1))).toMatch(/^2 .*damaged: expected at least 0 for run\.region\.x but received -1/)
  expect(await refused(set('region', 'width', 1e12))).toMatch(/for run\.region\.width but received 1000000000000/)
  expect(await refused(set('resolution', 'scale', 0))).toMatch(/for run\.resolution\.scale but received 0/)
  expect(await refused(set('counts', 'objects', 'many'))).toMatch(/for run\.counts\.objects but received "many"/)
  expect(await refused(set('recipe', 'format', 'x'))).toMatch(/expected one of morphoscope-recipe for run\.recipe\.format/)
  expect(await refused((record) => void Object.assign(record, { state: 'cancelled' }))).toMatch(
    /^2 .*Only runs that are done can be compared, and that in .* is cancelled \(\d+ of \d+ tiles\)/,
  )
  expect(await refused(set('slide', 'sha256', null))).toMatch(/does not say which slide it is of/)
  expect(await refused(set('slide', 'sha256', 'ff'))).toMatch(
    /of different slides: CMU-1-Small-Region\.svs \(SHA-256 \w+\) and .*\(ff\)/,
  )
  expect(await refused(set('resolution', 'scale', 2))).toMatch(
    /different resolutions, .*: 3\.006\d* and 2 px of the slide per px/,
  )
  expect(await refused(set('region', 'width', 100))).toMatch(
    /^2 .*expected an image of 100 × 2967 px, as its run\.json says, for .*labels\.ome\.tif but received 2219 × 2967 px/,
  )
  expect(await refused(set('counts', 'objects', 3))).toMatch(
    /expected numbers of objects from 1 to 3, .*labels\.ome\.tif but received 4/,
  )
  expect(await refused((record) => void Object.assign(record, { files: {} }))).toMatch(
    /^66 .*holds no labels\.ome\.tif of this run, .*--files labels\.ome\.tif,run\.json/,
  )
  // The label image is another, or none at all.
  const other = await changed(() => undefined)
  await truncate(join(other, 'labels.ome.tif'), 400)
  expect(await refusal(other)).toMatch(
    /^2 .*is not the file that run\.json names: expected SHA-256 "\w{64}" but received "\w{64}"/,
  )
  await rm(join(other, 'labels.ome.tif'))
  await symlink(sample, join(other, 'labels.ome.tif'))
  expect(await refusal(other)).toMatch(/^66 .*holds no labels\.ome\.tif/)
  await rm(join(other, 'run.json'))
  await mkdir(join(other, 'run.json'))
  expect(await refusal(other)).toMatch(/^(2|66) .*run\.json/)
  const large = await changed(() => undefined)
  await truncate(join(large, 'run.json'), 2 ** 27)
  expect(await refusal(large)).toMatch(/run\.json has 134217728 bytes, and the record of a run has at most 67108864/)
})

it('names label images that are none, and compares what two regions have in common', async () => {
  const directory = join(folder, 'damaged')
  await cp(loose, directory, { recursive: true })
  const record = JSON.parse(await readFile(join(directory, 'run.json'), 'utf8')) as {
    files: Record<string, { sha256: string }>
  }
  const write = async (bytes: Buffer) => {
    await writeFile(join(directory, 'labels.ome.tif'), bytes)
    record.files['labels.ome.tif']!.sha256 = createHash('sha256').update(bytes).digest('hex')
    await writeFile(join(directory, 'run.json'), JSON.stringify(record))
  }
  await write(Buffer.from('II*\0 and nothing more'))
  expect(await cli('compare', strict, directory)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/labels\.ome\.tif cannot be read as an image/) as string,
  })
  // A tile that cannot be unpacked: its file's checksum is right, and its pixels would be 0.
  const bytes = await readFile(join(loose, 'labels.ome.tif'))
  await write(bytes.fill(0x55, 16, bytes.length >> 1))
  expect(await cli('compare', strict, directory)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/labels\.ome\.tif is damaged/) as string,
  })
  const coloured = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .tiff()
    .toBuffer()
  await write(coloured)
  expect(await cli('compare', strict, directory)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/expected a grey image but .*labels\.ome\.tif is a colour one/) as string,
  })

  const part = async (name: string, region: string) => {
    const out = join(folder, name)
    expect((await cli('run', sample, '--region', region, '--files', 'labels.ome.tif,run.json', '--out', out)).code).toBe(0)
    return out
  }
  const [left, right] = [await part('left', '600,800,400,400'), await part('right', '755,850,500,400')]
  const found = await cli('compare', left, right, '--json')
  expect(found.err).toBe('Only objects in the part that both runs looked at are compared.')
  expect(JSON.parse(found.out)).toMatchObject({
    onlyA: 0,
    onlyB: 0,
    dice: 1,
    region: { x: 755, y: 850, width: 245, height: 350 },
  })
  expect((JSON.parse(found.out) as RunComparison).both).toBeGreaterThan(5)
})
