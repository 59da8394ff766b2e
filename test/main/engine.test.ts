// The whole engine on the bundled slide, with the real addon: calls, events, tiles, runs, clicks and exports.
import { createHash } from 'node:crypto'
import { copyFile, mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppEvent, calls, tilePaths, unpackTile, unpackTiles, valuesPerObject } from '../../app/contract'
import type { ObjectsTile, Recipe, ResultTile, RunStatus, SlideInfo, TileRef } from '../../app/contract'
import type { Engine } from '../../main/engine'
import type { LogEntry } from '../../main/base/log'
import { firstRecipe, realEngine, sample } from './realEngine'

const logged: LogEntry[] = []
let dir: string
let engine: Engine
let slide: SlideInfo
let recipe: Recipe

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'engine-'))
  engine = realEngine(join(dir, 'settings'), { log: (entry) => logged.push(entry) })
  slide = await engine.invoke('slide:open', { path: sample })
  recipe = await firstRecipe(engine)
})
afterAll(async () => engine.close())

interface Watched {
  status: RunStatus
  tiles: TileRef[]
  progress: RunStatus[]
}
/** Starts a run and waits for its end; every event is checked against the contract. */
async function watch(
  request: Parameters<typeof engine.invoke<'run:start'>>[1],
  onTiles?: (runId: string) => void,
): Promise<Watched> {
  const tiles: TileRef[] = []
  const progress: RunStatus[] = []
  let runId = ''
  let off: () => void = () => undefined
  const status = await new Promise<RunStatus>((resolve, reject) => {
    off = engine.onEvent((event) => {
      const checked = AppEvent.parse(event)
      if (checked.type === 'run:tiles' && checked.runId === runId) {
        tiles.push(...checked.tiles)
        onTiles?.(runId)
      }
      if (checked.type === 'run:progress' && checked.status.runId === runId) progress.push(checked.status)
      if (checked.type === 'run:end' && checked.status.runId === runId) resolve(checked.status)
    })
    engine.invoke('run:start', request).then((started) => {
      expect(started.state).toBe('running')
      runId = started.runId
    }, reject)
  })
  off()
  return { status, tiles, progress }
}
const request = (
  more: Partial<Parameters<typeof engine.invoke<'run:start'>>[1]> = {},
): Parameters<typeof engine.invoke<'run:start'>>[1] => ({
  slideId: slide.slideId,
  region: { x: 600, y: 600, width: 600, height: 500 },
  recipe,
  purpose: 'run',
  ...more,
})
const failure = async (name: string, arg: unknown): Promise<{ code: string; message: string }> => {
  const result = await engine.call(name, arg)
  if (result.ok) throw new Error(`${name} was expected to fail`)
  return result.error
}

describe('calls', () => {
  it('answer with values of the contract', async () => {
    for (const name of ['app:info', 'recipe:list', 'settings:get', 'recent:list'] as const) {
      const result = await engine.call(name, undefined)
      expect(result.ok && calls[name].value.safeParse(result.value).error).toBeFalsy()
      expect(result.ok).toBe(true)
    }
    expect(calls['slide:open'].value.safeParse(slide).error).toBeUndefined()
    expect((await engine.invoke('recent:list', undefined))[0]?.name).toBe('CMU-1-Small-Region.svs')
  })

  it.each([
    ['nope', null, 'INVALID_PARAMETER', 'received "nope"'],
    ['__proto__', null, 'INVALID_PARAMETER', '__proto__'],
    ['dialog:slide', null, 'INVALID_PARAMETER', 'answered by the shell'],
    ['slide:open', { path: 7 }, 'INVALID_PARAMETER', 'slide:open.path but received 7'],
    ['slide:open', { path: 'a\0b' }, 'INVALID_PARAMETER', 'slide:open.path'],
    ['slide:open', { path: '/not/there.svs' }, 'NOT_FOUND', '/not/there.svs'],
    ['slide:close', { slideId: 's999-aaaaaa' }, 'NOT_FOUND', 's999-aaaaaa'],
    ['run:status', { runId: 'r999-aaaaaa' }, 'NOT_FOUND', 'r999-aaaaaa'],
    ['run:status', { runId: 'x' }, 'INVALID_PARAMETER', 'run:status.runId'],
    ['settings:set', { device: 'cuda' }, 'INVALID_PARAMETER', 'settings:set.device but received "cuda"'],
    ['settings:set', { threads: 'many' }, 'INVALID_PARAMETER', 'settings:set.threads but received "many"'],
  ])('refuse %s %j', async (name, arg, code, message) => {
    const error = await failure(name, arg)
    expect(error.code).toBe(code)
    expect(error.message).toContain(message)
  })

  it('name the stage and parameter that a run cannot use', async () => {
    const bad = { ...recipe, params: { ...recipe.params, image: { pixelSizeUm: -1 } } }
    expect(await failure('run:start', request({ recipe: bad }))).toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringContaining('image.pixelSizeUm') as string,
    })
    expect((await failure('run:start', request({ region: { x: 99_999, y: 0, width: 5, height: 5 } }))).message).toContain(
      'region',
    )
  })
})

