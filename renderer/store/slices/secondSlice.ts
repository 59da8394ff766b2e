// The second view beside the first: of which slide, which layer, which result, and whether it goes along.
import { runOfMapLayer, type RunStatus, type SlideInfo } from '../../../app/contract'
import type { Link } from '../../arithmetic/linkedViews'
import { drawOrder, type RunState } from './runSlice'
import { layerOf, type LayerChoice } from './uiSlice'

/** 'same': what the first view shows; 'none'; else the run of this id. */
export type SecondResults = string

export interface SecondState {
  readonly on: boolean
  /** null: the slide of the first view. */
  readonly slide: SlideInfo | null
  /** The path of a slide that is being opened for it. */
  readonly opening: string | null
  /** Finished results of another slide, the newest first. */
  readonly runs: readonly RunStatus[]
  readonly layer: LayerChoice
  readonly results: SecondResults
  /** null: each view moves by itself. */
  readonly link: Link | null
}
export const noSecond: SecondState = {
  on: false,
  slide: null,
  opening: null,
  runs: [],
  layer: 'slide',
  results: 'same',
  link: null,
}

/** Of this slide, in either view. */
export function layersLookedAt({
  ui,
  second,
}: {
  readonly ui: { readonly layer: LayerChoice }
  readonly second: SecondState
}): string[] {
  const inSecond = second.on && !second.slide ? layerOf(second.layer) : null
  return [layerOf(ui.layer), inSecond].filter((layer) => layer !== null && runOfMapLayer(layer) === null) as string[]
}

/** What the second view draws; the topmost last. */
export function secondRuns(second: SecondState, runs: RunState): readonly RunStatus[] {
  const { slide, results, layer } = second
  if (slide) return second.runs.filter(({ runId }) => results === 'same' || runId === results)
  if (results === 'same') return drawOrder(runs)
  // An intermediate image is a preview's.
  const previews = layerOf(layer) !== null ? drawOrder(runs).filter(({ purpose }) => purpose === 'preview') : []
  const chosen = runs.byId[results]
  return chosen ? [...previews, chosen] : previews
}
