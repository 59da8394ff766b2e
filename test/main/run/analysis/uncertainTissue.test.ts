// Tissue whose overview cannot be read in full: a tile that may be glass is computed and called uncertain, and an area that nobody knows is not told.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { isPartialRun } from '../../../../app/contract'
import type { Recipe, Region, RunStatus } from '../../../../app/contract'
import type { Engine } from '../../../../main/engine'
import { openNative } from '../../../../main/slide/slides'
import type { Slide } from '../../../../native/index'
import { firstRecipe, realEngine, sample } from '../../realEngine'

let base: string
let path: string
/** What all native slides are made by. */
let slides: Slide
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'uncertain-tissue-'))
  path = join(base, 'inked.png')
  const slide = await openNative(sample)
  slides = Object.getPrototypeOf(slide) as Slide
  const { rgba } = await slide.readScaled(1, 900, 900, 768, 768)
  slide.close()
  const tissue = await sharp(rgba, { raw: { width: 768, height: 768, channels: 4 } })
    .png()
    .toBuffer()
  // Each lies in four px of the overview, which it leaves nearer to the glass than the level that tissue begins at.
  const dots = Array.from(
    { length: 60 },
    (_, i) => `<circle cx="${1216 + 96 * (i % 11)}" cy="${64 + 112 * Math.floor(i / 11)}" r="6"/>`,
  )
  const ink = Buffer.from(`<svg width="2304" height="768"><g fill="rgb(90,50,130)">${dots.join('')}</g></svg>`)
  await sharp({ create: { width: 2304, height: 768, channels: 3, background: { r: 243, g: 242, b: 244 } } })
    .composite([
      { input: tissue, left: 0, top: 0 },
      { input: ink, left: 0, top: 0 },
    ])
    .png()
    .toFile(path)
})
afterAll(() => rm(base, { recursive: true, force: true }))
afterEach(() => vi.restoreAllMocks())

const lostPart: Region = { x: 1500, y: 0, width: 200, height: 768 }
/** Of the overview a part on the glass cannot be read, so many times. Its px are as large as 16 of level 0. */
function loseOverview(times: number): { reads: () => number } {
  const read = Reflect.get<Slide, 'readScaled'>(slides, 'readScaled')
  let reads = 0
  vi.spyOn(slides, 'readScaled').mockImplementation(async function (this: Slide, ...asked) {
    const whole = await read.apply(this, asked)
    const [scale, , , width] = asked
    if (scale < 8 || ++reads > times) return whole
    for (let i = 0; i < whole.rgba.length; i += 4) {
      const x = ((i / 4) % width) * scale
      if (x > lostPart.x - scale && x < lostPart.x + lostPart.width) whole.rgba.fill(255, i, i + 4)
    }
    return { ...whole, unreadable: [{ region: lostPart, reason: 'the drive is away' }] }
  })
  return { reads: () => reads }
}

interface Ran {
  readonly status: RunStatus
  readonly rows: ReadonlyMap<string, Region>
  readonly csv: string
  readonly uncertain: readonly (Region & { readonly reason: string })[]
}
let engines = 0
const engineOf = (journals: string): Engine =>
  realEngine(join(base, `settings-${++engines}`), { journal: { directory: journals, keepsOver: true } })

async function recipeOf(engine: Engine): Promise<Recipe> {
  const recipe = await firstRecipe(engine)
  return { ...recipe, params: { ...recipe.params, tissue: { ...recipe.params['tissue'], level: 40 } } }
}

async function ran(engine: Engine): Promise<Ran> {
  const { slideId } = await engine.invoke('slide:open', { path, mpp: 0.5 })
  const [entry] = await engine.invoke('journal:list', undefined)
  const recipe = await recipeOf(engine)
  const over = new Promise<RunStatus>((resolve) => {
    const off = engine.onEvent((event) => {
      if (event.type !== 'run:end') return
      off()
      resolve(event.status)
    })
  })
  await (entry
    ? engine.invoke('journal:resume', { journalId: entry.journalId, slideId })
    : engine.invoke('run:start', { slideId, region: 'whole', recipe, purpose: 'run', threads: 2, mpp: 0.5 }))
  const status = await over
  expect(status).toMatchObject({ state: 'done', error: null, unreadableTiles: 0 })
  const directory = await mkdtemp(join(base, 'files-'))
  await engine.invoke('export:start', { runId: status.runId, directory, files: ['objects.csv', 'run.json'] })
  const csv = await readFile(join(directory, 'objects.csv'), 'utf8')
  const [header, ...lines] = csv.trim().split(/\r?\n/)
  const names = header!.split(',')
  const bounds = ['bounds_x_px', 'bounds_y_px', 'bounds_width_px', 'bounds_height_px'].map((name) => names.indexOf(name))
  const rows = new Map<string, Region>()
  for (const line of lines) {
    const cells = line.split(',')
    const [x, y, width, height] = bounds.map((at) => Number(cells[at])) as [number, number, number, number]
    rows.set(cells.filter((_, i) => names[i] !== 'id' && names[i] !== 'uuid').join(), { x, y, width, height })
  }
  const record = JSON.parse(await readFile(join(directory, 'run.json'), 'utf8')) as { uncertain: Ran['uncertain'] }
  return { status, csv, rows, uncertain: record.uncertain }
}

