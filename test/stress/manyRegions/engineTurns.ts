// Bundled and run by regionCost.test.ts in a process of its own, as the engine always has one: what many regions beside many objects cost it.
//   node engineTurns.mjs FOLDER REGIONS OBJECTS ASSETS
// FOLDER holds many.tif and Many.morphoscope, where there are objects. Prints one line of JSON.
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createEngine } from '../../../main/engine'
import { manyRegions } from './regionsFile'
import { watchedTurns } from './turns'

const [folder = '', regionsAsked = '', objectsAsked = '', assetsDir = ''] = process.argv.slice(2)
const [count, objects] = [Number(regionsAsked), Number(objectsAsked)]
const profiled = process.env['PROFILE'] === '1'
const only = process.env['ONLY']?.split(',')
const settingsDir = join(folder, 'settings')
const engine = createEngine({ settingsDir, assetsDir, shell: 'serve', dialogs: false, version: '0.0.0', log: () => undefined })
const said: Record<string, unknown> = {}
let told = 0
engine.onEvent((event) => {
  if (event.type === 'document:changed') told += JSON.stringify(event).length
})

function holds(what: string, is: unknown, wanted: unknown): void {
  if (is !== wanted) throw new Error(`${what}: ${String(is)}, not ${String(wanted)}`)
}

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, 50))
  const watch = watchedTurns(profiled)
  told = 0
  const from = performance.now()
  const value = await work()
  const ms = Math.round(performance.now() - from)
  const { stacks, ...watched } = await watch.end()
  said[name] = { ms, ...watched, told }
  if (stacks.length > 0 && (!only || only.includes(name))) console.error(`\n== ${name}\n${stacks.join('\n')}`)
  return value
}

/** The run that the project holds, once its objects are there. */
async function restored(slideId: string): Promise<string[]> {
  const statuses = await engine.invoke('project:restore', { slideId })
  const runIds = statuses.map(({ runId }) => runId)
  for (const runId of runIds)
    while ((await engine.invoke('run:status', { runId })).state !== 'done')
      await new Promise((resolve) => setTimeout(resolve, 20))
  holds('objects', (await engine.invoke('run:status', { runId: runIds[0]! })).objects, objects)
  return runIds
}

try {
  if (objects > 0) await engine.invoke('project:open', { path: join(folder, 'Many.morphoscope') })
  const path = objects > 0 ? join(folder, 'many.tif') : join(assetsDir, 'samples', 'CMU-1-Small-Region.svs')
  const info = await engine.invoke('slide:open', { path })
  const { slideId } = info
  const runIds = objects > 0 ? await restored(slideId) : []
  // The whole slide in one tile, as a window asks for it first: so what pictures need is loaded before anybody can import.
  const farthest = Math.ceil(Math.log2(Math.max(info.widthPx, info.heightPx) / info.viewer.tileSizePx))
  holds('tile', (await engine.tile(`/tile/slide/${slideId}/${farthest}/0_0`)).status, 200)
  // In one piece, as it comes from a page.
  const text = Buffer.from(manyRegions(count, info)).toString('latin1')
  const imported = await timed('import', () => engine.invoke('project:import', { slideId, text }))
  holds('imported', imported.added, count)
  const state = await timed('state', () => engine.invoke('project:state', { slideId }))
  holds('regions', state.regions.length, count)
  // As a window asks.
  await timed('state in parts', async () => {
    const { more, regions } = await engine.invoke('project:state', { slideId, parts: true })
    let from = regions.length
    for (let isLast = more === undefined; !isLast;) {
      const part = await engine.invoke('project:more', { more: more!, from })
      from += part.regions.length
      isLast = part.isLast
    }
    holds('regions in parts', from, count)
  })
  await timed('undo import', () => engine.invoke('project:undo', undefined))
  await timed('redo import', () => engine.invoke('project:redo', undefined))
  const one = state.regions[count >> 1]!
  for (const name of ['first', 'second', 'third'])
    await timed(`edit ${name}`, () =>
      engine.invoke('project:do', { slideId, command: { type: 'regions:change', changes: [{ id: one.id, name }] } }),
    )
  await timed('measure one', () => engine.invoke('project:measure', { runIds, key: state.slide!, ids: [one.id] }))
  await timed('undo', () => engine.invoke('project:undo', undefined))
  await timed('delete', () => engine.invoke('project:do', { slideId, command: { type: 'regions:delete', ids: [one.id] } }))
  await timed('undo delete', () => engine.invoke('project:undo', undefined))
  await timed('measure all', () => engine.invoke('project:measure', { runIds, key: state.slide! }))
  const exported: string[] = []
  await timed('export', async () => {
    const { texts, more } = await engine.invoke('project:exportParts', { key: state.slide!, ids: null })
    exported.push(...texts)
    for (let isLast = more === undefined; !isLast;) {
      const part = await engine.invoke('project:more', { more: more!, from: exported.length })
      exported.push(...part.texts)
      isLast = part.isLast
    }
  })
  holds('features', (JSON.parse(exported.join('')) as { features: unknown[] }).features.length, count)
  await timed('summary', () => engine.invoke('project:slides', undefined))
  for (const runId of runIds)
    await timed('files', () =>
      engine.invoke('export:start', { runId, directory: join(folder, 'files'), files: ['run.json', 'objects.csv'] }),
    )
  const shape = { kind: 'rectangle', x: 0, y: 0, width: 300, height: 300 } as const
  await timed('stroke', () =>
    engine.invoke('project:do', { slideId, command: { type: 'regions:combine', id: one.id, how: 'add', shape } }),
  )
} finally {
  await engine.close()
}
console.log(JSON.stringify(said))