describe('devices', () => {
  it('that are not there start no run, with what to do; what names none is refused', async () => {
    const error = await failure('run:start', request({ device: 'gpu99' }))
    expect(error).toMatchObject({
      code: 'GPU_UNAVAILABLE',
      message: expect.stringMatching(/^gpu99 is not there: .*cpu/) as string,
    })
    expect(await failure('run:start', request({ device: 'cuda' }))).toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringContaining('run:start.device') as string,
    })
  })

  it('are the CPU unless told otherwise', async () => {
    const { status } = await watch(request())
    const computed = status.timings.filter(({ stage, kept }) => stage !== 'read' && !kept)
    expect(computed.length).toBeGreaterThan(3)
    for (const timing of computed) expect(timing.device).toBe('cpu')
    // What ran is what the operations chose.
    for (const { variant, work } of computed)
      expect(variant.split('; ').sort()).toEqual([...new Set(work?.map((each) => each.variant) ?? [''])].sort())
    expect(computed.some(({ variant }) => variant !== '')).toBe(true)
    expect(status.timings.find(({ stage }) => stage === 'read')?.reader).toMatch(/openslide|turbojpeg/i)
  })
})

describe('tiles', () => {
  it('pass through as the file has them, or are read and encoded, or are not there', async () => {
    const own = await engine.tile(tilePaths.slide(slide.slideId, 0, 2, 2))
    expect(own.status).toBe(200)
    expect(own.headers['Cache-Control']).toBe('private, no-store')
    expect(await sharp(own.body).metadata()).toMatchObject({
      format: 'jpeg',
      width: slide.viewer.tileSizePx,
      height: slide.viewer.tileSizePx,
    })
    const top = await engine.tile(tilePaths.slide(slide.slideId, slide.viewer.maxLevel, 0, 0))
    expect((await sharp(top.body).metadata()).height).toBe(Math.ceil(slide.heightPx / 2 ** slide.viewer.maxLevel))
    const edge = Math.floor((slide.widthPx - 1) / slide.viewer.tileSizePx)
    const cut = await engine.tile(tilePaths.slide(slide.slideId, 0, edge, 0))
    expect((await sharp(cut.body).metadata()).width).toBe(slide.widthPx - edge * slide.viewer.tileSizePx)
    expect((await engine.tile(tilePaths.slide(slide.slideId, 0, edge + 1, 0))).status).toBe(404)
    expect((await engine.tile(tilePaths.slide('s999-aaaaaa', 0, 0, 0))).status).toBe(404)
    expect((await engine.tile('/etc/passwd')).status).toBe(400)
  })

  it('show stains as grey, bright where strong', async () => {
    const stain = await engine.tile(tilePaths.stain(slide.slideId, 'h-e', 0, 2, 0, 0))
    expect(await sharp(stain.body).metadata()).toMatchObject({ format: 'png', channels: 1 })
    const word = (eosinRed: number) => `h-e-650-700-290-${eosinRed}-990-110`
    const [usual, other] = await Promise.all(
      [70, 300].map((red) => engine.tile(tilePaths.stain(slide.slideId, word(red), 0, 2, 0, 0))),
    )
    expect(Buffer.compare(usual!.body, stain.body)).toBe(0)
    expect(Buffer.compare(other!.body, stain.body)).not.toBe(0)
    expect((await engine.tile(tilePaths.stain(slide.slideId, 'nope', 0, 2, 0, 0))).status).toBe(400)
  })

  it('give associated images on their own address alone, and let nobody keep them', async () => {
    const [name] = slide.associatedImages
    const image = await engine.tile(tilePaths.associated(slide.slideId, name!))
    expect(image.status).toBe(200)
    expect(image.headers['Cache-Control']).toBe('private, no-store')
    expect((await engine.tile(tilePaths.associated(slide.slideId, 'nope'))).status).toBe(404)
  })
})

