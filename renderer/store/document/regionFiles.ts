// How a person is asked for a file of regions: by the browser's own dialog, which opens only for a click or a key in the page.
import { words } from '../../words'
import { getState, patch } from '../store'
import { tell } from '../base/notify'

let choose: (() => void) | null = null

/** Opens the browser's dialog; null: the field is not there. The store owns it, the mounted field fills it. */
export function setRegionsFile(opens: (() => void) | null): void {
  choose = opens
}
export const chooseRegionsFile = (): void => choose?.()

/** A choice in the desktop's menu is no key or click in the page: a button is shown then. */
export function askForRegions(): void {
  if (!getState().slide.info) return tell(words.regionFiles.openSlideFirst, words.about.import)
  if (globalThis.navigator?.userActivation?.isActive) chooseRegionsFile()
  else patch('ui', { dialog: 'importRegions' })
}
