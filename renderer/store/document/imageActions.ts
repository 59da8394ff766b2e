// Pictures of regions: the dialog for them, and what came of it.
import { isArea, type RegionImagesRequest, type RegionOfInterest } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { tell, tellError } from '../base/notify'
import { saveSettings } from '../base/settingsActions'
import { regionsOf } from '../slices/projectSlice'
import { getState, patch } from '../store'
import { imagesNotice } from './regionNotice'
import { said } from '../../words/named'

const longMs = 12_000

/** Of a slide's regions those that a picture can be of: cores that are missing show glass. */
export const picturedOf = (regions: readonly RegionOfInterest[]): RegionOfInterest[] =>
  regions.filter(({ shape, core }) => isArea(shape) && !core?.missing)

export function askForImages(): void {
  if (!getState().slide.info) return
  if (picturedOf(regionsOf(getState().project)).length === 0) return tell(words.regionImages.drawFirst, words.regionImages.title)
  patch('ui', { dialog: 'regionImages' })
}

export async function writeRegionImages(asked: Omit<RegionImagesRequest, 'slideId'>): Promise<void> {
  const { info } = getState().slide
  if (!info) return
  const stop = new AbortController()
  const over = imagesNotice.begin(info.name, () => stop.abort())
  const result = await api()
    .call('regions:images', { slideId: info.slideId, ...asked }, stop.signal)
    .finally(over)
  if (!result.ok && stop.signal.aborted) return
  if (!result.ok) {
    // Which files are in the way, or which picture is too large, it says in full.
    if (result.error.code === 'OUTPUT_EXISTS' || result.error.code === 'INVALID_PARAMETER')
      return tell(result.error.message, words.regionImages.title, longMs)
    return tellError(result.error, words.regionImages.title)
  }
  void saveSettings({ exportDirectory: asked.directory })
  const { files, directory, warnings } = result.value
  tell([words.regionImages.written(files.length, directory), ...warnings.map(said)].join(' '), words.regionImages.title, longMs)
}
