// How long tiles of the slide and of the overlay take at rest and beside a run of the whole slide. Figures by hand:
//   UV_THREADPOOL_SIZE=6 SLIDE=/path/to/slide.svs npx vitest run --config test/stress/vitest.config.ts tileLatency
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { it } from 'vitest'
import { tilePaths } from '../../app/contract'
import { createEngine, defaultRecipe } from '../../main/engine'

const assetsDir = fileURLToPath(new URL('../../assets', import.meta.url))
const path = process.env['SLIDE'] ?? join(assetsDir, 'samples', 'CMU-1-Small-Region.svs')
const seconds = Number(process.env['SECONDS'] ?? 12)

it('at rest and beside a run', async () => {
  const settingsDir = await mkdtemp(join(tmpdir(), 'latency-'))
  const engine = createEngine({ settingsDir, assetsDir, shell: 'cli', dialogs: false, version: '0', log: () => undefined })
  const slide = await engine.invoke('slide:open', { path })
  const recipe = defaultRecipe((await engine.invoke('recipe:list', undefined))[0]!)
  const size = slide.viewer.tileSizePx
  const columns = Math.floor(slide.widthPx / size)
  const rows = Math.floor(slide.heightPx / size)
  let n = 0
  const next = (): [number, number] => {
    // Each place once: a kept tile says nothing.
    n += 1
    const place = (n * 613) % (columns * rows)
    return [place % columns, Math.floor(place / columns)]
  }
  const kinds = {
    picture: () => tilePaths.slide(slide.slideId, 0, ...next()),
    stain: () => tilePaths.stain(slide.slideId, 'h-e', 0, 0, ...next()),
    overlay: (runId: string) => tilePaths.objects(runId, 1, 0, ...next()),
  }
  const measured = async (runId: string | null): Promise<object> => {
    const found: Record<string, number[]> = {}
    const until = performance.now() + seconds * 1000
    while (performance.now() < until) {
      for (const [kind, url] of Object.entries(kinds)) {
        if (kind === 'overlay' && !runId) continue
        const begun = performance.now()
        // As a page asks: several at once.
        const replies = await Promise.all([1, 2, 3, 4].map(() => engine.tile(url(runId ?? ''))))
        if (replies.some(({ status }) => status !== 200)) throw new Error(`${kind}: ${replies[0]!.status}`)
        ;(found[kind] ??= []).push(performance.now() - begun)
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const at = (values: number[], share: number): number =>
      Math.round(values.sort((a, b) => a - b)[Math.floor(values.length * share)]!)
    return Object.fromEntries(
      Object.entries(found).map(([kind, values]) => [kind, `${at(values, 0.5)} / ${at(values, 0.95)} (${values.length})`]),
    )
  }
  const rest = await measured(null)
  const { runId } = await engine.invoke('run:start', { slideId: slide.slideId, region: 'whole', recipe, purpose: 'run' })
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const beside = await measured(runId)
  const status = await engine.invoke('run:cancel', { runId })
  console.log('p50 / p95 of four tiles at once, ms (times)', {
    rest,
    beside,
    megapixelsPerSecond: status.megapixelsPerSecond,
    tilesDone: status.tilesDone,
  })
  await engine.close()
})
