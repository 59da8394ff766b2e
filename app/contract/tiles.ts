// Pixels travel by URL: the addresses of tiles, and the facts that name them.
import * as z from './zod'

/** A changed result tile: fetch it again under its new revision. */
export const TileRef = z.object({ level: z.number().int(), x: z.number().int(), y: z.number().int(), revision: z.number().int() })
export type TileRef = z.infer<typeof TileRef>

export const overlayStyles = ['outline', 'filled'] as const
export type OverlayStyle = (typeof overlayStyles)[number]

/** Paths below the shell's origin. `k` counts halvings of level 0 (viewer tiles) or of the run's grid (result tiles). */
export const tilePaths = {
  slide: (slideId: string, k: number, x: number, y: number) => `/tile/slide/${slideId}/${k}/${x}_${y}`,
  stain: (slideId: string, stainSet: string, channel: number, k: number, x: number, y: number) =>
    `/tile/stain/${slideId}/${stainSet}/${channel}/${k}/${x}_${y}`,
  overlay: (runId: string, style: OverlayStyle, revision: number, k: number, x: number, y: number) =>
    `/tile/overlay/${runId}/${style}/${revision}/${k}/${x}_${y}`,
  layer: (runId: string, layer: string, revision: number, k: number, x: number, y: number) =>
    `/tile/layer/${runId}/${layer}/${revision}/${k}/${x}_${y}`,
  associated: (slideId: string, name: string) => `/tile/associated/${slideId}/${encodeURIComponent(name)}`,
}
