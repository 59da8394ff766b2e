// Every oracle case through the code of `morphoscope op`: files in, options parsed, the operation, files out, compared with other programs.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { OpReport } from '../../app/cli/op/op'
import { commandOf, quiet } from '../../app/cli/op/opCommand'
import { ops } from '../../main/engine'
import { readImageFile, writeImageFiles } from '../../main/ops'
import type { FileImage } from '../../main/ops'
import { generated } from './oracleImages'
import { expectWatershedInvariants, floatsOf } from './oracleChecks'

const folder = fileURLToPath(new URL('../fixtures/oracle/', import.meta.url))
const Files = z.record(z.string(), z.string())
const Case = z.object({
  id: z.string(),
  op: z.string(),
  params: z.record(z.string(), z.unknown()),
  inputs: Files,
  outputs: Files,
  compare: z.string(),
  dtype: z.string(),
  count: z.number().optional(),
  nodes: z.number().optional(),
  foreground: z.number().optional(),
  otsu: z.number().optional(),
  nuclei: z.number().optional(),
  components: z.number().optional(),
})
type Case = z.infer<typeof Case>
const Generated = z.object({
  id: z.string(),
  op: z.string(),
  params: z.record(z.string(), z.unknown()),
  input: z.object({ kind: z.string(), seed: z.number().optional(), shape: z.tuple([z.number(), z.number()]) }),
  out: z.object({ sha256: z.string(), dtype: z.string() }),
})
const manifest = z
  .object({ cases: z.array(Case), generated: z.array(Generated) })
  .parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')))

let scratch: string
let files = 0
beforeAll(async () => (scratch = await mkdtemp(join(tmpdir(), 'morphoscope-oracle-'))))
afterAll(async () => await rm(scratch, { recursive: true }))

const input = (name: string): string => join(folder, name)
const scratchFile = (): string => join(scratch, `${files++}.npy`)

/** The command line of `morphoscope op`, in this process. Returns the outputs' files in the order of the slots, and the report. */
async function op(
  name: string,
  args: Record<string, string | number | boolean>,
  extraOutputs: string[] = [],
): Promise<{ out: string[]; report: OpReport }> {
  const info = ops().find((each) => each.name === name)
  if (!info) throw new Error(`there is no operation ${name}`)
  const out = [scratchFile(), ...extraOutputs.map(scratchFile)]
  const line = Object.entries(args).flatMap(([key, value]) => [`--${key}`, String(value)])
  extraOutputs.forEach((slot, i) => line.push(`--out-${slot}`, out[i + 1]!))
  let report: OpReport | undefined
  const command = commandOf(info, (done) => (report = done))
  quiet(command)
  // Two threads: what a case gives must not depend on them.
  await command.parseAsync([...line, '--out', out[0]!, '--threads', '2'], { from: 'user' })
  return { out, report: report! }
}

async function expectSame(ours: string, theirs: string | FileImage, id: string): Promise<void> {
  const a = await readImageFile(ours)
  const b = typeof theirs === 'string' ? await readImageFile(theirs) : theirs
  expect([a.width, a.height]).toEqual([b.width, b.height])
  // By value: the oracle stores results in the smallest type that holds them.
  const at = a.data.findIndex((value, i) => value !== b.data[i])
  if (at >= 0) expect.fail(`${id}: pixel ${at} is ${a.data[at]}, expected ${b.data[at]}`)
}

type Runner = (c: Case) => Promise<void>
const text = (value: unknown): string => String(value)
const connectivity = (c: Case) => ({ connectivity: text(c.params['connectivity']) })
/** One image in, one out. */
const plain =
  (name: string, params: (c: Case) => Record<string, string | number> = () => ({})): Runner =>
  async (c) => {
    const { out } = await op(name, { image: input(c.inputs['image']!), ...connectivity(c), ...params(c) })
    await expectSame(out[0]!, input(c.outputs['out']!), c.id)
  }
const h = (c: Case) => ({ h: text(c.params['h']) })
const area = (c: Case) => ({ area: text(c.params['area']) })

