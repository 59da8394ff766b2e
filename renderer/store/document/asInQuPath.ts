// Whether files of regions count from where QuPath crops the slide: of those that are read, where they do not say themselves.
import { getState } from '../store'
import { isCropped } from '../slices/slideSlice'

export function regionsAsInQuPath(): boolean {
  const { slide, ui } = getState()
  return slide.info !== null && isCropped(slide, slide.info.slideId) && ui.exportDraft.asInQuPath
}
