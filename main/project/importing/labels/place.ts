// Where a label image lies on a slide: as somebody said, as our own file says, or by its size alone where that leaves no doubt. Pure.
import type { ImagePlace, SlideInfo, Unplaced } from '../../../../app/contract'
import type { Corner } from '../../../base/corner'
import { EngineError } from '../../../base/errors'

/** Level-0 px: its corner, and how many a px of it is. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly scale: number
  /** What nobody said and everybody should know. */
  readonly note: string | null
}

interface Sized {
  readonly width: number
  readonly height: number
  /** A TIFF's. */
  readonly description: string
}

type SlideSize = Pick<SlideInfo, 'widthPx' | 'heightPx' | 'bounds'>

/** `corner`: where the coordinates begin that somebody asked for. Throws INVALID_PARAMETER where none of it would lie on the slide. */
export function placeOf(
  called: string,
  image: Sized,
  slide: SlideSize,
  asked: { readonly place?: ImagePlace | undefined; readonly corner: Corner | null },
): Place | Unplaced {
  const { width, height } = image
  const place = found(image, slide, asked)
  if (place === null) return { width, height, ...wholeScale(image, slide) }
  const { x, y, scale } = place
  if (x >= slide.widthPx || y >= slide.heightPx || x + width * scale <= 0 || y + height * scale <= 0)
    throw new EngineError(
      'INVALID_PARAMETER',
      `No px of ${called} lies on the slide: ${width} × ${height} px from ${x}, ${y} on, each ${scale} px of the slide.`,
    )
  return place
}

function found(
  image: Sized,
  { widthPx, heightPx, bounds }: SlideSize,
  { place, corner }: { readonly place?: ImagePlace | undefined; readonly corner: Corner | null },
): Place | null {
  const { width, height, description } = image
  const from = corner ?? { x: 0, y: 0 }
  if (place) return { x: place.x ?? from.x, y: place.y ?? from.y, scale: place.scale ?? 1, note: null }
  const own = ownPlace(description)
  if (own) return { ...own, scale: 1, note: null }
  const is = (w: number, h: number): boolean => width === w && height === h
  if (corner && is(bounds.width, bounds.height)) return { ...corner, scale: 1, note: null }
  if (is(widthPx, heightPx)) return { x: 0, y: 0, scale: 1, note: null }
  if (is(bounds.width, bounds.height))
    return {
      x: bounds.x,
      y: bounds.y,
      scale: 1,
      note: `it has the size of the slide’s bounds, and was laid at their corner, ${bounds.x}, ${bounds.y}`,
    }
  return null
}

/** Where it is as long and wide as the slide, but of larger or smaller px: how large, within a px of its own. */
function wholeScale({ width, height }: Sized, { widthPx, heightPx }: SlideSize): { readonly scale: number | null } {
  const scale = [Math.round(widthPx / width), widthPx / width, heightPx / height].find(
    (each) => each > 0 && Math.abs(widthPx / each - width) < 1 && Math.abs(heightPx / each - height) < 1,
  )
  return { scale: scale ?? null }
}

/** Of a labels.ome.tif of ours, which says it in its OME-XML. */
function ownPlace(description: string): { x: number; y: number } | null {
  const xml = description.slice(0, 65_536)
  if (!/<OME [^<>]*Creator="Morphoscope /.test(xml)) return null
  const number = (pattern: RegExp): number => Number(pattern.exec(xml)?.[1] ?? NaN)
  const unit = /<Plane [^<>]*PositionXUnit="([^"<>]*)"/.exec(xml)?.[1]
  const sizes = unit === 'pixel' ? [1, 1] : [number(/PhysicalSizeX="([^"<>]*)"/), number(/PhysicalSizeY="([^"<>]*)"/)]
  const [, boundsX = '0', boundsY = '0'] = /bounds, at level-0 px (\d+), (\d+)\./.exec(xml) ?? []
  const x = Math.round(number(/<Plane [^<>]*PositionX="([^"<>]*)"/) / sizes[0]!) + Number(boundsX)
  const y = Math.round(number(/<Plane [^<>]*PositionY="([^"<>]*)"/) / sizes[1]!) + Number(boundsY)
  return Number.isSafeInteger(x) && Number.isSafeInteger(y) && x >= 0 && y >= 0 ? { x, y } : null
}
