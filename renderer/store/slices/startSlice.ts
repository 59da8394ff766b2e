// The start page, and the tour of three steps: whether they are shown, and what they show. Types and first values.
import type { StartItems } from '../../../app/contract'
import { words } from '../../words'

/** Its step, or that it is offered. */
export type Tour = 'offered' | 0 | 1 | 2

export interface StartState {
  readonly shown: boolean
  /** As the engine listed them last; null: not yet. */
  readonly items: StartItems | null
  /** null: there is none. */
  readonly tour: Tour | null
}
export const noStart: StartState = { shown: false, items: null, tour: null }

export interface TourStep {
  readonly title: string
  /** Commands in braces stand for their keys: withKeys. */
  readonly text: string
  /** What it is about: selectors of controls, which are ringed. */
  readonly rings: readonly string[]
}
export const tourSteps: readonly [TourStep, TourStep, TourStep] = [
  {
    title: words.buttons.openSlide,
    text: words.tour.openText,
    rings: ['[data-testid="open"]'],
  },
  {
    title: words.tour.findTitle,
    text: words.tour.findText,
    rings: ['[data-testid="segment-visible"]', '[data-testid="run-whole"]'],
  },
  {
    title: words.tour.tuneTitle,
    text: words.tour.tuneText,
    rings: ['.panel.left .panel-scroll', '[data-testid="export-open"]'],
  },
]
