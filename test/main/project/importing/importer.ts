// An engine with the sample open, into which a test imports: one for all tests of a file.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Recipe } from '../../../../app/contract'
import type { Engine } from '../../../../main/engine'
import { firstRecipe, realEngine, sample } from '../../realEngine'

export interface Importer {
  readonly engine: Engine
  readonly slideId: string
  readonly folder: string
  readonly recipe: Recipe
  readonly end: () => Promise<void>
}

/** `called`: what its folder's name begins with. `pixels`: analysed px are the slide's. */
export async function importer(called: string, pixels: 'recipe' | 'slide' = 'recipe'): Promise<Importer> {
  const folder = await mkdtemp(join(tmpdir(), called))
  const engine = realEngine(folder, { shell: 'serve' })
  const { slideId } = await engine.invoke('slide:open', { path: sample })
  const first = await firstRecipe(engine)
  const recipe = pixels === 'recipe' ? first : { ...first, params: { ...first.params, image: { pixelSizeUm: 0 } } }
  const end = async (): Promise<void> => {
    await engine.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { engine, slideId, folder, recipe, end }
}