describe('runs', () => {
  it('finish, with objects, timings and every tile told', async () => {
    const { status, tiles } = await watch(request({ mpp: 0.51 }))
    expect(status).toMatchObject({ state: 'done', error: null, unreadableTiles: 0, etaMs: 0 })
    expect(status.tilesDone).toBe(status.tilesTotal)
    expect(status.objects).toBeGreaterThan(50)
    expect(status.timings.map((timing) => timing.stage)).toContain('read')
    const told = new Set(tiles.filter((tile) => tile.level === 0).map((tile) => `${tile.x}_${tile.y}`))
    const t = status.grid.tileSizePx
    for (let y = Math.floor(600 / t); y * t < 1100; y++)
      for (let x = Math.floor(600 / t); x * t < 1200; x++) expect(told).toContain(`${x}_${y}`)
    const newest = new Map<string, number>()
    for (const { level, x, y, revision } of tiles) {
      expect(revision).toBeGreaterThan(newest.get(`${level}/${x}_${y}`) ?? 0)
      newest.set(`${level}/${x}_${y}`, revision)
    }
    expect(await engine.invoke('run:status', { runId: status.runId })).toEqual(status)
  })

  it('give the same objects whole and in two regions side by side, whatever the threads', async () => {
    const objectsOf = async (region: { x: number; y: number; width: number; height: number }, threads: number): Promise<number> =>
      (await watch(request({ region, threads }))).status.objects
    const whole = await objectsOf({ x: 300, y: 700, width: 700, height: 400 }, 2)
    const left = await objectsOf({ x: 300, y: 700, width: 333, height: 400 }, 1)
    const right = await objectsOf({ x: 633, y: 700, width: 367, height: 400 }, 2)
    expect(left + right).toBe(whole)
  })

  it('paint what they found', async () => {
    const { status } = await watch(request())
    const read = async (path: string): Promise<ResultTile> => {
      const tile = await engine.tile(path)
      expect([tile.status, tile.headers['Content-Type']]).toEqual([200, 'application/octet-stream'])
      return unpackTile(tile.body.slice().buffer)
    }
    const objects = async (level: number, x: number, y: number): Promise<ObjectsTile> => {
      const tile = await read(tilePaths.objects(status.runId, 1, level, x, y))
      if (tile.kind !== 'objects') throw new Error(`expected objects but received ${tile.kind}`)
      expect(tile.sidePx).toBe(status.grid.tileSizePx)
      return tile
    }
    const at = Math.floor(1000 / status.grid.tileSizePx)
    const near = await objects(0, at, at)
    expect(near.ids.filter((id) => id > 0).length).toBeGreaterThan(1000)
    expect(Math.max(...near.ids)).toBeLessThanOrEqual(near.count)
    // µm²: what a nucleus has.
    const areas = Array.from({ length: near.count }, (_, n) => near.values[n * valuesPerObject]!)
    expect(areas.every((area) => area > 5 && area < 2000)).toBe(true)
    expect((await objects(0, 0, 0)).count).toBe(0)
    const far = await read(tilePaths.density(status.runId, 1, status.grid.maxLevel, 0, 0))
    // One tile holds the slide: every object counts once.
    expect(far.kind === 'density' && far.counts.reduce((sum, n) => sum + n, 0)).toBe(status.objects)
    expect((await engine.tile(tilePaths.objects(status.runId, 1, 0, 999, 0))).status).toBe(404)

    // Several by one request: each as by itself, one that is not there by itself too; where none is, the request fails.
    const paths = [at, 0, at - 1, 999].map((x) => tilePaths.objects(status.runId, 1, 0, x, at))
    const together = await engine.tile(tilePaths.several(paths))
    const bodies = unpackTiles(together.body.slice().buffer, paths.length)
    expect(bodies[3]).toBeNull()
    for (const i of [0, 1, 2]) expect(new Uint8Array(bodies[i]!)).toEqual(new Uint8Array((await engine.tile(paths[i]!)).body))
    expect((await engine.tile(tilePaths.several(paths.slice(3).concat(paths.slice(3))))).status).toBe(404)
  })

  it('show intermediate images of a preview, and of a run when asked', async () => {
    for (const purpose of ['preview', 'run'] as const) {
      const { status } = await watch(request({ purpose }))
      const at = Math.floor(1000 / status.grid.tileSizePx)
      const layers = (await engine.invoke('recipe:list', undefined))[0]!.layers
      for (const { id } of layers) {
        const tile = await engine.tile(tilePaths.layer(status.runId, id, 1, 0, at, at))
        expect([id, tile.status]).toEqual([id, 200])
      }
      expect((await engine.tile(tilePaths.layer(status.runId, 'nope', 1, 0, at, at))).status).toBe(404)
    }
  })

  it('find the object under a point, and a click finds the same', async () => {
    const { status } = await watch(request())
    let compared = 0
    for (let y = 650; y < 1000 && compared < 8; y += 11) {
      for (let x = 650; x < 1100 && compared < 8; x += 29) {
        const at = await engine.invoke('object:at', { runId: status.runId, x, y })
        if (!at) continue
        const { object } = await engine.invoke('object:segment', { slideId: slide.slideId, recipe, x, y })
        expect({ ...object, id: 0 }).toEqual({ ...at, id: 0 })
        expect(calls['object:at'].value.safeParse(at).error).toBeUndefined()
        expect(at.unit).toBe('um')
        expect(at.outline[0]!.length).toBeGreaterThan(3)
        compared += 1
      }
    }
    expect(compared).toBe(8)
    expect(await engine.invoke('object:at', { runId: status.runId, x: -5, y: 1e9 })).toBeNull()
  })

  it('reuse tiles that an earlier preview has computed', async () => {
    const region = { x: 1000, y: 1800, width: 400, height: 400 }
    await watch(request({ purpose: 'preview', region }))
    const { status } = await watch(request({ purpose: 'preview', region: { ...region, x: 1100 } }))
    expect(status.timings.some((timing) => timing.device === 'cache')).toBe(true)
    expect(status.keptMegapixels).toBeGreaterThan(0)
    const stages = status.timings.filter((timing) => timing.device !== 'cache')
    // No more than was spent now, on every thread: what the kept tiles once cost is the earlier run's.
    expect(stages.reduce((sum, { ms }) => sum + ms, 0)).toBeLessThanOrEqual(status.elapsedMs * availableParallelism())
  })

  it('cancel the older preview of a slide, and keep what is done', async () => {
    const first = engine.invoke('run:start', request({ purpose: 'preview', region: 'whole', recipe: { ...recipe, name: 'a' } }))
    const { runId } = await first
    const second = await watch(request({ purpose: 'preview' }))
    expect(second.status.state).toBe('done')
    expect((await engine.invoke('run:status', { runId })).state).toBe('cancelled')
  })

  it('stop on request between tiles, and what is done can be exported', async () => {
    const { status } = await watch(
      request({ region: 'whole', threads: 1 }),
      (runId) => void engine.invoke('run:cancel', { runId }),
    )
    expect(status.state).toBe('cancelled')
    expect(status.tilesDone).toBeLessThan(status.tilesTotal)
    expect(status.tilesDone).toBeGreaterThan(0)
    const directory = join(dir, 'cancelled')
    const result = await engine.invoke('export:start', { runId: status.runId, directory, files: ['objects.csv', 'run.json'] })
    expect(result.files.map((file) => file.name)).toEqual(['objects.csv', 'run.json'])
    expect((await readFile(join(directory, 'objects.csv'), 'utf8')).trim().split('\n').length).toBeGreaterThanOrEqual(
      status.objects,
    )
  })

  it('export every format, the same bytes from two runs', async () => {
    const digests: string[] = []
    for (const [n, threads] of [1, 2].entries()) {
      const { status } = await watch(request({ threads }))
      const directory = join(dir, `export${n}`)
      await engine.invoke('export:start', {
        runId: status.runId,
        directory,
        files: ['objects.geojson', 'objects.csv', 'labels.ome.tif', 'overlay.png', 'run.json'],
      })
      const bytes = await Promise.all(
        ['objects.geojson', 'objects.csv', 'overlay.png'].map((name) => readFile(join(directory, name))),
      )
      digests.push(createHash('sha256').update(Buffer.concat(bytes)).digest('hex'))
    }
    expect(digests[0]).toBe(digests[1])
  })
})