const extremum =
  (name: string): Runner =>
  async (c) => {
    const { out } = await op(name, { image: input(c.inputs['image']!), ...connectivity(c) })
    // Other programs give 0 everywhere for a constant image; by definition, and here, it is one plateau.
    await expectSame(out[0]!, input(c.outputs['out']!), c.id)
    if (c.outputs['labels']) {
      const { out: labels, report } = await op('label', { image: out[0]!, ...connectivity(c) })
      await expectSame(labels[0]!, input(c.outputs['labels']), c.id)
      expect(report.scalars['count']).toBe(c.count)
    }
  }

const reconstruct: Runner = async (c) => {
  const args = { by: text(c.params['method']), ...connectivity(c) }
  if (c.dtype !== 'float32') {
    const { out } = await op('reconstruct', { marker: input(c.inputs['marker']!), mask: input(c.inputs['mask']!), ...args })
    return await expectSame(out[0]!, input(c.outputs['out']!), c.id)
  }
  // Floats are refused by name; reconstruction only compares, so their ranks give the same answer in integers.
  await expect(
    op('reconstruct', { marker: input(c.inputs['marker']!), mask: input(c.inputs['mask']!), ...args }),
  ).rejects.toThrow(/<f4/)
  const images = [c.inputs['marker']!, c.inputs['mask']!, c.outputs['out']!].map((name) => floatsOf(input(name)))
  const ranks = new Map(
    [...new Set(images.flatMap(({ values }) => [...values]))].sort((a, b) => a - b).map((value, i) => [value, i]),
  )
  const [marker, mask, expected] = images.map(({ width, height, values }): FileImage => ({
    width,
    height,
    channels: 1,
    data: Int32Array.from(values, (value) => ranks.get(value)!),
  }))
  const [markerFile, maskFile] = [scratchFile(), scratchFile()]
  await writeImageFiles([
    { path: markerFile, image: marker! },
    { path: maskFile, image: mask! },
  ])
  const { out } = await op('reconstruct', { marker: markerFile, mask: maskFile, ...args })
  await expectSame(out[0]!, expected!, c.id)
}

const distance: Runner = async (c) => {
  const [row, column] = z.tuple([z.number(), z.number()]).parse(c.params['spacing'])
  // Spacings are multiples of a half or a quarter: with the unit a quarter their squares are whole numbers.
  const unit = [row, column].every(Number.isInteger) ? 1 : 4
  const { out } = await op('distance', {
    image: input(c.inputs['image']!),
    'weight-x': (column * unit) ** 2,
    'weight-y': (row * unit) ** 2,
  })
  const ours = await readImageFile(out[0]!)
  if (c.compare === 'convention') return expect(new Set(ours.data)).toEqual(new Set([2 ** 31 - 1]))
  if (c.compare === 'exact') return await expectSame(out[0]!, input(c.outputs['out']!), c.id)
  const { values } = floatsOf(input(c.outputs['out']!))
  expect(values.length).toBe(ours.data.length)
  ours.data.forEach((value, i) => expect(Math.abs(value / unit ** 2 - values[i]!)).toBeLessThanOrEqual(1e-6 * values[i]!))
}

const watershed: Runner = async (c) => {
  const args: Record<string, string> = { image: input(c.inputs['image']!), ...connectivity(c) }
  for (const slot of ['markers', 'mask']) if (c.inputs[slot]) args[slot] = input(c.inputs[slot])
  const { out, report } = await op('watershed', { ...args, lines: text(c.params['line']) })
  if (c.outputs['labels']) await expectSame(out[0]!, input(c.outputs['labels']), c.id)
  if (c.count !== undefined) expect(report.scalars['largest']).toBe(c.count)
  if (!c.outputs['flood_level']) return
  // The flood level is a reconstruction by erosion: of the image on the markers, above the image.
  const [image, markers] = [await readImageFile(args['image']!), await readImageFile(args['markers']!)]
  const top = image.data instanceof Uint8Array ? 255 : 65_535
  const path = scratchFile()
  await writeImageFiles([{ path, image: { ...image, data: image.data.map((value, i) => (markers.data[i]! > 0 ? value : top)) } }])
  const level = await op('reconstruct', { marker: path, mask: args['image']!, by: 'erosion', ...connectivity(c) })
  await expectSame(level.out[0]!, input(c.outputs['flood_level']), c.id)
  expectWatershedInvariants(
    image,
    markers,
    await readImageFile(level.out[0]!),
    await readImageFile(out[0]!),
    c.params['connectivity'] === 4 ? 4 : 8,
  )
}

