// A sample of a slide's tissue at the analysed resolution: what adapts to the slide adapts to this, so never to a tile or a region.
import type { Slide } from '../../native/index'
import type { PixelRect } from '../run/plan'

const patchPx = 512
const maxPatches = 16
/** Slides up to this size are sampled whole. */
const wholePixels = 4_000_000
/** Width and height that one patch has in the low-resolution picture that patches are chosen from. */
const scoutPx = 8
/** How many px of the file a scouting picture may cost: beyond, only some patches are scouted, each by itself. */
const scoutBudgetPixels = 128_000_000
const maxScoutedAlone = 128

export interface Sample {
  rgba: Uint8Array<ArrayBuffer>
  width: number
  height: number
}

interface Source {
  native: Slide
  /** Level-0 px per analysed px. */
  scale: number
  /** The part of the slide to sample, analysed px. */
  area: PixelRect
  /** Of the file's levels. */
  downsamples: readonly number[]
}

/** How much tissue a picture shows: pixels that are neither as bright as glass nor black, or that have a colour. */
export function tissuePixels(rgba: Uint8Array, width: number, rect: PixelRect): number {
  let count = 0
  for (let y = rect.y; y < rect.y + rect.height; y++) {
    for (let x = rect.x; x < rect.x + rect.width; x++) {
      const i = (y * width + x) * 4
      const high = Math.max(rgba[i]!, rgba[i + 1]!, rgba[i + 2]!)
      const low = Math.min(rgba[i]!, rgba[i + 1]!, rgba[i + 2]!)
      if (high - low > 15 || (low < 210 && high > 25)) count += 1
    }
  }
  return count
}

/** A fixed shuffle of small integers: it spreads equally good patches over the slide instead of along its top. */
function scatter(index: number): number {
  let h = Math.imul(index + 1, 0x9e3779b1)
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b)
  return (h ^ (h >>> 13)) >>> 0
}

/** Which patches to take, most tissue first; those within an eighth of each other count as equal and are spread. Raster order. */
export function choosePatches(scores: readonly number[], perPatch: number, count: number): number[] {
  const rank = (score: number): number => Math.ceil((score * 8) / perPatch)
  const order = scores.map((_, index) => index).filter((index) => scores[index]! > 0)
  order.sort((a, b) => rank(scores[b]!) - rank(scores[a]!) || scatter(a) - scatter(b) || a - b)
  const chosen = order.slice(0, count)
  // Glass all over: any patch is as good, but there must be one.
  if (chosen.length === 0 && scores.length > 0) chosen.push(Math.floor(scores.length / 2))
  return chosen.sort((a, b) => a - b)
}

async function scores(
  source: Source,
  columns: number,
  rows: number,
  patch: { width: number; height: number },
): Promise<number[]> {
  const { native, scale, area } = source
  const result = new Array<number>(columns * rows).fill(0)
  const step = Math.max(1, Math.min(patch.width, patch.height) / scoutPx)
  const scoutScale = scale * step
  const finest = Math.max(...source.downsamples.filter((d) => d <= scoutScale * 1.01), 1)
  const cost = ((area.width * scale) / finest) * ((area.height * scale) / finest)
  // Each patch is scored on its own scoutPx × scoutPx square, wherever the picture comes from.
  const side = { x: Math.floor(area.x / step), y: Math.floor(area.y / step) }
  const cell = { width: Math.max(1, Math.floor(patch.width / step)), height: Math.max(1, Math.floor(patch.height / step)) }
  if (cost <= scoutBudgetPixels) {
    const picture = await native.readScaled(scoutScale, side.x, side.y, columns * cell.width, rows * cell.height)
    for (let i = 0; i < result.length; i++) {
      const at = { x: (i % columns) * cell.width, y: Math.floor(i / columns) * cell.height, ...cell }
      result[i] = tissuePixels(picture.rgba, picture.width, at)
    }
    return result
  }
  const some = result
    .map((_, index) => index)
    .sort((a, b) => scatter(a) - scatter(b) || a - b)
    .slice(0, maxScoutedAlone)
  for (const i of some) {
    const x = side.x + (i % columns) * cell.width
    const y = side.y + Math.floor(i / columns) * cell.height
    const picture = await native.readScaled(scoutScale, x, y, cell.width, cell.height)
    result[i] = tissuePixels(picture.rgba, picture.width, { x: 0, y: 0, ...cell })
  }
  return result
}

/** Patches side by side in one image, always the same for a slide and scale. */
export async function overviewSample(source: Source): Promise<Sample> {
  const { native, scale, area } = source
  if (area.width * area.height <= wholePixels) {
    const { rgba, width, height } = await native.readScaled(scale, area.x, area.y, area.width, area.height)
    return { rgba, width, height }
  }
  const patch = { width: Math.min(patchPx, area.width), height: Math.min(patchPx, area.height) }
  const columns = Math.floor(area.width / patch.width)
  const rows = Math.floor(area.height / patch.height)
  const chosen = choosePatches(await scores(source, columns, rows, patch), scoutPx * scoutPx, maxPatches)
  const across = Math.ceil(Math.sqrt(chosen.length))
  const kept = chosen.slice(0, chosen.length - (chosen.length % across))
  const width = across * patch.width
  const height = (kept.length / across) * patch.height
  const rgba = new Uint8Array(width * height * 4)
  for (const [n, i] of kept.entries()) {
    const x = area.x + (i % columns) * patch.width
    const y = area.y + Math.floor(i / columns) * patch.height
    const read = await native.readScaled(scale, x, y, patch.width, patch.height)
    for (let row = 0; row < patch.height; row++) {
      const from = row * patch.width * 4
      const to = ((Math.floor(n / across) * patch.height + row) * width + (n % across) * patch.width) * 4
      rgba.set(read.rgba.subarray(from, from + patch.width * 4), to)
    }
  }
  return { rgba, width, height }
}
