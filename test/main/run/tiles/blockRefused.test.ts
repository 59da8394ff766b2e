// A block that cannot be computed at once is computed tile by tile, and the run says so; what every block would meet ends the run.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunStatus } from '../../../../app/contract'
import { openSpecs } from '../../../../main/recipe/specs'
import { defaultRecipe } from '../../../../main/recipe/validate'
import { blockSizes } from '../../../../main/run/plan/plan'
import { draftAnalysis } from '../../../../main/run/analysis/analysis'
import { Overviews } from '../../../../main/run/analysis/overviews'
import { Run } from '../../../../main/run/run'
import { Scheduler } from '../../../../main/run/schedule/schedule'
import { Throughput } from '../../../../main/run/request/throughput'
import { TileResults } from '../../../../main/run/tiles/tileResults'
import type { BlockResult } from '../../../../main/run/tiles/computeTile'
import { Slides } from '../../../../main/slide/slides'
import type { OpenSlide } from '../../../../main/slide/slides'
import { NativeError } from '../../../../native/index'
import type { NativeErrorCode } from '../../../../native/index'

const assets = fileURLToPath(new URL('../../../../assets', import.meta.url))
const slides = new Slides(
  () => undefined,
  () => undefined,
  () => false,
)
let slide: OpenSlide

beforeAll(async () => {
  slide = await slides.open(`${assets}/samples/CMU-1-Small-Region.svs`)
})
afterAll(() => slides.closeAll())

/** Single tiles are the real ones: only blocks are refused, as a GPU does that has no memory for them. */
class Refusing extends TileResults {
  private readonly code: NativeErrorCode
  constructor(code: NativeErrorCode) {
    super()
    this.code = code
  }
  override getBlock(): Promise<BlockResult> {
    return Promise.reject(new NativeError(this.code, 'refused for the test'))
  }
}

/** Blocks and tiles alike are refused the first `times`; then they are the real ones, and counted. */
class RefusingTiles extends TileResults {
  mostAfterRefusals = 0
  private active = 0
  private refused = 0
  private readonly code: NativeErrorCode
  private readonly times: number
  constructor(code: NativeErrorCode, times: number) {
    super()
    this.code = code
    this.times = times
  }
  override getBlock(...args: Parameters<TileResults['getBlock']>): Promise<BlockResult> {
    return this.counted(() => super.getBlock(...args))
  }
  override getPiece(...args: Parameters<TileResults['getPiece']>): Promise<BlockResult> {
    return this.counted(() => super.getPiece(...args))
  }
  private async counted<T>(work: () => Promise<T>): Promise<T> {
    // All that are started together are refused together.
    if (this.refused++ < this.times) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      throw new NativeError(this.code, 'refused for the test')
    }
    this.active += 1
    this.mostAfterRefusals = Math.max(this.mostAfterRefusals, this.active)
    return work().finally(() => (this.active -= 1))
  }
}

async function ran(tiles: TileResults): Promise<RunStatus> {
  const spec = await openSpecs(assets).get('he-nuclei')
  const order = {
    runId: 'r1',
    name: 'Region',
    lane: 'short' as const,
    layers: false,
    draft: draftAnalysis(slide, spec, defaultRecipe(spec)),
    purpose: 'run' as const,
    request: { region: 'whole' as const, recipe: defaultRecipe(spec), purpose: 'run' as const },
    region: { x: 700, y: 900, width: 1300, height: 500 },
    focus: undefined,
    threads: 2,
    memory: { budgetBytes: 2 ** 32, needBytes: 2 ** 29, windowsAtOnce: 2 },
    largerAtOnce: 1,
    blockSize: blockSizes.usual,
    warnings: [],
  }
  const tools = {
    scheduler: new Scheduler(2),
    tiles,
    overviews: new Overviews(),
    throughput: new Throughput(),
    budget: { runBytes: Infinity, runObjects: Infinity },
    journals: null,
    emit: () => undefined,
    log: () => undefined,
  }
  const run = new Run(order, tools)
  await run.begin()
  return run.status()
}

it.each([
  ['GPU_OUT_OF_MEMORY', 'had not enough free memory for a block of tiles, which was computed tile by tile'],
  ['OUT_OF_MEMORY', 'This machine had not enough free memory for a block of tiles, which was computed tile by tile'],
  ['SLIDE_UNREADABLE', 'could not be computed at once, and was tile by tile: refused for the test'],
] as const)('%s costs no tile and is told once', async (code, warning) => {
  const whole = await ran(new TileResults())
  expect(whole).toMatchObject({ state: 'done', warnings: [] })
  expect(whole.objects).toBeGreaterThan(100)
  const status = await ran(new Refusing(code))
  expect(status).toMatchObject({ state: 'done', objects: whole.objects, tilesDone: whole.tilesTotal, unreadableTiles: 0 })
  expect(status.warnings.filter((text) => !text.startsWith('Memory was short'))).toEqual([expect.stringContaining(warning)])
})

it('a lost GPU ends the run', async () => {
  expect(await ran(new Refusing('GPU_LOST'))).toMatchObject({ state: 'failed', error: { code: 'GPU_LOST' }, objects: 0 })
})

it.each(['INTERNAL', 'OUT_OF_MEMORY'] as const)(
  '%s of a tile ends the run as what it is, never as a damaged file',
  async (code) => {
    const status = await ran(new RefusingTiles(code, Infinity))
    expect(status).toMatchObject({ state: 'failed', error: { code }, unreadableTiles: 0 })
    expect(JSON.stringify(status.warnings)).not.toMatch(/could not be read/)
  },
)

it('memory that is short for a moment costs time alone: the windows then run one at a time', async () => {
  const whole = await ran(new TileResults())
  const tiles = new RefusingTiles('OUT_OF_MEMORY', 2)
  const status = await ran(tiles)
  expect(status).toMatchObject({ state: 'done', objects: whole.objects, tilesDone: whole.tilesTotal, unreadableTiles: 0 })
  expect(status.warnings).toEqual([expect.stringContaining('Memory was short')])
  expect(tiles.mostAfterRefusals).toBe(1)
})