const nucleusPipeline: Runner = async (c) => {
  const { radius, min_area: minArea, hole_connectivity: hole } = c.params
  const eight = connectivity(c)
  const image = async (name: string, args: Parameters<typeof op>[1]): Promise<string> => (await op(name, args)).out[0]!
  const grey = await image('weights', { image: input(c.inputs['rgb']!), preset: 'gray' })
  const opened = await image('open-by-reconstruction', { image: grey, shape: 'disk', radius: text(radius), ...eight })
  await expectSame(opened, input(c.outputs['opened']!), c.id)
  const otsu = await op('otsu', { image: opened })
  expect(otsu.report.scalars['threshold']).toBe(c.otsu)
  const filled = await image('fill-holes', { image: otsu.out[0]!, connectivity: text(hole) })
  const mask = await image('area-filter', { image: filled, 'min-area': text(minArea), ...eight })
  await expectSame(mask, input(c.outputs['mask']!), c.id)
  expect((await op('label', { image: mask, ...eight })).report.scalars['count']).toBe(c.components)
  const squared = await image('distance', { image: mask })
  await expectSame(squared, input(c.outputs['edt_sq']!), c.id)
  const depth = await image('root', { image: squared, scale: 256, type: 'uint16' })
  const tops = await image('extended-maxima', { image: depth, ...h(c), ...eight })
  const inside = await image('combine', { a: tops, b: mask, kind: 'both' })
  const markers = await op('label', { image: inside, ...eight })
  await expectSame(markers.out[0]!, input(c.outputs['markers']!), c.id)
  expect(markers.report.scalars['count']).toBe(c.nuclei)
  const deepest = Math.max(...Array.from((await readImageFile(depth)).data))
  const relief = await image('scale', { image: depth, multiply: -1, add: deepest })
  const labels = await op('watershed', { image: relief, markers: markers.out[0]!, mask, ...eight })
  expect(labels.report.scalars['largest']).toBe(c.nuclei)
  // Plateaus leave a choice: the same pixels are labelled, and markers keep their labels.
  const [ours, example, sinks] = await Promise.all(
    [labels.out[0]!, input(c.outputs['labels_example']!), markers.out[0]!].map(readImageFile),
  )
  expect([...ours!.data].map((label) => label > 0)).toEqual([...example!.data].map((label) => label > 0))
  sinks!.data.forEach((sink, i) => sink > 0 && expect(ours!.data[i]).toBe(sink))
}

