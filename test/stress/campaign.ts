// Opens and previews over and over in one engine: what the process holds after each round, for npm test (few) and by hand (all).
import { readdir } from 'node:fs/promises'
import { createEngine, defaultRecipe } from '../../main/engine'
import type { Engine } from '../../main/engine'

export interface Round {
  rssMiB: number
  heapMiB: number
  descriptors: number
}

export interface Campaign {
  slides: readonly string[]
  assetsDir: string
  settingsDir: string
  opens: number
  previews: number
  /** So often the process is looked at, evenly. */
  rounds: number
}

async function round(): Promise<Round> {
  ;(globalThis as { gc?: () => void }).gc?.()
  await new Promise((resolve) => setTimeout(resolve, 100))
  const { rss, heapUsed } = process.memoryUsage()
  const descriptors = await readdir('/proc/self/fd').then(
    (names) => names.length,
    () => 0,
  )
  return { rssMiB: Math.round(rss / 2 ** 20), heapMiB: Math.round(heapUsed / 2 ** 20), descriptors }
}

async function previewed(engine: Engine, path: string, n: number): Promise<void> {
  const slide = await engine.invoke('slide:open', { path })
  const recipe = defaultRecipe((await engine.invoke('recipe:list', undefined))[0]!)
  const side = 500
  const x = (n * 331) % Math.max(1, slide.widthPx - side)
  const y = (n * 197) % Math.max(1, slide.heightPx - side)
  const ended = new Set<string>()
  let wake = (): void => undefined
  const off = engine.onEvent((event) => {
    if (event.type !== 'run:end') return
    ended.add(event.status.runId)
    wake()
  })
  const region = { x, y, width: side, height: side }
  const { runId } = await engine.invoke('run:start', { slideId: slide.slideId, region, recipe, purpose: 'preview' })
  while (!ended.has(runId)) await new Promise<void>((resolve) => (wake = resolve))
  off()
  await engine.tile(`/tile/objects/${runId}/1/2/0_0`)
  await engine.invoke('slide:close', { slideId: slide.slideId })
}

/** After each round of opens, then after each round of previews. */
export async function campaign({
  slides,
  assetsDir,
  settingsDir,
  opens,
  previews,
  rounds,
}: Campaign): Promise<Record<'opens' | 'previews', Round[]>> {
  const engine = createEngine({ settingsDir, assetsDir, shell: 'cli', dialogs: false, version: '0', log: () => undefined })
  const found: Record<'opens' | 'previews', Round[]> = { opens: [], previews: [] }
  try {
    for (let n = 0; n < opens; n++) {
      const { slideId } = await engine.invoke('slide:open', { path: slides[n % slides.length]! })
      await engine.tile(`/tile/slide/${slideId}/0/0_0`)
      await engine.invoke('slide:close', { slideId })
      if ((n + 1) % Math.ceil(opens / rounds) === 0) found.opens.push(await round())
    }
    for (let n = 0; n < previews; n++) {
      await previewed(engine, slides[n % slides.length]!, n)
      if ((n + 1) % Math.ceil(previews / rounds) === 0) found.previews.push(await round())
    }
  } finally {
    await engine.close()
  }
  return found
}