describe('a file that the page makes', () => {
  it('is called after the slide, or by the pseudonym that its exports have where the settings say so', async () => {
    const { slideId } = slide
    expect(await engine.invoke('slide:fileName', { slideId })).toBe('CMU-1-Small-Region')
    const run = (await engine.invoke('run:list', undefined)).find(
      ({ status }) => status.state === 'done' && status.purpose === 'run',
    )
    await engine.invoke('settings:set', { deidentify: true })
    try {
      const name = await engine.invoke('slide:fileName', { slideId })
      expect(name).toMatch(/^slide-[0-9a-f]{16}$/)
      const directory = join(dir, 'nameless')
      const { slideName } = await engine.invoke('export:start', { runId: run!.status.runId, directory, files: ['objects.csv'] })
      expect(name).toBe(slideName)
    } finally {
      await engine.invoke('settings:set', { deidentify: false })
    }
  })
})

describe('exports', () => {
  it('stop on request and leave nothing behind; one that still runs is refused', async () => {
    const { status } = await watch(request())
    const directory = join(dir, 'stopped')
    const files = ['objects.geojson', 'labels.ome.tif'] as const
    const going = engine.invoke('export:start', { runId: status.runId, directory, files: [...files] })
    expect((await failure('export:start', { runId: status.runId, directory, files: [...files] })).message).toContain(
      'being exported already',
    )
    await engine.invoke('export:cancel', { runId: status.runId })
    expect(await going).toEqual({ cancelled: true, directory, files: [], warnings: [], slideName: '' })
    expect(await readdir(directory).catch(() => [])).toEqual([])
    // Also where the cancel comes along with it.
    const both = [
      engine.invoke('export:start', { runId: status.runId, directory, files: [...files] }),
      engine.invoke('export:cancel', { runId: status.runId }),
    ]
    expect((await Promise.all(both))[0]).toMatchObject({ cancelled: true })

    const { runId } = await engine.invoke('run:start', request({ region: 'whole', recipe: { ...recipe, name: 'b' } }))
    expect((await failure('export:start', { runId, directory, files: ['run.json'] })).message).toContain('still going on')
    expect((await engine.invoke('run:cancel', { runId })).state).toBe('cancelled')
  })
})

