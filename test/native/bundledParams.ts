// A bundled recipe's values, as the engine takes them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './pixels'

interface RecipeFile {
  pipeline: string
  stages: { id: string; params: { key: string; unit: string; default: number | boolean | string; previewValue?: number }[] }[]
}
/** The defaults of a bundled recipe at 0.5 µm per px, in px. */
export function bundledParams(file: string): { pipeline: string; params: Record<string, number | boolean | string> } {
  const recipe = JSON.parse(readFileSync(join(root, 'assets', 'recipes', file), 'utf8')) as RecipeFile
  const params: Record<string, number | boolean | string> = {}
  for (const stage of recipe.stages)
    for (const p of stage.params) {
      const px = p.unit === 'um' ? 2 : p.unit === 'um2' ? 4 : 1
      // Of a window that knows nothing of the whole slide.
      const value = p.default === 0 ? (p.previewValue ?? 0) : p.default
      params[`${stage.id}.${p.key}`] = typeof value === 'number' ? value * px : value
    }
  return { pipeline: recipe.pipeline, params }
}
