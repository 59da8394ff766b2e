// How actions move the viewer without knowing it: the mounted viewer puts its handle here.
import type { Place } from '../../arithmetic/linkedViews'
import type { Region } from '../../../app/contract'

export interface ViewerHandle {
  fit(): void
  /** CSS px per level-0 px. */
  zoomTo(perLevel0Px: number): void
  zoomBy(factor: number): void
  panBy(dxPx: number, dyPx: number): void
  rotateBy(degrees: number): void
  /** Left and right change places on the screen. */
  flip(): void
  /** As the slide's file has it. */
  turnUpright(): void
  fitRegion(region: Region): void
  /** Where another view leads it. */
  follow(place: Place): void
  focus(): void
}

/** PNG of what the viewer shows, with its scale bar. */
export type PictureMaker = () => Promise<Blob>
let maker: PictureMaker | null = null
export const pictureMaker = (): PictureMaker | null => maker
export function setPictureMaker(next: PictureMaker | null): void {
  maker = next
}

let current: ViewerHandle | null = null
export const viewer = (): ViewerHandle | null => current
export function setViewer(handle: ViewerHandle | null): void {
  current = handle
}
