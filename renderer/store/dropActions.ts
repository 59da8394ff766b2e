// What a person drops on the window: one slide is opened, a recipe is offered, and what is neither is said to be so.
import { Recipe } from '../../app/contract'
import { api } from '../api'
import { addFiles } from './addingActions'
import { tell } from './notify'
import { kindOf, longMs, resultWords } from './notSlides'
import { offer } from './offer'
import { takeRecipe } from './recipeActions'
import { openSlide } from './slideActions'
import { patch } from './store'

export interface Dropped {
  readonly name: string
  readonly sizeBytes: number
  /** Where it lies, where the shell can know it (desktop). */
  readonly path: string | null
  readonly text: () => Promise<string>
}

export const droppedOf = (file: File): Dropped => ({
  name: file.name,
  sizeBytes: file.size,
  path: api().pathOfFile(file),
  text: () => file.text(),
})

const recordBytes = 4 * 2 ** 20
export async function takeDropped(files: readonly Dropped[]): Promise<void> {
  const slides = files.filter(({ name }) => kindOf(name) === 'slide')
  for (const file of files) {
    if (kindOf(file.name) === 'result') tell(resultWords(file.name), file.name, longMs)
    if (kindOf(file.name) === 'record') await offerRecord(file)
  }
  const [first, ...others] = slides
  if (!first) return
  if (others.length > 0) {
    const names = others.map(({ name }) => `“${name}”`).join(', ')
    const text = `Only one slide can be open. “${first.name}” is opened, ${names} ${others.length > 1 ? 'are' : 'is'} not.`
    const paths = slides.flatMap(({ path }) => (path === null || path === '' ? [] : path))
    if (paths.length < slides.length) tell(text, 'Dropped', longMs)
    else
      offer({
        about: 'slides',
        title: 'Dropped',
        text,
        label: `Add all ${slides.length} to the project`,
        testId: 'add-dropped-slides',
        act: () => void addFiles(paths),
      })
  }
  if (first.path !== null && first.path !== '') return void openSlide(first.path)
  tell('A browser does not tell where a dropped file lies. Choose it from the server’s folders instead.', first.name)
  patch('ui', { dialog: 'open' })
}

/** The recipe that a JSON file holds, or in words what the file is. */
export function readRecord(text: string): { recipe: Recipe; of: 'recipe' | 'run' } | { words: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { words: 'This file is not a slide, and the JSON in it is damaged.' }
  }
  const { format, type, recipe } = (value ?? {}) as { format?: unknown; type?: unknown; recipe?: unknown }
  if (type === 'FeatureCollection') return { words: resultWords('.geojson') }
  const of = format === 'morphoscope-run' ? 'run' : 'recipe'
  const found = Recipe.safeParse(of === 'run' ? recipe : value)
  if (found.success) return { recipe: found.data, of }
  const isOurs = format === 'morphoscope-run' || format === 'morphoscope-recipe'
  return { words: isOurs ? 'The recipe in this file is damaged.' : 'This file is neither a slide nor a recipe of Morphoscope.' }
}

async function offerRecord({ name, sizeBytes, text }: Dropped): Promise<void> {
  const found =
    sizeBytes > recordBytes
      ? { words: 'This file is not a slide, and it is too large for a recipe.' }
      : readRecord(await text().catch(() => ''))
  if ('words' in found) return tell(found.words, name, longMs)
  const { recipe, of } = found
  offer({
    about: 'files',
    title: name,
    text: `This file is ${of === 'run' ? 'the record of a run' : 'a recipe'}, not a slide. It holds the recipe “${recipe.name}”.`,
    label: of === 'run' ? 'Load its recipe' : 'Load this recipe',
    testId: 'load-dropped-recipe',
    act: () => takeRecipe(recipe),
  })
}
