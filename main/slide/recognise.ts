// What a slide is stained with, told from its overview's colours: counted in integers, so the same wherever it is opened.
import type { Recognition } from '../../app/contract'
import { status, tokenOf } from '../../native/index'
import { EngineError } from '../base/errors'
import type { OpenSlide } from './slides'

/** Of the overview's long side. */
const sidePx = 1024
/** How many px of the file a px of the overview may cost: of larger levels one in n × n stands for its neighbours. */
const mostLevelPxPerPx = 256
/** What a file claims bounds no reading: tiles may be slow ones. */
const mostMs = 8_000
/** Below, a camera saw no light. */
const darkBelow = 64
/** From here in all three channels: glass, or pale tissue, which no fluorescence has. */
const paleFrom = 128
/** A pixel has a colour where its channels differ by so much, and one where its least is so far below the others. */
const leastChroma = 16
const leastGap = 6

/**
 * Fluorescence is dark nearly everywhere and pale hardly anywhere. What is stained and seen in light that comes through lacks green where it is
 * H&E (red to violet), blue where it is brown, red where hematoxylin stands alone, as beside DAB. Pixels count by how much colour they have.
 */
export function recognise(rgba: Uint8Array): Recognition {
  const pixels = rgba.length / 4
  let dark = 0
  let pale = 0
  let colored = 0
  const lacks = { red: 0, green: 0, blue: 0 }
  for (let i = 0; i < rgba.length; i += 4) {
    const r = rgba[i]!
    const g = rgba[i + 1]!
    const b = rgba[i + 2]!
    const most = Math.max(r, g, b)
    const least = Math.min(r, g, b)
    if (most < darkBelow) dark += 1
    if (least >= paleFrom) pale += 1
    const chroma = most - least
    const gap = r + g + b - most - 2 * least
    if (chroma < leastChroma || gap < leastGap) continue
    colored += 1
    lacks[least === g ? 'green' : least === b ? 'blue' : 'red'] += chroma
  }
  const percent = (part: number, of: number): number => (of > 0 ? Math.floor((100 * part) / of) : 0)
  if (2 * dark > pixels && 20 * pale < pixels && dark < pixels)
    return { stain: 'fluorescence', percent: percent(dark, pixels), recipe: 'fluorescence-nuclei' }
  if (1000 * colored < pixels) return { stain: 'unknown', percent: 0, recipe: null }
  const all = lacks.red + lacks.green + lacks.blue
  const brownOrBlue = lacks.red + lacks.blue
  return lacks.green >= brownOrBlue
    ? { stain: 'h-e', percent: percent(lacks.green, all), recipe: 'he-nuclei' }
    : { stain: 'h-dab', percent: percent(brownOrBlue, all), recipe: 'ihc-nuclei' }
}

/** Of the slide's bounds. Throws SLIDE_UNREADABLE where parts of its overview cannot be read, or not in time: the rest would tell of nothing else. */
export async function recogniseSlide(
  { info, native }: Pick<OpenSlide, 'info' | 'native'>,
  signal?: AbortSignal,
  withinMs = mostMs,
): Promise<Recognition> {
  const { x, y, width, height } = info.bounds
  const scale = Math.max(1, Math.max(width, height) / sidePx)
  const size = { width: Math.max(1, Math.floor(width / scale)), height: Math.max(1, Math.floor(height / scale)) }
  // Shares of colours are asked for, and a command waits for nothing else.
  const limits = { mostLevelPxPerPx, threads: status().threads, rough: true, whole: true }
  const late = AbortSignal.timeout(withinMs)
  const token = tokenOf(signal ? AbortSignal.any([signal, late]) : late)
  const read = await native
    .readScaled(scale, Math.floor(x / scale), Math.floor(y / scale), size.width, size.height, token, limits)
    .catch((error: unknown) => {
      if (!late.aborted || signal?.aborted) throw error
      throw new EngineError('SLIDE_UNREADABLE', `The slide's overview could not be read within ${withinMs / 1000} s.`)
    })
  const [hole] = read.unreadable
  if (hole) throw new EngineError('SLIDE_UNREADABLE', `The slide's overview could not be read (${hole.reason}).`)
  return recognise(read.rgba)
}
