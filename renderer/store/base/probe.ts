// What the pictures on screen hold at a point: panels ask, the mounted viewer answers.
import type { Point } from '../../arithmetic/geometry'

/** 0 … 255, or null where no intermediate image is shown. */
type LayerProbe = (at: Point) => number | null

let current: LayerProbe | null = null
export const layerValueAt = (at: Point): number | null => current?.(at) ?? null
export function setLayerProbe(probe: LayerProbe | null): void {
  current = probe
}
