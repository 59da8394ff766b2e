// What a slider costs the engine, by stage: from run:start to the first changed tile and to the whole field of 1280 × 800 px, in wall and CPU time.
//   npx esbuild test/bench/tuning_bench.ts --bundle --platform=node --format=esm --packages=external --outfile=dist/tuning_bench.mjs
//   MORPHOSCOPE_ADDON=build/native/morphoscope.node node dist/tuning_bench.mjs [SLIDE [RECIPE [MPP]]]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { isOver } from '../../app/contract'
import type { Recipe, RunStatus } from '../../app/contract'
import { createEngine, defaultRecipe } from '../../main/engine'

const repeats = 30
const [slidePath = 'assets/samples/CMU-1-Small-Region.svs', recipeId = 'he-nuclei', mpp] = process.argv.slice(2)
const path = resolve(slidePath)
const settingsDir = await mkdtemp(join(tmpdir(), 'morphoscope-tuning-'))
const engine = createEngine({
  assetsDir: resolve('assets'),
  settingsDir,
  version: '0.0.0',
  shell: 'cli',
  dialogs: false,
  log: () => undefined,
})
try {
  const slide = await engine.invoke('slide:open', { path, ...(mpp && { mpp: Number(mpp) }) })
  const spec = (await engine.invoke('recipe:list', undefined)).find(({ id }) => id === recipeId)!
  // In the middle, or of the bundled slide where it has tissue.
  const [width, height] = [Math.min(1280, slide.widthPx), Math.min(800, slide.heightPx)]
  const corner = process.argv[2] ? { x: (slide.widthPx - width) >> 1, y: (slide.heightPx - height) >> 1 } : { x: 512, y: 1024 }
  const region = { ...corner, width, height }
  const recipe = defaultRecipe(spec)
  const preview = async (changed: Recipe) => {
    let first = Number.NaN
    const begun = performance.now()
    const cpu = process.cpuUsage()
    const done = new Promise<RunStatus>((resolve) => {
      const off = engine.onEvent((event) => {
        if (event.type === 'run:tiles' && Number.isNaN(first)) first = performance.now() - begun
        if (event.type !== 'run:end' || !isOver(event.status)) return
        off()
        resolve(event.status)
      })
    })
    await engine.invoke('run:start', { slideId: slide.slideId, region, recipe: changed, purpose: 'preview' })
    const status = await done
    const { user, system } = process.cpuUsage(cpu)
    const stages = [...new Set(status.timings.filter(({ kept }) => !kept).map(({ stage }) => stage))]
    return {
      first,
      field: performance.now() - begun,
      cpu: (user + system) / 1000,
      stages: stages.join(' '),
      objects: status.objects,
    }
  }
  await preview(recipe)
  const rows = []
  for (const [stage, param, from, step] of [
    ['channel', 'smoothing', 0.3, 0.01],
    ['threshold', 'level', 0.9, 0.01],
    ['split', 'depth', 0.2, 0.01],
    ['objects', 'minArea', 8, 0.5],
  ] as const) {
    const results = []
    for (let n = 0; n < repeats; n++) {
      const params = { ...recipe.params, [stage]: { ...recipe.params[stage], [param]: from + n * step } }
      results.push(await preview({ ...recipe, params }))
    }
    // The first of them had other stages changed back.
    const own = results.slice(1)
    const figure = (key: 'first' | 'field' | 'cpu', share: number) =>
      Math.round(own.map((result) => result[key]).sort((a, b) => a - b)[Math.floor(share * (own.length - 1))]!)
    rows.push({
      slider: `${stage}.${param}`,
      'first tile, median ms': figure('first', 0.5),
      'worst of 29': figure('first', 1),
      'field, median ms': figure('field', 0.5),
      'field, worst': figure('field', 1),
      'CPU ms': figure('cpu', 0.5),
      computed: own.at(-1)!.stages,
    })
  }
  console.table(rows)
} finally {
  await engine.close()
  await rm(settingsDir, { recursive: true, force: true })
}
