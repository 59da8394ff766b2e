// How a slide's channels are shown, as the document has it: of the picture on the screen alone.
import type { ChannelLook } from '../../../app/contract'
import { invalid } from '../../base/errors'
import type { OpenSlide } from '../../slide/slides'
import type { Projects } from '../projects'

/** null: nobody has changed them, or the file has other channels now. */
export async function looksOf(projects: Projects, slide: OpenSlide): Promise<ChannelLook[] | null> {
  const looks = (await projects.heldOf(slide))?.looks
  return looks?.length === slide.info.channels.length ? looks : null
}

/** One for each of its channels. Throws INVALID_PARAMETER, OUTPUT_FAILED. */
export async function keepLooks(projects: Projects, slide: OpenSlide, looks: ChannelLook[]): Promise<null> {
  const { length } = slide.info.channels
  if (looks.length !== length) throw invalid(`one for each of the slide’s ${length} channels`, 'looks', `${looks.length}`)
  await projects.note(slide, { looks })
  return null
}
