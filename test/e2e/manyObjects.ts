// Makes a slide of one piece of tissue again and again, and a project that holds a run of it: real objects, each where its nucleus is.
//   node manyObjects.mjs FOLDER OBJECTS SETTINGS ASSETS
// FOLDER gets many.tif and Many.morphoscope. A process of its own, as the engine always has.
import { join } from 'node:path'
import sharp from 'sharp'
import { createEngine, defaultRecipe } from '../../main/engine'
import { keepInstead, keptObjects } from '../main/mirrored'
import { moved } from '../main/packing'

const [folder = '', wanted = '', settingsDir = '', assetsDir = ''] = process.argv.slice(2)
const sample = join(assetsDir, 'samples', 'CMU-1-Small-Region.svs')
const side = 1000
const piece = await sharp(sample).extract({ left: 600, top: 1300, width: side, height: side }).toBuffer()
const slide = join(folder, 'many.tif')
const engine = createEngine({ settingsDir, assetsDir, shell: 'serve', dialogs: false, version: '0.0.0', log: console.error })
const recipe = defaultRecipe((await engine.invoke('recipe:list', undefined))[0]!)

// As many pieces a side as hold the objects that are wanted: some 950 in each do not touch its rim.
const times = Math.ceil(Math.sqrt(Number(wanted) / 900))
await sharp(piece, { limitInputPixels: false })
  .extend({ right: (times - 1) * side, bottom: (times - 1) * side, extendWith: 'repeat' })
  .tiff({ tile: true, tileWidth: 256, tileHeight: 256, pyramid: true, compression: 'jpeg', quality: 80, xres: 2000, yres: 2000 })
  .toFile(slide)
const { slideId } = await engine.invoke('slide:open', { path: slide })
const region = { x: 0, y: 0, width: side, height: side }
const { runId } = await engine.invoke('run:start', { slideId, region, recipe, purpose: 'run', mpp: 0.5 })
for (;;) {
  const { state } = await engine.invoke('run:status', { runId })
  if (state === 'done') break
  if (state !== 'queued' && state !== 'running') throw new Error(`the run of one piece ended as ${state}`)
  await new Promise((resolve) => setTimeout(resolve, 5))
}
const { keptId } = await engine.invoke('project:keep', { runId })
const project = join(folder, 'Many.morphoscope')
await engine.invoke('project:save', { path: project })
await engine.close()

const inside = (await keptObjects(project, keptId)).filter(
  ({ value }) => value('minX') > 0 && value('minY') > 0 && value('maxX') < side - 1 && value('maxY') < side - 1,
)
const all = []
for (let y = 0; y < times; y++) for (let x = 0; x < times; x++) all.push(...moved(inside, x * side, y * side))
all.length = Math.min(all.length, Number(wanted))
all.sort((a, b) => a.value('firstY') - b.value('firstY'))
await keepInstead(project, keptId, all)
console.log(JSON.stringify({ objects: all.length, times }))
