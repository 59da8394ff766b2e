// A sample of a slide's tissue at the analysed resolution: what adapts to the slide adapts to this, so never to a tile or a region.
import type { CancelToken, ReadLimits, ScaledRead, Slide } from '../../native/index'
import { intersects, scaled } from '../base/rect'
import type { PixelRect } from '../base/rect'
import { dimTop, spreadTo } from './dimSamples'

const patchPx = 512
/** Of a slide that is sampled whole unless a part of it cannot be read. */
const smallPatchPx = 256
const maxPatches = 16
/** Slides up to this size are sampled whole. */
const wholePixels = 4_000_000
/** Width and height that one patch has in the low-resolution picture that patches are chosen from. */
const scoutPx = 8
/** How many px of the file a scouting picture may cost: beyond, only some patches are scouted, each by itself. */
const scoutBudgetPixels = 128_000_000
const maxScoutedAlone = 128
/** Among so many places those that are scouted alone are chosen: a file can claim any number. */
const maxPlaces = 2 ** 20
/** Where places cannot be read, others are tried: so many in all. */
const maxTried = 64

export interface Sample {
  rgba: Uint8Array<ArrayBuffer>
  /** The same at 16 bits, of a slide that has them. */
  deep?: Uint16Array<ArrayBuffer>
  width: number
  height: number
  /** Places that belong into the sample and could not be read in full; others were taken instead. */
  passedOver: number
  /** Parts of the sample itself that hold the background's colour, as no place could be read in full; why, of the first. */
  holes: number
  reason: string
}

