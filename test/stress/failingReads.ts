// In a process of its own, with failReads.c preloaded: runs of one slide some of whose reads fail once, and their journals gone on with once all
// can be read. What each calls certain is held against a run that read everything. Prints a line of JSON a seed.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Recipe, Region, RunStatus } from '../../app/contract'
import { createEngine } from '../../main/engine'
import type { Engine } from '../../main/engine'
import { keepDecodedTiles } from '../../native/index'

export interface FailingReads {
  readonly root: string
  readonly slide: string
  readonly folder: string
  readonly region: Region | 'whole'
  readonly recipe: Recipe
  readonly seeds: readonly number[]
  /** Of the file's tiles, in thousandths. */
  readonly share: number
}
export interface OfSeed {
  readonly seed: number
  /** Tiles with parts that could not be read, and others that these could change. */
  readonly unreadableTiles: number
  readonly uncertainTiles: number
  readonly certainShare: number
  /** Objects that one of the two runs has, and the other has not: where run.json says that all is certain, and elsewhere. */
  readonly wrong: number
  readonly told: number
  /** Of the journal. */
  readonly resumedTiles: number
  readonly tilesTotal: number
  /** The run that went on has other objects than one that read everything, or says that something is uncertain. */
  readonly resumedDiffers: boolean
}

const asked = JSON.parse(process.argv[2]!) as FailingReads
let engines = 0

async function withEngine<T>(journals: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = createEngine({
    settingsDir: join(asked.folder, `settings-${++engines}`),
    assetsDir: join(asked.root, 'assets'),
    shell: 'cli',
    dialogs: false,
    version: '0.0.0',
    log: () => undefined,
    journal: { directory: journals, keepsOver: true },
  })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

async function ended(engine: Engine, begin: () => Promise<RunStatus>): Promise<RunStatus> {
  const over = new Map<string, RunStatus>()
  let wake = (): void => undefined
  engine.onEvent((event) => {
    if (event.type !== 'run:end') return
    over.set(event.status.runId, event.status)
    wake()
  })
  const { runId } = await begin()
  while (!over.has(runId)) await new Promise<void>((resolve) => (wake = resolve))
  return over.get(runId)!
}

interface Result {
  readonly status: RunStatus
  /** Without their numbers, by their bounding boxes (level-0 px). */
  readonly rows: ReadonlyMap<string, Region>
  readonly uncertain: readonly Region[]
}

async function resultOf(engine: Engine, status: RunStatus): Promise<Result> {
  const directory = await mkdtemp(join(asked.folder, 'files-'))
  await engine.invoke('export:start', { runId: status.runId, directory, files: ['objects.csv', 'run.json'] })
  const [header, ...lines] = (await readFile(join(directory, 'objects.csv'), 'utf8')).trim().split(/\r?\n/)
  const names = header!.split(',')
  const bounds = ['bounds_x_px', 'bounds_y_px', 'bounds_width_px', 'bounds_height_px'].map((name) => names.indexOf(name))
  const rows = new Map<string, Region>()
  for (const line of lines) {
    const cells = line.split(',')
    const [x, y, width, height] = bounds.map((at) => Number(cells[at])) as [number, number, number, number]
    rows.set(cells.slice(1).join(), { x, y, width, height })
  }
  if (bounds.includes(-1) || rows.size !== lines.length) throw new Error('objects.csv is not what this test reads')
  const record = JSON.parse(await readFile(join(directory, 'run.json'), 'utf8')) as { unreadable: Region[]; uncertain?: Region[] }
  await rm(directory, { recursive: true })
  return { status, rows, uncertain: [...record.unreadable, ...(record.uncertain ?? [])] }
}

const meet = (a: Region, b: Region): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

async function ran(engine: Engine, failing: () => void = () => undefined): Promise<RunStatus> {
  const { slideId } = await engine.invoke('slide:open', { path: asked.slide })
  const { region, recipe } = asked
  // What adapts to the slide is read before anything fails: on what could be read of it a run's values stand.
  const first = { x: 0, y: 0, width: 64, height: 64 }
  await ended(engine, () => engine.invoke('run:start', { slideId, region: first, recipe, purpose: 'preview' }))
  keepDecodedTiles(0)
  failing()
  return ended(engine, () => engine.invoke('run:start', { slideId, region, recipe, purpose: 'run', threads: 2 }))
}

async function main(): Promise<void> {
  const journals = join(asked.folder, 'journals')
  const intact = await withEngine(journals, async (engine) => resultOf(engine, await ran(engine)))
  for (const seed of asked.seeds) {
    const damaged = await withEngine(journals, async (engine) => {
      const status = await ran(engine, () =>
        Object.assign(process.env, { FAIL_SEED: String(seed), FAIL_SHARE: String(asked.share) }),
      )
      process.env['FAIL_SEED'] = ''
      return resultOf(engine, status)
    })
    const resumed = await withEngine(journals, async (engine) => {
      const [entry] = await engine.invoke('journal:list', undefined)
      // Of a run that could read all, or of which no tile was whole, there is none.
      if (!entry) return resultOf(engine, await ran(engine))
      const { journalId } = entry
      const { slideId } = await engine.invoke('slide:open', { path: asked.slide })
      return resultOf(engine, await ended(engine, () => engine.invoke('journal:resume', { journalId, slideId })))
    })
    await rm(journals, { recursive: true, force: true })
    const differing = [...damaged.rows]
      .filter(([row]) => !intact.rows.has(row))
      .concat([...intact.rows].filter(([row]) => !damaged.rows.has(row)))
    const told = differing.filter(([, box]) => damaged.uncertain.some((part) => meet(part, box)))
    const { unreadableTiles, uncertainTiles = 0, certainty, tilesTotal } = damaged.status
    const line: OfSeed = {
      seed,
      unreadableTiles,
      uncertainTiles,
      certainShare: certainty.certainMegapixels / certainty.checkedMegapixels,
      wrong: differing.length - told.length,
      told: told.length,
      resumedTiles: resumed.status.resumedTiles,
      tilesTotal,
      resumedDiffers:
        resumed.uncertain.length > 0 ||
        resumed.rows.size !== intact.rows.size ||
        [...resumed.rows.keys()].some((row) => !intact.rows.has(row)),
    }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
}

await main()
