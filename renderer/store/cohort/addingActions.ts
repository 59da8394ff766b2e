// Slides put into the project by their files, one after the other, and taken out of it.
import type { ProjectSlide } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { addedWords, type AddedFile } from './addingWords'
import { refreshSlides } from './cohortActions'
import { longMs } from '../slide/notSlides'
import { tell, tellError } from '../base/notify'
import { ask } from '../base/questions'
import { fileName, openSlide } from '../slide/slideActions'
import { getState, patch } from '../store'

let stopped = false

/** Asks for files: the system's dialog where the shell has one, else our own list of the server's folders. */
export async function askForSlides(): Promise<void> {
  if (getState().cohort.adding) return
  if (!getState().ui.app?.dialogs) return patch('ui', { dialog: 'addSlides' })
  const result = await api().call('dialog:slides', undefined)
  if (!result.ok) return tellError(result.error, words.about.addSlides)
  await addFiles(result.value)
}

/** What is added stays. */
export function stopAdding(): void {
  stopped = true
}

/** A file that cannot be opened is named at the end, and the others are added. What no other file would get over ends it. */
export async function addFiles(paths: readonly string[]): Promise<void> {
  if (paths.length === 0 || getState().cohort.adding) return
  stopped = false
  const done: AddedFile[] = []
  for (const path of paths) {
    const name = fileName(path)
    patch('cohort', { adding: { done: done.length, total: paths.length, name } })
    if (stopped) break
    const result = await api().call('project:addFile', { path })
    const { isNew = false, knownAs } = result.ok ? result.value : {}
    done.push({ path, name, isNew, knownAs: knownAs?.name, why: result.ok ? null : result.error.message })
    if (!result.ok && (result.error.code === 'ENGINE_LOST' || result.error.code === 'OUTPUT_FAILED')) break
  }
  patch('cohort', { adding: null })
  tell(addedWords(done, paths.length), words.about.slides, done.some(({ why }) => why !== null) ? longMs : undefined)
  await refreshSlides()
  const first = done.find(({ why }) => why === null)
  if (first && !getState().slide.info) await openSlide(first.path)
}

/** Its file stays where it is. What was found on it goes with it, which is asked before. With regions it stays, as the engine says. */
export function removeSlide({ key, name, objects, regions }: ProjectSlide): void {
  const remove = async (): Promise<void> => {
    const result = await api().call('project:remove', { key })
    if (result.ok) await refreshSlides()
    else tell(result.error.message, name, longMs)
  }
  if (objects === null || regions > 0) return void remove()
  ask({
    title: words.projectSlides.takeOutTitle(name),
    text: words.projectSlides.takeOutText(objects),
    yes: words.projectSlides.takeItOut,
    no: words.buttons.keepIt,
    act: () => void remove(),
  })
}
