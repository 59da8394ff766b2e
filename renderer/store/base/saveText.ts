// What the page makes as a file that the person puts where they like: under the slide's name, or its pseudonym where that is chosen.
import { api } from '../../api'
import { words } from '../../words'
import { tellError } from './notify'
import { getState } from '../store'

/** What files of the open slide are to be called; null: nobody can say, and it is told. The page cannot: a pseudonym is of the file's bytes. */
async function nameOfFiles(): Promise<string | null> {
  const { slide } = getState()
  if (!slide.info) return 'slide'
  const result = await api().call('slide:fileName', { slideId: slide.info.slideId })
  if (result.ok) return result.value
  tellError(result.error, words.about.saving)
  return null
}

/** `ending`: what stands after the name, as in "sample-regions.geojson"; `given`: a name that is no slide's. */
export async function saveParts(ending: string, type: string, parts: readonly (Blob | string)[], given?: string): Promise<void> {
  const name = given ?? (await nameOfFiles())
  if (name === null) return
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}-${ending}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

export const saveText = (ending: string, type: string, text: string, given?: string): Promise<void> =>
  saveParts(ending, type, [text], given)
