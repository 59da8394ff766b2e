// What a person drops on the window: one slide is opened, a recipe is offered, and what is neither is said to be so.
import { Recipe } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { addFiles } from '../cohort/addingActions'
import { tell } from '../base/notify'
import { importFile } from '../document/importActions'
import { kindOf, longMs } from '../slide/notSlides'
import { offer } from '../base/offer'
import { takeRecipe } from '../recipe/recipeActions'
import { openSlide } from '../slide/slideActions'
import { getState, patch } from '../store'

export interface Dropped {
  readonly name: string
  readonly sizeBytes: number
  /** Where it lies, where the shell can know it (desktop). */
  readonly path: string | null
  readonly text: () => Promise<string>
  /** The file itself, where a person dropped one. */
  readonly file?: File
}

export const droppedOf = (file: File): Dropped => ({
  name: file.name,
  sizeBytes: file.size,
  path: api().pathOfFile(file),
  text: () => file.text(),
  file,
})

const recordBytes = 4 * 2 ** 20
export async function takeDropped(files: readonly Dropped[]): Promise<void> {
  const isOpen = getState().slide.info !== null
  const kindOfDropped = (name: string): ReturnType<typeof kindOf> => {
    const kind = kindOf(name)
    // Of an image that is called so there is a picture to look at, where no slide is open that it could belong to.
    return kind === 'labels' && !isOpen && !/\.npy$/i.test(name) ? 'slide' : kind
  }
  const slides = files.filter(({ name }) => kindOfDropped(name) === 'slide')
  for (const file of files) {
    const kind = kindOfDropped(file.name)
    if (kind === 'result') await takeTable(file, slides.length > 0)
    if (kind === 'outlines' || kind === 'labels' || (kind === 'record' && (await isGeoJson(file))))
      await takeOutlines(file, slides.length > 0)
    else if (kind === 'record') await offerRecord(file)
  }
  const [first, ...others] = slides
  if (!first) return
  if (others.length > 0) {
    const names = others.map(({ name }) => words.names.quoted(name)).join(', ')
    const text = words.dropped.oneSlide(first.name, names, others.length > 1)
    const paths = slides.flatMap(({ path }) => (path === null || path === '' ? [] : path))
    if (paths.length < slides.length) tell(text, words.dropped.about, longMs)
    else
      offer({
        about: 'slides',
        title: words.dropped.about,
        text,
        label: words.dropped.addAll(slides.length),
        testId: 'add-dropped-slides',
        act: () => void addFiles(paths),
      })
  }
  if (first.path !== null && first.path !== '') return void openSlide(first.path)
  tell(words.dropped.noPath, first.name)
  patch('ui', { dialog: 'open' })
}

/** A collection or a list says so where it begins. */
async function isGeoJson({ file }: Dropped): Promise<boolean> {
  const start = file ? await file.slice(0, 4096).text() : ''
  return /"type"\s*:\s*"Feature(Collection)?"/.test(start)
}

async function takeTable({ name, file }: Dropped, besideSlides: boolean): Promise<void> {
  if (!file || besideSlides || !getState().slide.info) return tell(words.dropped.table, name, longMs)
  await importFile(file)
}

/** Beside a slide they are hardly of the one that is open now. */
async function takeOutlines({ name, file }: Dropped, besideSlides: boolean): Promise<void> {
  if (!file || besideSlides || !getState().slide.info) return tell(words.dropped.outlines, name, longMs)
  await importFile(file)
}

/** The recipe that a JSON file holds, or in words what the file is. */
export function readRecord(text: string): { recipe: Recipe; of: 'recipe' | 'run' } | { words: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { words: words.dropped.damagedJson }
  }
  const { format, type, recipe } = (value ?? {}) as { format?: unknown; type?: unknown; recipe?: unknown }
  if (type === 'FeatureCollection') return { words: words.dropped.outlines }
  const of = format === 'morphoscope-run' ? 'run' : 'recipe'
  const found = Recipe.safeParse(of === 'run' ? recipe : value)
  if (found.success) return { recipe: found.data, of }
  const isOurs = format === 'morphoscope-run' || format === 'morphoscope-recipe'
  return { words: isOurs ? words.dropped.damagedRecipe : words.dropped.neither }
}

async function offerRecord({ name, sizeBytes, text }: Dropped): Promise<void> {
  const found = sizeBytes > recordBytes ? { words: words.dropped.tooLarge } : readRecord(await text().catch(() => ''))
  if ('words' in found) return tell(found.words, name, longMs)
  const { recipe, of } = found
  offer({
    about: 'files',
    title: name,
    text: words.dropped.holdsRecipe(of === 'run', recipe.name),
    label: of === 'run' ? words.dropped.loadIts : words.dropped.loadThis,
    testId: 'load-dropped-recipe',
    act: () => takeRecipe(recipe),
  })
}
