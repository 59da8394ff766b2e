// Files that are named as slides and are none: known by their names, and called what they are before a reader calls them broken slides.
import { isNamedLabels } from '../../../app/contract'
import { words } from '../../words'
import { tell } from '../base/notify'
import { offer } from '../base/offer'
import { loadRecipe } from '../recipe/recipeActions'

/** Enough to read two sentences. */
export const longMs = 12_000

/**
 * By its name: 'record' may be a recipe, a run's record or GeoJSON, 'outlines' is GeoJSON, 'labels' is an image that is called a label image or
 * can be nothing else, 'result' is a table.
 */
export function kindOf(name: string): 'slide' | 'record' | 'outlines' | 'labels' | 'result' {
  if (isNamedLabels(name)) return 'labels'
  if (/\.(geojson|geojsonl|ndjson|jsonl)(\.gz)?$|\.json\.gz$/i.test(name)) return 'outlines'
  // An OME-Zarr's metadata stands for its folder.
  if (/^zarr\.json$/i.test(name)) return 'slide'
  if (/\.json$/i.test(name)) return 'record'
  return /\.(csv|tsv|parquet|geoparquet)$/i.test(name) ? 'result' : 'slide'
}

/** For a path that was chosen, typed or given as a slide's: true where its name says that it is none, and the user was told. */
export function isNoSlide(path: string): boolean {
  const name = path.split(/[\\/]/).at(-1) || path
  const named = kindOf(name)
  // Who chooses it as a slide may look at it as one; of an array of numbers there is nothing to look at.
  const kind = named !== 'labels' ? named : /\.npy$/i.test(name) ? 'outlines' : 'slide'
  if (kind === 'result') tell(words.dropped.table, name, longMs)
  if (kind === 'outlines') tell(words.dropped.outlines, name, longMs)
  if (kind === 'record')
    offer({
      about: 'files',
      title: name,
      text: words.dropped.mayBeRecipe,
      label: words.dropped.loadRecipeIn,
      testId: 'load-dropped-recipe',
      act: () => void loadRecipe(path),
    })
  return kind !== 'slide'
}