describe('a damaged slide', () => {
  it('runs to its end: the hole is counted, drawn and reported, and so is the picture', async () => {
    const path = join(dir, 'damaged.svs')
    const bytes = await readFile(sample)
    // The headers lie at the end of this file: in its middle there are JPEG tiles.
    bytes.fill(0xa5, 900_000, 925_000)
    await writeFile(path, bytes)
    const damaged = await engine.invoke('slide:open', { path })
    const { status } = await watch(request({ slideId: damaged.slideId, region: 'whole' }))
    expect(status.state).toBe('done')
    expect(status.tilesDone).toBe(status.tilesTotal)
    expect(status.unreadableTiles).toBeGreaterThan(0)
    expect(status.unreadableTiles).toBeLessThan(status.tilesTotal / 2)
    expect(status.objects).toBeGreaterThan(1000)
    expect(status.warnings.at(-1)).toContain('could not be read')

    const size = damaged.viewer.tileSizePx
    let hatched = 0
    for (let y = 0; y * size < damaged.heightPx; y++) {
      for (let x = 0; x * size < damaged.widthPx; x++) {
        const tile = await engine.tile(tilePaths.slide(damaged.slideId, 0, x, y))
        expect(tile.status).toBe(200)
        if (!tile.headers['X-Morphoscope-Unreadable']) continue
        hatched += 1
        // The viewer says why: an unreadable part is not hatched without a word.
        expect(decodeURIComponent(tile.headers['X-Morphoscope-Reason'] ?? '')).toMatch(/\w+ \w+/)
      }
    }
    expect(hatched).toBeGreaterThan(0)
    await engine.invoke('slide:close', { slideId: damaged.slideId })
  })
})

