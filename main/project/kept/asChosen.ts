// A slide opened as the document has it: with the channel that a person chose to analyse there, which a new choice takes the place of.
import { analysedChannel, choiceOf } from '../../../app/contract'
import { toAppError } from '../../base/errors'
import type { Log } from '../../base/log'
import type { OpenSlide, Slides } from '../../slide/slides'
import type { Projects } from '../projects'

interface Asked {
  readonly path: string
  readonly mpp?: number | undefined
  readonly channel?: string | undefined
}

export interface OpeningTools {
  readonly slides: Slides
  readonly closeSlide: (slideId: string) => void
  /** null: there is none that anything of a slide is kept in. */
  readonly projects: () => Promise<Projects | null>
  readonly log: Log
}

/** Throws as `Slides.open`. */
export async function openAsChosen(tools: OpeningTools, { path, mpp, channel }: Asked): Promise<OpenSlide> {
  const { slides, closeSlide, projects, log } = tools
  const slide = await slides.open(path, mpp, channel)
  const analysed = analysedChannel(slide.info)
  if (analysed === null) return slide
  // What cannot be kept, or is known no more, must not keep a slide from opening.
  try {
    const document = await projects()
    if (!document) return slide
    if (channel !== undefined) {
      await document.note(slide, { channel: analysed })
      return slide
    }
    const chosen = (await document.heldOf(slide))?.channel
    if (chosen === undefined) return slide
    const asHeld = await slides.open(path, mpp, choiceOf(chosen))
    closeSlide(slide.info.slideId)
    return asHeld
  } catch (error) {
    log({ level: 'warn', message: `${slide.info.name}: ${toAppError(error).message}` })
    return slide
  }
}
