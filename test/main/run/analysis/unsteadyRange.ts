// In a process of its own, with failReads.c preloaded: runs of a deep TIFF whose pieces fail while it is opened. Prints a line of JSON.
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Recipe, RunStatus } from '../../../../app/contract'
import { createEngine } from '../../../../main/engine'
import type { Engine } from '../../../../main/engine'

export interface UnsteadyRange {
  readonly root: string
  readonly slide: string
  readonly folder: string
}
export interface Opened {
  readonly high: number
  readonly uncertainPixels: string | null
  readonly status: Pick<RunStatus, 'state' | 'certainty' | 'valuesUncertain' | 'resumedTiles' | 'tilesTotal' | 'warnings'> & {
    readonly error: { readonly code: string } | null
  }
  /** null where nothing was exported. */
  readonly csv: string | null
  readonly journals: number
}
/** By how the pieces fail: never, once, and as often as they are asked for. */
export interface OfRange {
  readonly intact: Opened
  readonly once: Opened
  readonly lost: Opened
  /** And then can be read. */
  readonly healed: Opened
  /** Of a run that was begun on the intact file: while pieces fail, and then. */
  readonly refused: Opened
  readonly wentOn: Opened
}

const asked = JSON.parse(process.argv[2]!) as UnsteadyRange
const recipe: Recipe = { format: 'morphoscope-recipe', version: 1, spec: 'he-nuclei', name: 'x', params: {} }
let engines = 0

async function ended(engine: Engine, begin: () => Promise<RunStatus>): Promise<RunStatus> {
  const over = new Promise<RunStatus>((resolve) =>
    engine.onEvent((event) => void (event.type === 'run:end' && resolve(event.status))),
  )
  await begin()
  return over
}

/** `times`: how often each piece fails. Goes on with the journal where there is one. */
async function opened(times: number, journals: string, exports = true): Promise<Opened> {
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
    Object.assign(process.env, { FAIL_SEED: String(engines), FAIL_SHARE: '1000', FAIL_TIMES: String(times) })
    const info = await engine.invoke('slide:open', { path: asked.slide })
    process.env['FAIL_SEED'] = ''
    const { slideId } = info
    const [entry] = await engine.invoke('journal:list', undefined)
    const status = await ended(engine, () =>
      entry
        ? engine.invoke('journal:resume', { journalId: entry.journalId, slideId })
        : engine.invoke('run:start', { slideId, region: 'whole', recipe, purpose: 'run', threads: 2 }),
    )
    let csv: string | null = null
    if (exports && status.state === 'done') {
      const directory = await mkdtemp(join(asked.folder, 'files-'))
      await engine.invoke('export:start', { runId: status.runId, directory, files: ['objects.csv'] })
      csv = await readFile(join(directory, 'objects.csv'), 'utf8')
    }
    const { state, certainty, valuesUncertain, resumedTiles, tilesTotal, warnings, error } = status
    return {
      high: info.channels[0]!.high,
      uncertainPixels: info.uncertainPixels ?? null,
      status: { state, certainty, ...(valuesUncertain && { valuesUncertain }), resumedTiles, tilesTotal, warnings, error },
      csv,
      journals: (await readdir(journals).catch(() => [])).length,
    }
  } finally {
    await engine.close()
  }
}

const [first, second] = [join(asked.folder, 'first'), join(asked.folder, 'second')]
const intact = await opened(0, first)
const once = await opened(1, first)
const lost = await opened(1000, first)
const healed = await opened(0, first)
await opened(0, second, false)
const refused = await opened(1000, second)
const wentOn = await opened(0, second)
process.stdout.write(JSON.stringify({ intact, once, lost, healed, refused, wentOn } satisfies OfRange))
