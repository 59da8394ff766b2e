// A document with many objects: opened, its table sorted, objects deleted, classified and taken back, through the engine as a page calls it.
//   npx esbuild test/bench/edits_bench.ts --bundle --platform=node --format=esm --packages=external --outfile=edits_bench.mjs
//   MORPHOSCOPE_ADDON=build/native/morphoscope.node node edits_bench.mjs SLIDE OBJECTS FOLDER
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { tilePaths } from '../../app/contract'
import type { RunStatus, TableRequest } from '../../app/contract'
import { createEngine, defaultRecipe } from '../../main/engine'
import type { Engine } from '../../main/engine'
import { keepInstead, keptHead } from '../main/mirrored'
import type { Plain } from '../main/packing'

const [slide, wantedText, out] = process.argv.slice(2)
const wanted = Number(wantedText)
if (!slide || !Number.isInteger(wanted) || wanted < 100 || !out) throw new Error('expected SLIDE OBJECTS FOLDER')
const settingsDir = resolve(out)
await rm(settingsDir, { recursive: true, force: true })
await mkdir(settingsDir, { recursive: true })

const engineThere = (): Engine =>
  createEngine({
    settingsDir,
    assetsDir: resolve('assets'),
    shell: 'serve',
    dialogs: false,
    version: '0.0.0',
    log: console.error,
  })
const say = (what: string, ms: number): void => console.log(`${what.padEnd(46)} ${(ms / 1000).toFixed(2)} s`)
async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now()
  const value = await work()
  say(what, performance.now() - from)
  return value
}
async function doneRun(engine: Engine): Promise<RunStatus> {
  for (;;) {
    const found = (await engine.invoke('run:list', undefined)).find(
      ({ status }) => status.state === 'done' || status.state === 'failed',
    )
    if (found) return found.status
    await new Promise((done) => setTimeout(done, 5))
  }
}

// A run of a small part is kept; its file is written anew with as many objects as are wanted, as if it had found them all over the slide.
const first = engineThere()
const { slideId } = await first.invoke('slide:open', { path: slide })
const spec = (await first.invoke('recipe:list', undefined))[0]!
const region = { x: 20_000, y: 20_000, width: 600, height: 600 }
await first.invoke('run:start', { slideId, region, recipe: defaultRecipe(spec), purpose: 'run' })
const small = await doneRun(first)
const { keptId } = await first.invoke('project:keep', { runId: small.runId })
await first.close()
const documents = join(settingsDir, 'documents')
const project = join(
  documents,
  (await readdir(documents)).find((name) => name.endsWith('.morphoscope'))!,
)
const { grid } = await keptHead(project, keptId)
const across = Math.ceil(Math.sqrt(wanted))
const pitch = Math.floor((Math.min(grid.widthPx, grid.heightPx) - 16) / across)
const made = (n: number): Plain => {
  const [x, y] = [(n % across) * pitch + 2, Math.floor(n / across) * pitch + 2]
  const side = 4 + ((n * 7919) % 9)
  const at: Record<string, number> = {
    ...{ firstX: x, firstY: y, minX: x, minY: y, maxX: x + side - 1, maxY: y + side - 1, area: side * side },
    ...{ centroidX: x + side / 2, centroidY: y + side / 2, perimeter: 4 * side, solidity: 1, majorAxis: side, minorAxis: side },
    stain1Mean: ((n * 104_729) % 1000) / 1000,
  }
  return {
    value: (field) => at[field] ?? 0,
    runs: Int32Array.from(Array.from({ length: side }, (_, row) => [y + row, x, x + side]).flat()),
  }
}
function* all(): Generator<Plain> {
  for (let n = 0; n < wanted; n++) yield made(n)
}
say('written, with its fsync', await keepInstead(project, keptId, all()))

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
/** Of JavaScript's, with the arrays that objects lie in. */
const heldBytes = (): number => {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
const heldBefore = heldBytes()
const engine = engineThere()
let from = performance.now()
const opened = await engine.invoke('slide:open', { path: slide })
await engine.invoke('project:state', { slideId: opened.slideId })
say('slide and document open', performance.now() - from)
const { runId, objects, state, error } = await doneRun(engine)
say(`its ${objects} objects are there (${state}${error ? `: ${error.message}` : ''})`, performance.now() - from)
console.log(`${((heldBytes() - heldBefore) / objects).toFixed(0)} bytes an object in memory, with the slide’s overview`)
// What the page colours by any measurement: tiles carry the numbers, so that another colour asks for nothing.
const announced = await engine.invoke('run:tiles', { runId })
const field = announced.filter(({ level, x, y }) => level === 0 && x >= 100 && x < 106 && y >= 100 && y < 104)
await timed(`the ${field.length} result tiles of a field of view`, () =>
  Promise.all(field.map(({ level, x, y, revision }) => engine.tile(tilePaths.objects(runId, revision, level, x, y)))),
)
const request: TableRequest = { runId, filter: '', brush: null, sort: null, describe: 'area' }
await timed('table, the first time', () => engine.invoke('table:view', request))
await timed('sorted', () => engine.invoke('table:view', { ...request, sort: { column: 'area', descending: true } }))
const side = pitch * across * grid.scale
const tenth = { kind: 'rectangle', x: 0, y: 0, width: side, height: side / 10 } as const
const { view } = await timed('a plot’s box, as a view', () =>
  engine.invoke('table:view', {
    ...request,
    box: { x: 'area', xLow: 20, xHigh: 100, y: 'stain1Mean', yLow: 0.1, yHigh: 0.9 },
  }),
)
const plot = () => engine.tile(tilePaths.scatter(runId, view, 'area', 'stain1Mean', false, false))
await timed('the plot of two columns, the first time', plot)
const { body } = await timed('the plot again', plot)
say('KiB of the plot', body.byteLength / 1024)
await timed('a histogram of another column', () => engine.invoke('table:view', { ...request, describe: 'stain1Mean' }))
const lassoed = await timed('a tenth counted by a lasso', () =>
  engine.invoke('object:count', { runId, choice: { shape: tenth } }),
)
console.log(`${lassoed.objects} objects`)
const edit = { runId, choice: { shape: tenth }, edit: { type: 'delete' } } as const
const deleted = await timed('a tenth deleted (shape to disk, marks, counts)', () => engine.invoke('object:edit', edit))
console.log(deleted.name)
await timed('undone', () => engine.invoke('project:undo', undefined))
await timed('done again', () => engine.invoke('project:redo', undefined))
await timed('table after', () => engine.invoke('table:view', request))
const filter = await timed('filtered', () => engine.invoke('table:view', { ...request, filter: 'area > 4' }))
await timed(`${filter.rows} rows classified`, () =>
  engine.invoke('object:edit', { runId, choice: { view: filter.view }, edit: { type: 'classify', classId: 'tumour' } }),
)
await timed('three limits', () =>
  engine.invoke('object:rule', { runId, rule: { column: 'stain1Mean', limits: [0.2, 0.4, 0.6] } }),
)
await timed('undone', () => engine.invoke('project:undo', undefined))
await engine.close()
from = performance.now()
const again = engineThere()
const { slideId: last } = await again.invoke('slide:open', { path: slide })
await again.invoke('project:state', { slideId: last })
say('slide and document open again', performance.now() - from)
await doneRun(again)
say('its objects are there, as they were left', performance.now() - from)
await again.close()
