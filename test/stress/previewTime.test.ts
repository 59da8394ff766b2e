// How long a preview of a screen takes: to its first tile, and until it is complete. Figures by hand:
//   UV_THREADPOOL_SIZE=6 FIELD=1920x1080 npx vitest run --config test/stress/vitest.config.ts previewTime
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { it } from 'vitest'
import { createEngine, defaultRecipe } from '../../main/engine'

const assetsDir = fileURLToPath(new URL('../../assets', import.meta.url))
const path = process.env['SLIDE'] ?? join(assetsDir, 'samples', 'CMU-1-Small-Region.svs')
const [width, height] = (process.env['FIELD'] ?? '1920x1080').split('x').map(Number) as [number, number]
const changes = Number(process.env['CHANGES'] ?? 8)

const middle = (values: number[]): number => Math.round(values.sort((a, b) => a - b)[values.length >> 1]!)

it('first tile and the whole field, of every recipe', async () => {
  const settingsDir = await mkdtemp(join(tmpdir(), 'preview-'))
  const engine = createEngine({ settingsDir, assetsDir, shell: 'cli', dialogs: false, version: '0', log: () => undefined })
  const slide = await engine.invoke('slide:open', { path })
  const region = { x: (slide.widthPx - width) >> 1, y: (slide.heightPx - height) >> 1, width, height }
  const found: Record<string, unknown> = {}
  for (const spec of await engine.invoke('recipe:list', undefined)) {
    const recipe = defaultRecipe(spec)
    const first: number[] = []
    const all: number[] = []
    let computed = 0
    let objects = 0
    for (let n = 0; n <= changes; n++) {
      // As a slider does: a value that no kept tile has.
      for (const values of Object.values(recipe.params)) {
        if (typeof values['minArea'] === 'number') values['minArea'] += 0.001
      }
      const begun = performance.now()
      let firstAt = 0
      let ends: (objects: number) => void = () => undefined
      const ended = new Promise<number>((resolve) => (ends = resolve))
      const off = engine.onEvent((event) => {
        if (event.type === 'run:tiles' && firstAt === 0) firstAt = performance.now()
        if (event.type === 'run:end') {
          computed = event.status.timings.find(({ stage: name }) => name === 'read')?.megapixels ?? 0
          ends(event.status.objects)
        }
      })
      await engine.invoke('run:start', { slideId: slide.slideId, region, recipe, purpose: 'preview' })
      objects = await ended
      off()
      // The first waits for the slide's overview.
      if (n > 0) first.push(firstAt - begun)
      if (n > 0) all.push(performance.now() - begun)
    }
    found[spec.id] = { firstMs: middle(first), completeMs: middle(all), computedMpx: computed.toFixed(2), objects }
  }
  console.log(`${width} × ${height} px, medians of ${changes}`, found)
  await engine.close()
})
