// A click on nuclei that somebody outlined: how many of the outlines that come back are theirs (IoU of 0.7 and more).
//   npx esbuild test/bench/quality_clicks.ts --bundle --platform=node --format=esm --packages=external --outfile=dist/quality_clicks.mjs
//   node dist/quality_clicks.mjs TILES RECIPE MPP [--beside] [--clicks N] NAME…        NAME.png and NAME_inst.png in TILES; 50 nuclei of all of them together.
// --beside: clicked elsewhere in the nucleus, at half of the way from its middle to its pixel that is farthest.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createEngine, defaultRecipe } from '../../main/engine'
import { readImageFile } from '../../main/ops'

const enough = 0.7

const [tiles = '', recipeId = '', mpp = '', ...rest] = process.argv.slice(2)
const beside = rest.includes('--beside')
const clicks = rest.includes('--clicks') ? Number(rest[rest.indexOf('--clicks') + 1]) : 50
const names = rest.filter((word, i) => !word.startsWith('--') && rest[i - 1] !== '--clicks')
if (names.length === 0) throw new Error('expected TILES RECIPE MPP NAME…')
const settingsDir = mkdtempSync(join(tmpdir(), 'morphoscope-clicks-'))
const about = { shell: 'cli' as const, dialogs: false, version: '0.0.0', log: () => undefined }
const engine = createEngine({ settingsDir, assetsDir: resolve('assets'), ...about })

interface Nucleus {
  readonly label: number
  readonly pixels: number[]
}

/** In the order of their numbers, those that touch the image's edge apart. */
function nucleiOf(labels: ArrayLike<number>, width: number, height: number): Nucleus[] {
  const byLabel = new Map<number, number[]>()
  const cut = new Set<number>()
  for (let p = 0; p < width * height; p++) {
    const label = labels[p]!
    if (label === 0) continue
    const x = p % width
    if (x === 0 || x === width - 1 || p < width || p >= width * (height - 1)) cut.add(label)
    const own = byLabel.get(label)
    if (own) own.push(p)
    else byLabel.set(label, [p])
  }
  return [...byLabel]
    .filter(([label, { length }]) => !cut.has(label) && length >= 100)
    .sort(([a], [b]) => a - b)
    .map(([label, pixels]) => ({ label, pixels }))
}

/** The nucleus's pixel nearest to its centre: where a hand would click. */
function middle({ pixels }: Nucleus, width: number): { x: number; y: number } {
  const mean = (of: (p: number) => number): number => pixels.reduce((sum, p) => sum + of(p), 0) / pixels.length
  const cx = mean((p) => p % width)
  const cy = mean((p) => Math.floor(p / width))
  const far = (p: number): number => ((p % width) - cx) ** 2 + (Math.floor(p / width) - cy) ** 2
  const nearest = pixels.reduce((a, b) => (far(b) < far(a) ? b : a))
  const end = pixels.reduce((a, b) => (far(b) > far(a) ? b : a))
  const [hx, hy] = [(cx + (end % width)) / 2, (cy + Math.floor(end / width)) / 2]
  const fromHalf = (p: number): number => ((p % width) - hx) ** 2 + (Math.floor(p / width) - hy) ** 2
  const best = beside ? pixels.reduce((a, b) => (fromHalf(b) < fromHalf(a) ? b : a)) : nearest
  return { x: best % width, y: Math.floor(best / width) }
}

/** Pixels whose centres lie in an odd number of rings. */
function inside(rings: readonly (readonly (readonly [number, number])[])[], width: number, height: number): Set<number> {
  const found = new Set<number>()
  for (let y = 0; y < height; y++) {
    const crossings: number[] = []
    for (const ring of rings)
      for (const [i, [x0, y0]] of ring.entries()) {
        const [x1, y1] = ring[(i + 1) % ring.length]!
        if (y0 <= y + 0.5 !== y1 <= y + 0.5) crossings.push(x0 + ((y + 0.5 - y0) / (y1 - y0)) * (x1 - x0))
      }
    crossings.sort((a, b) => a - b)
    for (let k = 0; k + 1 < crossings.length; k += 2)
      for (let x = Math.max(0, Math.ceil(crossings[k]! - 0.5)); x < Math.min(width, crossings[k + 1]! - 0.5); x++)
        found.add(y * width + x)
  }
  return found
}

try {
  const specs = await engine.invoke('recipe:list', undefined)
  const recipe = defaultRecipe(specs.find(({ id }) => id === recipeId)!)
  let good = 0
  let goodAlone = 0
  const by = { recipe: 0, values: 0, path: 0, nothing: 0 }
  let asked = 0
  for (const [t, name] of names.entries()) {
    const { data, width, height } = await readImageFile(join(tiles, `${name}_inst.png`))
    const nuclei = nucleiOf(data, width, height)
    const share = Math.floor(clicks / names.length) + (t < clicks % names.length ? 1 : 0)
    const { slideId } = await engine.invoke('slide:open', { path: resolve(tiles, `${name}.png`), mpp: Number(mpp) })
    const found: number[] = []
    const alone: number[] = []
    for (let k = 0; k < share; k++) {
      const nucleus = nuclei[Math.floor(((k + 0.5) * nuclei.length) / share)]!
      const { x, y } = middle(nucleus, width)
      const at = { x: x + 0.5, y: y + 0.5 }
      const { object, outlined } = await engine.invoke('object:segment', { slideId, recipe, ...at, mpp: Number(mpp) })
      const iou = (of: typeof object): number => {
        const pixels = of ? inside(of.outline, width, height) : new Set<number>()
        const both = nucleus.pixels.filter((p) => pixels.has(p)).length
        return both / (nucleus.pixels.length + pixels.size - both)
      }
      alone.push(iou(object))
      found.push(iou(outlined?.object ?? object))
      by[outlined?.by ?? (object ? 'recipe' : 'nothing')] += 1
    }
    const here = found.filter((iou) => iou >= enough).length
    const recipes = alone.filter((iou) => iou >= enough).length
    const mean = (of: readonly number[]): string => (of.reduce((a, b) => a + b, 0) / share).toFixed(3)
    console.log(`${name}: ${here} of ${share}, mean IoU ${mean(found)}; the recipe's objects ${recipes}, ${mean(alone)}`)
    good += here
    goodAlone += recipes
    asked += share
  }
  console.log(`${good} of ${asked} with IoU of ${enough} and more; the recipe's objects ${goodAlone}. Of ${JSON.stringify(by)}`)
} finally {
  await engine.close()
  rmSync(settingsDir, { recursive: true, force: true })
}
