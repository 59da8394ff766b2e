// A process that makes the project from which hostile ones are planted. It has ended before they are: so nothing of it is still open.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createEngine, defaultRecipe } from '../../../../main/engine'

const [work = '', assetsDir = '', sample = ''] = process.argv.slice(2)

// A project with a bit of everything.
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
for (let x = 0; x < 5; x++) await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions: [region(x)] } })
const ended = new Promise<string>((resolve) => engine.onEvent((event) => event.type === 'run:end' && resolve(event.status.runId)))
const recipe = defaultRecipe((await engine.invoke('recipe:list', undefined))[0]!)
await engine.invoke('run:start', { slideId, region: { x: 0, y: 0, width: 400, height: 400 }, recipe, purpose: 'run' })
const runId = await ended
await engine.invoke('object:edit', { runId, choice: { ids: [1, 2] }, edit: { type: 'delete' } })
await engine.invoke('project:undo', undefined)
await engine.invoke('project:save', { path: join(work, 'good.morphoscope') })
await engine.close()
