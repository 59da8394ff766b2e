// The start page, and the tour of three steps: whether they are shown, and what they show. Types and first values.
import type { StartItems } from '../../app/contract'

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
    title: 'Open a slide',
    text: 'Click here, or drop a file on the window. A slide is open already: the next two steps use it.',
    rings: ['[data-testid="open"]'],
  },
  {
    title: 'Find the nuclei',
    text: 'Click a nucleus: it is outlined and measured. Or segment the field that you see ({segmentVisible}), or the whole slide ({segmentWhole}).',
    rings: ['[data-testid="segment-visible"]', '[data-testid="run-whole"]'],
  },
  {
    title: 'Tune and export',
    text: 'Drag a slider: the outlines follow at once. Then export outlines, tables and a report.',
    rings: ['.panel.left .panel-scroll', '[data-testid="export-open"]'],
  },
]