async function once(journals = join(base, `journals-${engines}`)): Promise<Ran> {
  const engine = engineOf(journals)
  try {
    return await ran(engine)
  } finally {
    await engine.close()
  }
}

const meet = (a: Region, b: Region): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

it('is read once more, and then all is as if nothing had been', async () => {
  const whole = await once()
  expect(whole.status.tissue).toMatchObject({ glassTiles: 15 })
  expect(whole.rows.size).toBeGreaterThan(100)
  const { reads } = loseOverview(1)
  const again = await once()
  expect(reads()).toBeGreaterThan(1)
  expect(again.csv).toBe(whole.csv)
  expect([isPartialRun(again.status), again.status.warnings]).toEqual([false, []])
  expect(again.status.tissue).toEqual(whole.status.tissue)
})

it('makes uncertain what may be glass, and that alone, until it can be read', async () => {
  const whole = await once()
  const journals = join(base, 'lost')
  loseOverview(Infinity)
  const lost = await once(journals)
  // The ink is found, which the whole slide's run leaves out.
  const differing = [...lost.rows].filter(([row]) => !whole.rows.has(row))
  expect(differing.length).toBeGreaterThan(5)
  expect([...whole.rows.keys()].filter((row) => !lost.rows.has(row))).toEqual([])
  for (const [, box] of differing) expect(lost.uncertain.some((part) => meet(part, box))).toBe(true)
  const { certainMegapixels, checkedMegapixels } = lost.status.certainty
  expect(certainMegapixels).toBeCloseTo(whole.status.certainty.certainMegapixels, 6)
  expect(certainMegapixels).toBeLessThan(checkedMegapixels)
  expect([isPartialRun(lost.status), lost.status.valuesUncertain]).toEqual([true, undefined])
  // Columns of 256 px from the margin of 50 µm before the part to that behind it: three of five.
  expect(lost.status.uncertainTiles).toBe(9)
  expect(lost.uncertain).toHaveLength(9)
  expect(lost.uncertain[0]!.reason).toContain('the drive is away')
  expect(lost.status.tissue).toBeUndefined()
  expect(lost.status.warnings).toContainEqual(expect.stringContaining('the area of tissue is not known'))
  expect(await readdir(journals)).toHaveLength(1)

  vi.restoreAllMocks()
  const healed = await once(journals)
  expect(healed.csv).toBe(whole.csv)
  expect(healed.status.resumedTiles).toBe(lost.status.tilesTotal - 9)
  expect([isPartialRun(healed.status), healed.status.warnings]).toEqual([false, []])
  expect(healed.status.tissue).toEqual(whole.status.tissue)
})

it('is looked for again by the next run on a slide that stays open', async () => {
  const engine = engineOf(join(base, 'open'))
  loseOverview(Infinity)
  const lost = await ran(engine)
  expect(isPartialRun(lost.status)).toBe(true)
  const { slideId } = await engine.invoke('slide:open', { path, mpp: 0.5 })
  const recipe = await recipeOf(engine)
  const why = () => engine.invoke('object:why', { slideId, recipe, mpp: 0.5, x: 1600, y: 400, offers: false })
  expect(await why()).toMatchObject({ certain: false, unread: true })
  vi.restoreAllMocks()
  for (const { journalId } of await engine.invoke('journal:list', undefined)) await engine.invoke('journal:delete', { journalId })
  const again = await ran(engine)
  expect([isPartialRun(again.status), again.status.tissue?.glassTiles]).toEqual([false, 15])
  const asked = await why()
  expect(asked).toMatchObject({ inside: false, certain: true })
  expect(asked?.unread).toBeUndefined()
  await engine.close()
})
