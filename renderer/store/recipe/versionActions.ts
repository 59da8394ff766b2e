// Versions of recipes under names: what the list beside the recipe asks for.
import type { RecipeVersion } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { tell, tellError } from '../base/notify'
import { takeRecipe } from './recipeActions'
import * as recipe from '../slices/recipeSlice'
import { getState, patch } from '../store'

/** As they are on the disk now: another window may have kept or deleted some. Empty where they cannot be read, which is said. */
export async function readVersions(): Promise<RecipeVersion[]> {
  const result = await api().call('recipe:versions', null)
  if (result.ok) return result.value
  tellError(result.error, words.versions.about)
  return []
}

/** Keeps the values that are set; false: they are not kept, and it was said why. */
export async function keepVersion(name: string, replace: boolean): Promise<boolean> {
  const value = recipe.recipeOf(getState().recipe)
  if (!value) return false
  const result = await api().call('recipe:keep', { name, recipe: value, replace })
  if (!result.ok) {
    tellError(result.error, words.versions.about)
    return false
  }
  tell(words.versions.kept(name), words.versions.about)
  return true
}

export async function forgetVersion(name: string): Promise<void> {
  const result = await api().call('recipe:forget', { name })
  if (!result.ok) return tellError(result.error, words.versions.about)
  tell(words.versions.deleted(name), words.versions.about)
}

export function takeVersion({ name, recipe: value }: RecipeVersion): void {
  patch('ui', { versionsOpen: false })
  takeRecipe({ ...value, name })
}
