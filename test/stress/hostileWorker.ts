// Opens mutants through the real engine in a process of its own: what a mutant does to it is what it would do to the program.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createEngine, defaultRecipe } from '../../main/engine'
import { readImageFile } from '../../main/imageFiles'
import { mutate, pick, randomOf } from './mutate.mjs'

interface Setup {
  folder: string
  assets: string
  seed: number
}
export interface Seed {
  name: string
  /** What is opened; the others lie beside it and are damaged as well. */
  path: string
  companions: string[]
  op: boolean
}
type Answer = { n: number; outcome: string; ms: number }

const setup = JSON.parse(process.argv[2]!) as Setup
const seeds = JSON.parse(process.argv[3]!) as Seed[]
mkdirSync(setup.folder, { recursive: true })
const engine = createEngine({
  settingsDir: join(setup.folder, 'settings'),
  assetsDir: setup.assets,
  shell: 'cli',
  dialogs: false,
  version: 'stress',
  log: () => undefined,
})

/** Writes mutant `n` and says which path to open. */
function make(n: number): { path: string; seed: Seed } {
  const random = randomOf(setup.seed * 1_000_003 + n)
  const seed = seeds[n % seeds.length]!
  const folder = join(setup.folder, 'mutant')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const files = [seed.path, ...seed.companions]
  const target = pick(random, files.length > 1 ? files.slice(seed.path.endsWith('.mrxs') ? 1 : 0) : files)
  for (const file of files) {
    const to = join(folder, file.slice(dirname(seed.path).length + 1))
    mkdirSync(dirname(to), { recursive: true })
    if (file === target) {
      if (files.length > 1 && random() < 0.03) continue // a companion that is not there
      writeFileSync(to, mutate(readFileSync(file), random))
    } else cpSync(file, to)
  }
  return { path: join(folder, basename(seed.path)), seed }
}

/** Each request is timed by itself. */
const step = (): void => void process.send!('step')
const codeOf = (error: unknown): string => (error as { code?: string }).code ?? String(error)

async function tryOne(n: number): Promise<string> {
  const { path, seed } = make(n)
  if (seed.op) {
    try {
      await readImageFile(path)
      return 'opened'
    } catch (error) {
      return codeOf(error)
    }
  }
  let slide
  try {
    slide = await engine.invoke('slide:open', { path })
  } catch (error) {
    return codeOf(error)
  }
  const { slideId, viewer, widthPx, heightPx, associatedImages } = slide
  const at = (k: number, fx: number, fy: number): string => {
    const across = Math.ceil(widthPx / 2 ** k / viewer.tileSizePx)
    const down = Math.ceil(heightPx / 2 ** k / viewer.tileSizePx)
    return `${k}/${Math.floor((across - 1) * fx)}_${Math.floor((down - 1) * fy)}`
  }
  const urls = [
    `/tile/slide/${slideId}/${at(viewer.maxLevel, 0, 0)}`,
    `/tile/slide/${slideId}/${at(Math.max(0, viewer.maxLevel - 2), 0.5, 0.5)}`,
    `/tile/slide/${slideId}/${at(0, 0.5, 0.5)}`,
    `/tile/slide/${slideId}/${at(0, 1, 1)}`,
    `/tile/stain/${slideId}/h-e/0/${at(Math.min(1, viewer.maxLevel), 0.3, 0.7)}`,
    ...associatedImages.slice(0, 2).map((name) => `/tile/associated/${slideId}/${encodeURIComponent(name)}`),
  ]
  const statuses: number[] = []
  for (const url of urls) {
    step()
    statuses.push((await engine.tile(url)).status)
  }
  if (n % 4 === 0) {
    // A click takes the overview that adapts thresholds to the slide, and runs a window.
    step()
    const recipe = defaultRecipe((await engine.invoke('recipe:list', undefined))[0]!)
    await engine
      .invoke('object:segment', { slideId, recipe, x: widthPx / 2, y: heightPx / 2, mpp: 0.5 })
      .catch((error: unknown) => statuses.push(codeOf(error) === 'INTERNAL' ? 599 : 0))
  }
  await engine.invoke('slide:close', { slideId })
  if (statuses.includes(599)) return 'INTERNAL'
  return statuses.every((status) => status === 200) ? 'opened' : 'opened, some tiles refused'
}

process.on('message', (n: number) => {
  const begun = performance.now()
  void tryOne(n).then(
    (outcome) => process.send!({ n, outcome, ms: performance.now() - begun } satisfies Answer),
    (error: unknown) => process.send!({ n, outcome: `threw ${String(error)}`, ms: performance.now() - begun } satisfies Answer),
  )
})
process.send!('ready')
