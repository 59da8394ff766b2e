// A process that opens hostile project folders, one after the other, and does with each what a user would: a line of JSON for each.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createEngine, defaultRecipe } from '../../../main/engine'
import { Projects } from '../../../main/project/projects'
import { KeptObjects } from '../../../main/run/kept'
import { hashOf, hostileCopy, makeSentinels } from './hostileProjects'

const [work = '', assetsDir = '', sample = '', first = '1', count = '1'] = process.argv.slice(2)
const good = join(work, 'good.morphoscope')
const sentinels = join(work, 'sentinels')

/** A project with a bit of everything. */
async function makeGood(): Promise<void> {
  const engine = createEngine({
    settingsDir: join(work, 'settings'),
    assetsDir,
    shell: 'serve',
    dialogs: false,
    version: '0.0.0',
    log: () => undefined,
  })
  const { slideId } = await engine.invoke('slide:open', { path: sample })
  const { slide } = await engine.invoke('project:state', { slideId })
  const region = (x: number) => ({
    ...{ id: randomUUID(), slide: slide!, name: `R${x}`, classId: 'tumour', locked: false, createdAt: '2026-01-01T00:00:00Z' },
    ...{ shape: { kind: 'rectangle' as const, x, y: 0, width: 300, height: 300 }, madeBy: 'hand' as const },
  })
  for (let x = 0; x < 5; x++)
    await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions: [region(x)] } })
  const ended = new Promise<string>((resolve) =>
    engine.onEvent((event) => event.type === 'run:end' && resolve(event.status.runId)),
  )
  const recipe = defaultRecipe((await engine.invoke('recipe:list', undefined))[0]!)
  await engine.invoke('run:start', { slideId, region: { x: 0, y: 0, width: 400, height: 400 }, recipe, purpose: 'run' })
  const runId = await ended
  await engine.invoke('object:edit', { runId, choice: { ids: [1, 2] }, edit: { type: 'delete' } })
  await engine.invoke('project:undo', undefined)
  await engine.invoke('project:save', { path: good })
  await engine.close()
}

makeSentinels(sentinels)
if (!existsSync(good)) await makeGood()
let before = hashOf(sentinels)
let most = 0
const watching = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20)
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  const folder = join(work, `v${process.pid}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const project = join(folder, 'x.morphoscope')
  const did = hostileCopy(good, project, sentinels, seed)
  process.stdout.write(`${JSON.stringify({ seed, did })}\n`)
  const linked = hashOf(sentinels)
  const started = performance.now()
  most = process.memoryUsage().rss
  const said = await used(project, join(folder, 'saved.morphoscope'))
  const ms = Math.round(performance.now() - started)
  most = Math.max(most, process.memoryUsage().rss)
  const touched = hashOf(sentinels) !== linked
  rmSync(folder, { recursive: true, force: true })
  // A planted link may have let the planting itself write there.
  if (hashOf(sentinels) !== before) {
    rmSync(sentinels, { recursive: true })
    makeSentinels(sentinels)
    before = hashOf(sentinels)
  }
  process.stdout.write(`${JSON.stringify({ seed, ms, mib: Math.round(most / 2 ** 20), touched, said })}\n`)
}
clearInterval(watching)

/** What became of it: 'ok', or the first refusal's words. */
async function used(path: string, copy: string): Promise<string> {
  const words: string[] = []
  const projects = new Projects(
    { directory: null, program: 'test' },
    () => undefined,
    () => undefined,
  )
  const tried = async (work: () => Promise<unknown>): Promise<void> => {
    await work().catch((error: unknown) => words.push(error instanceof Error ? error.message : String(error)))
  }
  await tried(() => projects.open(path))
  if (words.length === 0) {
    const [run] = projects.content.runs.keys()
    await tried(() => projects.state(null))
    await tried(() => projects.slideList())
    await tried(() => projects.undo())
    await tried(() => projects.redo())
    await tried(() => projects.redo())
    await tried(() => projects.do({ type: 'classes:set', classes: [...projects.content.classes] }, null))
    const file = run === undefined ? null : projects.fileOf(run)
    if (run !== undefined && file !== null)
      await tried(async () => {
        const kept = await KeptObjects.open(file, run)
        for await (const _ of kept.windows(kept.head.grid)) await Promise.resolve()
      })
    if (run !== undefined) await tried(() => projects.drop(run))
    await tried(() => projects.save(copy))
  }
  await tried(() => projects.close())
  return words[0]?.replaceAll(path, 'PROJECT') ?? 'ok'
}
