// Text for the clipboard.
import { words } from '../../words'
import { tell } from './notify'

/** `done`: what is told when it is there. `about`: what the text is of. */
export async function copyText(text: string, done: string, about: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    tell(done, about)
  } catch {
    tell(words.failed.noClipboard, about)
  }
}