interface Source {
  native: Pick<Slide, 'readScaled'>
  /** Level-0 px per analysed px. */
  scale: number
  /** The part of the slide to sample, analysed px. */
  area: PixelRect
  /** Of the file's levels. */
  downsamples: readonly number[]
  token?: CancelToken | undefined
  /** That decode; 1 where absent. */
  threads?: number | undefined
  /** It has 16 bits. */
  deep?: boolean | undefined
}
/** The patches of a slide: columns × rows of them, from the corner of the area. */
interface Patches {
  columns: number
  rows: number
  width: number
  height: number
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

/** Which patches to take first: most tissue; those within an eighth of each other count as equal and are spread. Without those of none. */
function ranked(scores: ReadonlyMap<number, number>, perPatch: number): number[] {
  const rank = (index: number): number => Math.ceil((scores.get(index)! * 8) / perPatch)
  return [...scores.keys()]
    .filter((index) => scores.get(index)! > 0)
    .sort((a, b) => rank(b) - rank(a) || scatter(a) - scatter(b) || a - b)
}

/** Which patches a slide is sampled by where all can be read. Raster order. */
export function choosePatches(scores: readonly number[], perPatch: number, count: number): number[] {
  const chosen = ranked(new Map(scores.entries()), perPatch).slice(0, count)
  // Glass all over: any patch is as good, but there must be one.
  if (chosen.length === 0 && scores.length > 0) chosen.push(Math.floor(scores.length / 2))
  return chosen.sort((a, b) => a - b)
}

interface Scores {
  /** How much tissue a patch shows, by its index; those that were not looked at, or could not be read, are not there. */
  found: Map<number, number>
  unreadable: number
}

async function scores(source: Source, patches: Patches): Promise<Scores> {
  const { native, scale, area } = source
  const { columns, rows } = patches
  const found = new Map<number, number>()
  let unreadable = 0
  const step = Math.max(1, Math.min(patches.width, patches.height) / scoutPx)
  const scoutScale = scale * step
  const finest = Math.max(...source.downsamples.filter((d) => d <= scoutScale * 1.01), 1)
  const cost = ((area.width * scale) / finest) * ((area.height * scale) / finest)
  // Each patch is scored on its own scoutPx × scoutPx square, wherever the picture comes from.
  const side = { x: Math.floor(area.x / step), y: Math.floor(area.y / step) }
  const cell = { width: Math.max(1, Math.floor(patches.width / step)), height: Math.max(1, Math.floor(patches.height / step)) }
  const read = (x: number, y: number, width: number, height: number): Promise<ScaledRead> =>
    native.readScaled(scoutScale, side.x + x, side.y + y, width, height, source.token, limitsOf(source))
  if (cost <= scoutBudgetPixels) {
    const picture = await read(0, 0, columns * cell.width, rows * cell.height)
    brighten([picture])
    for (let i = 0; i < columns * rows; i++) {
      const at = { x: (i % columns) * cell.width, y: Math.floor(i / columns) * cell.height, ...cell }
      const onSlide = scaled({ ...at, x: side.x + at.x, y: side.y + at.y }, scoutScale)
      if (picture.unreadable.some(({ region }) => intersects(region, onSlide))) unreadable += 1
      else found.set(i, tissuePixels(picture.rgba, picture.width, at))
    }
    return { found, unreadable }
  }
  const pictures = new Map<number, ScaledRead>()
  for (const i of places(columns * rows)) {
    const picture = await read((i % columns) * cell.width, Math.floor(i / columns) * cell.height, cell.width, cell.height)
    if (picture.unreadable.length > 0) unreadable += 1
    else pictures.set(i, picture)
  }
  brighten([...pictures.values()])
  for (const [i, { rgba, width }] of pictures) found.set(i, tissuePixels(rgba, width, { x: 0, y: 0, ...cell }))
  return { found, unreadable }
}

/** Pictures of samples at 16 bits that are dim together: as tissue is looked for in them, at their own depth. */
function brighten(pictures: readonly ScaledRead[]): void {
  const all = new Uint16Array(pictures.reduce((sum, { deep }) => sum + (deep?.length ?? 0), 0))
  let at = 0
  for (const { deep } of pictures) {
    if (!deep) return
    all.set(deep, at)
    at += deep.length
  }
  const { top } = dimTop(all)
  // What is as bright as that is not as bright as glass; what outshines it is.
  if (top !== null) for (const { rgba, deep } of pictures) spreadTo(rgba, deep!, top * 1.3)
}

/** The patches that are looked at where not all can be: the first in the shuffle. */
function places(count: number): number[] {
  const some = Math.min(count, maxPlaces)
  const indices = Array.from({ length: some }, (_, i) => (some === count ? i : Math.floor((i * count) / some)))
  return indices.sort((a, b) => scatter(a) - scatter(b) || a - b).slice(0, maxScoutedAlone)
}

interface Read {
  index: number
  read: ScaledRead
}

/** The best patches that can be read in full; where there are none, the best as they are. */
async function readBest(source: Source, patches: Patches): Promise<{ chosen: Read[]; passedOver: number }> {
  const { native, scale, area } = source
  const { found, unreadable } = await scores(source, patches)
  const count = patches.columns * patches.rows
  const order = ranked(found, scoutPx * scoutPx)
  // Glass all over: any patch is as good. Where not even that is known, some may be read at full resolution.
  if (order.length === 0) order.push(...(found.size > 0 ? [Math.floor(count / 2)] : places(count)))
  const chosen: Read[] = []
  const damaged: Read[] = []
  for (const index of order.slice(0, maxTried)) {
    if (chosen.length === maxPatches) break
    const x = area.x + (index % patches.columns) * patches.width
    const y = area.y + Math.floor(index / patches.columns) * patches.height
    const read = await native.readScaled(scale, x, y, patches.width, patches.height, source.token, limitsOf(source))
    if (read.unreadable.length === 0) chosen.push({ index, read })
    else if (damaged.length < maxPatches) damaged.push({ index, read })
  }
  return chosen.length > 0 ? { chosen, passedOver: damaged.length + unreadable } : { chosen: damaged, passedOver: unreadable }
}

const limitsOf = ({ threads = 1, deep = false }: Source): ReadLimits => ({ threads, ...(deep && { deep }) })

/** Patches side by side in one image, always the same for a slide and scale. */
export async function overviewSample(source: Source): Promise<Sample> {
  const { native, scale, area } = source
  const small = area.width * area.height <= wholePixels
  if (small) {
    const { rgba, deep, width, height, unreadable } = await native.readScaled(
      scale,
      area.x,
      area.y,
      area.width,
      area.height,
      source.token,
      limitsOf(source),
    )
    if (unreadable.length === 0) return { rgba, ...(deep && { deep }), width, height, passedOver: 0, holes: 0, reason: '' }
  }
  const side = small ? smallPatchPx : patchPx
  const size = { width: Math.min(side, area.width), height: Math.min(side, area.height) }
  const patches = { ...size, columns: Math.floor(area.width / size.width), rows: Math.floor(area.height / size.height) }
  const { chosen, passedOver } = await readBest(source, patches)
  chosen.sort((a, b) => a.index - b.index)
  const across = Math.ceil(Math.sqrt(chosen.length))
  const kept = chosen.slice(0, chosen.length - (chosen.length % across))
  const width = across * patches.width
  const height = (kept.length / across) * patches.height
  const rgba = new Uint8Array(width * height * 4)
  const deep = source.deep ? new Uint16Array(width * height) : undefined
  for (const [n, { read }] of kept.entries()) {
    for (let row = 0; row < patches.height; row++) {
      const from = row * patches.width
      const to = (Math.floor(n / across) * patches.height + row) * width + (n % across) * patches.width
      rgba.set(read.rgba.subarray(from * 4, (from + patches.width) * 4), to * 4)
      if (read.deep) deep?.set(read.deep.subarray(from, from + patches.width), to)
    }
  }
  const holes = kept.flatMap(({ read }) => read.unreadable)
  return { rgba, ...(deep && { deep }), width, height, passedOver, holes: holes.length, reason: holes[0]?.reason ?? '' }
}
