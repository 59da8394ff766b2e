// Text as a file that the person puts where they like, under the slide's name or one that is given.
import { getState } from './store'

export function saveText(ending: string, type: string, text: string | readonly Blob[], given?: string): void {
  const { slide } = getState()
  const url = URL.createObjectURL(new Blob(typeof text === 'string' ? [text] : [...text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${given ?? slide.info?.name.replace(/\.[^.]+$/, '') ?? 'slide'}-${ending}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
