// What the rest of the program knows about a slide: the native reader's facts as the contract words them, and the viewer's pyramid.
import { basename } from 'node:path'
import type { SlideInfo } from '../../app/contract'
import type { SlideInfo as NativeSlideInfo } from '../../native/index'

const defaultTilePx = 256

/** The file's own tile width where the viewer can use it: then its JPEG tiles pass through unchanged. */
export function viewerTilePx(level0: { tileWidth: number; tileHeight: number }): number {
  const { tileWidth, tileHeight } = level0
  return tileWidth === tileHeight && tileWidth >= 128 && tileWidth <= 1024 ? tileWidth : defaultTilePx
}

/** How often the slide must be halved until one tile holds it. */
export function maxLevel(widthPx: number, heightPx: number, tileSizePx: number): number {
  let level = 0
  while (Math.ceil(Math.max(widthPx, heightPx) / 2 ** level) > tileSizePx) level += 1
  return level
}

/** Size of level 0 halved k times; the last row and column may be partly covered. */
export function viewerLevelSize(slide: { widthPx: number; heightPx: number }, k: number): { width: number; height: number } {
  return { width: Math.ceil(slide.widthPx / 2 ** k), height: Math.ceil(slide.heightPx / 2 ** k) }
}

function positive(value: number): number | null {
  return Number.isFinite(value) && value > 0 ? value : null
}

function hex({ r, g, b }: { r: number; g: number; b: number }): string {
  return `#${[r, g, b]
    .map((c) =>
      Math.min(Math.max(Math.round(c), 0), 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

/** `mpp` is the user's own calibration and wins over the file's. */
export function toSlideInfo(slideId: string, native: NativeSlideInfo, mpp?: number, icc?: string): SlideInfo {
  const level0 = native.levels[0] ?? { width: 1, height: 1, downsample: 1, tileWidth: 0, tileHeight: 0 }
  const tileSizePx = viewerTilePx(level0)
  const mppX = mpp ?? positive(native.mppX)
  const mppY = mpp ?? positive(native.mppY) ?? mppX
  return {
    slideId,
    name: basename(native.path),
    path: native.path,
    vendor: native.vendor,
    reader: native.reader,
    readerVersion: native.readerVersion,
    widthPx: level0.width,
    heightPx: level0.height,
    levels: native.levels.map((level) => ({
      widthPx: level.width,
      heightPx: level.height,
      downsample: level.downsample,
      tileWidthPx: level.tileWidth,
      tileHeightPx: level.tileHeight,
    })),
    mppX,
    mppY,
    mppSource: mpp !== undefined ? 'given' : mppX === null ? 'none' : native.mppSource,
    objectivePower: positive(native.objectivePower),
    bounds: {
      x: Math.floor(native.bounds.x),
      y: Math.floor(native.bounds.y),
      width: Math.max(1, Math.floor(native.bounds.width)),
      height: Math.max(1, Math.floor(native.bounds.height)),
    },
    background: hex(native.background),
    channels: native.channels.map((channel) => ({ ...channel })),
    ...(native.depth === 16 && { depth: native.depth }),
    associatedImages: [...native.associated],
    properties: { ...native.properties },
    warnings: [...native.warnings, ...(native.uncertainPixels === undefined ? [] : [native.uncertainPixels])],
    ...(icc !== undefined && { icc }),
    ...(native.uncertainPixels !== undefined && { uncertainPixels: native.uncertainPixels }),
    viewer: { tileSizePx, maxLevel: maxLevel(level0.width, level0.height, tileSizePx) },
  }
}