describe('plain images', () => {
  it('open as slides of one level, calibrated by hand, and run', async () => {
    const path = join(dir, 'tile.png')
    const tile = await engine.tile(tilePaths.slide(slide.slideId, 0, 3, 3))
    await sharp(tile.body).png().toFile(path)
    const image = await engine.invoke('slide:open', { path, mpp: 0.499 })
    expect(image).toMatchObject({ reader: 'sharp', mppSource: 'given', widthPx: slide.viewer.tileSizePx })
    const { status } = await watch(request({ slideId: image.slideId, region: 'whole' }))
    expect(status.state).toBe('done')
    expect(status.objects).toBeGreaterThan(5)
  })

  it('read in µm of a nominal resolution where none is known, and say so', async () => {
    const path = join(dir, 'gray.jpg')
    await sharp({ create: { width: 300, height: 200, channels: 3, background: '#eee' } })
      .jpeg()
      .toFile(path)
    const image = await engine.invoke('slide:open', { path })
    expect(image.mppX).toBeNull()
    const { status } = await watch(request({ slideId: image.slideId, region: 'whole' }))
    expect(status).toMatchObject({ state: 'done', objects: 0, analysedMpp: null })
    expect(status.warnings[0]).toContain('does not state its pixel size')
  })

  it('say what is wrong with files that are none', async () => {
    const text = join(dir, 'text.svs')
    await writeFile(text, 'not a slide')
    expect(await failure('slide:open', { path: text })).toMatchObject({
      code: 'SLIDE_UNREADABLE',
      message: expect.stringContaining(text) as string,
    })
    const cut = join(dir, 'cut.png')
    const whole = await sharp({
      create: { width: 300, height: 200, channels: 3, background: '#eee', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
    })
      .png()
      .toBuffer()
    await writeFile(cut, whole.subarray(0, whole.length / 2))
    expect(await failure('slide:open', { path: cut })).toMatchObject({ code: 'SLIDE_UNREADABLE' })
    const copy = join(dir, 'ünïcode 😐.svs')
    await copyFile(sample, copy)
    expect((await engine.invoke('slide:open', { path: copy })).name).toBe('ünïcode 😐.svs')
  })
})

describe('the log', () => {
  it('holds no failure that is a bug, and no slide property', () => {
    expect(logged.filter((entry) => entry.level === 'error')).toEqual([])
    const text = JSON.stringify(logged)
    for (const value of Object.values(slide.properties).filter((v) => v.length > 12)) expect(text).not.toContain(value)
  })
})
