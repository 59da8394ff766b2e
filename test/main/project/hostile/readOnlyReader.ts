// A process that may only read a project: it opens it, tries to change it, and saves it under another name. A line of JSON. Root becomes nobody.
import { join } from 'node:path'
import { createEngine, defaultRecipe } from '../../../../main/engine'
import { openDatabase } from '../../../../main/project/lock'

const [folder = '', own = '', assetsDir = '', slidePath = ''] = process.argv.slice(2)

/** Its libraries are loaded as whoever may read them. */
openDatabase(':memory:').close()
const engine = createEngine({
  ...{ settingsDir: join(own, 'settings'), assetsDir, shell: 'serve', dialogs: false, version: '0', log: () => undefined },
})
const recipe = defaultRecipe((await engine.invoke('recipe:list', undefined))[0]!)
if (process.getuid!() === 0) {
  const nobody = 65_534
  process.setgroups!([])
  process.setgid!(nobody)
  process.setuid!(nobody)
}

const told = async (name: string, arg: unknown): Promise<unknown> => {
  const started = performance.now()
  const result = await engine.call(name, arg)
  return result.ok ? { value: result.value } : { ...result.error, ms: Math.round(performance.now() - started) }
}
const opened = await told('project:open', { path: folder })
const state = await engine.invoke('project:state', { slideId: null })
const [slide] = state.slides
const classes = { command: { type: 'classes:set', classes: [] }, slideId: null }
const run = { slides: [{ key: slide!.key, path: slidePath }], recipe, again: false, carry: false }
const refused = {
  do: await told('project:do', classes),
  undo: await told('project:undo', undefined),
  add: await told('project:addFile', { path: slidePath }),
  remove: await told('project:remove', { key: slide!.key }),
  run: await told('cohort:run', run),
}
const copy = join(own, 'copy.morphoscope')
const saved = await told('project:save', { path: copy })
const after = {
  trouble: (await engine.invoke('project:state', { slideId: null })).trouble,
  undo: await told('project:undo', undefined),
}
process.stdout.write(JSON.stringify({ opened, state, refused, saved, after }))
await engine.close()