const runners: Readonly<Record<string, Runner>> = {
  reconstruct,
  erode: async (c) => {
    const { out } = await op('erode', { image: input(c.inputs['image']!), shape: 'disk', radius: text(c.params['radius']) })
    await expectSame(out[0]!, input(c.outputs['out']!), c.id)
  },
  fill_holes: plain('fill-holes'),
  clear_border: plain('clear-border'),
  h_maxima_image: plain('h-maxima', h),
  h_minima_image: plain('h-minima', h),
  extended_maxima: plain('extended-maxima', h),
  extended_minima: plain('extended-minima', h),
  // scikit-image's h_maxima marks the pixels that h-maxima lowers by all of h.
  skimage_h_maxima: async (c) => {
    const lowered = await op('h-maxima', { image: input(c.inputs['image']!), ...h(c), ...connectivity(c) })
    const dome = await op('combine', { a: input(c.inputs['image']!), b: lowered.out[0]!, kind: 'subtract' })
    const { out } = await op('threshold', { image: dome.out[0]!, above: Number(c.params['h']) - 1 })
    await expectSame(out[0]!, input(c.outputs['out']!), c.id)
  },
  regional_maxima: extremum('regional-maxima'),
  regional_minima: extremum('regional-minima'),
  max_tree: async (c) => {
    const { out, report } = await op('max-tree', { image: input(c.inputs['image']!), ...connectivity(c) }, ['area'])
    await expectSame(out[0]!, input(c.outputs['parent']!), c.id)
    await expectSame(out[1]!, input(c.outputs['area']!), c.id)
    expect(report.scalars['nodes']).toBe(c.nodes)
  },
  area_opening: plain('area-open', area),
  area_closing: plain('area-close', area),
  edt_squared: distance,
  label: async (c) => {
    const { out, report } = await op('label', { image: input(c.inputs['image']!), ...connectivity(c) })
    await expectSame(out[0]!, input(c.outputs['labels']!), c.id)
    expect(report.scalars['count']).toBe(c.count)
  },
  watershed,
  watershed_markers: watershed,
  otsu: async (c) => {
    const { out } = await op('otsu', { image: input(c.inputs['image']!) })
    // Between two used levels every threshold is as good: what counts is the foreground.
    expect(Array.from((await readImageFile(out[0]!)).data).filter((value) => value > 0)).toHaveLength(c.foreground!)
  },
  nucleus_pipeline: nucleusPipeline,
}
/** Cases that no operation of the table is defined as; test/native/operations/test_stain.cpp compares these with a stated bound. */
const notAnOperation = new Set(['rgb_to_hed'])

describe('morphoscope op against the oracle', () => {
  let executed = 0
  for (const c of manifest.cases) {
    const runner = runners[c.op]
    if (!runner) continue
    it(c.id, async () => {
      await runner(c)
      executed++
    })
  }
  for (const g of manifest.generated) {
    it(g.id, async () => {
      const { name, inputs, args } = generated(g)
      const paths = Object.fromEntries(Object.keys(inputs).map((slot) => [slot, scratchFile()]))
      await writeImageFiles(Object.entries(inputs).map(([slot, image]) => ({ path: paths[slot]!, image })))
      const { out } = await op(name, { ...paths, ...args })
      const { data } = await readImageFile(out[0]!)
      expect(data.constructor.name).toBe(g.out.dtype === 'uint8' ? 'Uint8Array' : 'Int32Array')
      expect(
        createHash('sha256')
          .update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
          .digest('hex'),
      ).toBe(g.out.sha256)
      await Promise.all([...Object.values(paths), ...out].map((path) => rm(path)))
      executed++
    })
  }
  it('leaves no case out', () => {
    const left = manifest.cases.filter(({ op: name }) => !runners[name])
    expect(left.filter(({ op: name }) => !notAnOperation.has(name)).map(({ id }) => id)).toEqual([])
    expect(executed).toBe(manifest.cases.length + manifest.generated.length - left.length)
    console.log(`oracle cases through morphoscope op: ${executed}; not an operation: ${left.length} (rgb_to_hed)`)
  })
  it('says no to files that do not belong together', async () => {
    const marker = input('rec_d4_rand_uint8_1x1.marker.npy')
    const mask = input('rec_d4_open5_ihc.mask.npy')
    await expect(op('reconstruct', { marker, mask })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    await expect(op('reconstruct', { mask })).rejects.toThrow('expected a file for --marker of reconstruct but received none')
    await expect(op('h-maxima', { image: mask })).rejects.toThrow('expected a value for --h of h-maxima but received none')
    await expect(op('h-maxima', { image: mask, h: 0 })).rejects.toThrow(/for --h but received 0/)
    await expect(op('weights', { image: mask, preset: 'gray' })).rejects.toThrow(/expected a colour image for --image.*grey/)
    await expect(op('erode', { image: input('tile_dsb_b.npy'), radius: 1 })).rejects.toThrow(
      /expected a grey image for --image.*colour/,
    )
    await expect(op('label', { image: mask, nonsense: 1 })).rejects.toThrow(/unknown option '--nonsense'/)
    await expect(readFile(join(scratch, `${files}.npy`))).rejects.toThrow(/ENOENT/)
  })
})
