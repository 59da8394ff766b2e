// A picture of the view as it is on the screen, as a file or for the clipboard.
import { words } from '../../words'
import { tell } from '../base/notify'
import { saveParts } from '../base/saveText'
import { getState } from '../store'
import { pictureMaker } from '../base/viewerHandle'

const about = words.pictures.about

/** Of the slide's tissue and what lies over it: no label is ever in the view. Under the slide's name, or its pseudonym where that is chosen. */
export async function savePicture(): Promise<void> {
  const make = pictureMaker()
  if (!make || !getState().slide.info) return
  try {
    await saveParts('view.png', 'image/png', [await make()])
  } catch (error) {
    tell(words.pictures.failed(String(error)), about)
  }
}

export async function copyPicture(): Promise<void> {
  const make = pictureMaker()
  if (!make || !getState().slide.info) return
  try {
    // The promise, not the picture: the browser asks for the clipboard while the key is still down.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': make() })])
    tell(words.pictures.copied, about)
  } catch {
    tell(words.pictures.notAllowed, about)
  }
}

export async function toggleFullScreen(): Promise<void> {
  try {
    if (document.fullscreenElement) await document.exitFullscreen()
    else await document.documentElement.requestFullscreen()
  } catch {
    tell(words.pictures.noFullScreen, words.pictures.fullScreen)
  }
}
