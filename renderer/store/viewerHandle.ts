// How actions move the viewer without knowing it: the mounted viewer puts its handle here.
import type { Region } from '../../app/contract'

export interface ViewerHandle {
  fit(): void
  /** One level-0 px on one device px. */
  actualSize(): void
  zoomBy(factor: number): void
  panBy(dxPx: number, dyPx: number): void
  rotateBy(degrees: number): void
  resetRotation(): void
  fitRegion(region: Region): void
  focus(): void
}

let current: ViewerHandle | null = null
export const viewer = (): ViewerHandle | null => current
export function setViewer(handle: ViewerHandle | null): void {
  current = handle
}
