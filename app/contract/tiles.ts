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
  /** The same by the colour profile of its file (SlideInfo.icc). */
  converted: (slideId: string, k: number, x: number, y: number) => `/tile/converted/${slideId}/${k}/${x}_${y}`,
  /** `stains`: the set's id, or stainsWord's. */
  stain: (slideId: string, stains: string, channel: number, k: number, x: number, y: number) =>
    `/tile/stain/${slideId}/${stains}/${channel}/${k}/${x}_${y}`,
  /** One channel's samples (channels/tiles.ts). */
  channel: (slideId: string, channel: number, k: number, x: number, y: number) =>
    `/tile/channel/${slideId}/${channel}/${k}/${x}_${y}`,
  /** Tiles of numbers (resultTiles.ts). */
  objects: (runId: string, revision: number, k: number, x: number, y: number) =>
    `/tile/objects/${runId}/${revision}/${k}/${x}_${y}`,
  density: (runId: string, revision: number, k: number, x: number, y: number) =>
    `/tile/density/${runId}/${revision}/${k}/${x}_${y}`,
  /** Objects of two runs in the colours of a comparison, and how many of them only one has. */
  compared: (kind: 'objects' | 'density', comparison: number, k: number, x: number, y: number) =>
    `/tile/compared/${kind}/${comparison}/${k}/${x}_${y}`,
  layer: (runId: string, layer: string, revision: number, k: number, x: number, y: number) =>
    `/tile/layer/${runId}/${layer}/${revision}/${k}/${x}_${y}`,
  /**
   * Several of the result tiles above by one request, at most severalTiles: of one run, plane and level (sameSheet), answered as
   * packTiles says. Whose revision is named makes no difference to what is answered.
   */
  several: (paths: readonly string[]): string =>
    paths.map((path, i) => (i === 0 ? path : path.slice(path.lastIndexOf('/') + 1))).join('+'),
  /** Bytes, as cuts.ts says. */
  cuts: (slideId: string, cutsId: number) => `/tile/cuts/${slideId}/${cutsId}`,
  /** Rows of a view of the objects table from `first` on (table.ts). */
  table: (runId: string, view: number, first: number) => `/tile/table/${runId}/${view}/${first}`,
  /** The same as CSV, tableTextRows of them, with these columns; from 0 on behind a line of headings. */
  tableText: (runId: string, view: number, first: number, columns: readonly string[]) =>
    `/tile/tabletext/${runId}/${view}/${first}/${columns.join('.')}`,
  /** All rows of a view with these columns, as Parquet. */
  tableParquet: (runId: string, view: number, columns: readonly string[]) =>
    `/tile/tableparquet/${runId}/${view}/${columns.join('.')}`,
  /** Two columns of what a view lists, and of what its box leaves out (scatter.ts). */
  scatter: (runId: string, view: number, x: string, y: string, xLog: boolean, yLog: boolean) =>
    `/tile/scatter/${runId}/${view}/${x}.${y}/${Number(xLog)}${Number(yLog)}`,
  /** Of a slide opened lately: `RecentSlide.picture`. */
  recent: (picture: string) => `/tile/recent/${picture}`,
  /** Of a document's slide, by its key: `ProjectSlide.pictured`, `RecentProject.slide`. */
  thumbnail: (key: string) => `/tile/thumbnail/${key}`,
  associated: (slideId: string, name: string) => `/tile/associated/${slideId}/${encodeURIComponent(name)}`,
}

/** Each request costs its way through two processes: a field's tiles are asked for by some at a time. */
export const severalTiles = 16

const resultTile = /^(\/tile\/(?:objects|density|layer)\/.+)\/[0-9]+(\/[0-9]+)\/[0-9]+_[0-9]+$/
/** Result tiles with the same answer here go by one request (tilePaths.several); null: goes alone. */
export function sameSheet(path: string): string | null {
  const m = resultTile.exec(path)
  return m && `${m[1]}${m[2]}`
}
