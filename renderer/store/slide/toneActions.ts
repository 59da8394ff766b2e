// Changes how the slide's picture is shown. Another slide starts as its file has it.
import { words } from '../../words'
import { tell } from '../base/notify'
import { isPlain, plainTone, type Channel, type Curve, type Stretch, type Tint } from '../slices/toneSlice'
import { getState, patch, update, useStore } from '../store'

/** `channel` null: of all three. */
export function setCurve(channel: Channel | null, part: Partial<Curve>): void {
  update('tone', (tone) =>
    channel === null
      ? { ...tone, all: { ...tone.all, ...part } }
      : { ...tone, own: { ...tone.own, [channel]: { ...tone.own[channel], ...part } } },
  )
}
export const showChannel = (channel: Channel, shown: boolean): void =>
  update('tone', (tone) => ({ ...tone, shown: { ...tone.shown, [channel]: shown } }))
export const setTint = (channel: Channel, tint: Tint): void =>
  update('tone', (tone) => ({ ...tone, tint: { ...tone.tint, [channel]: tint } }))
export const resetTone = (): void => update('tone', ({ opened }) => ({ ...plainTone, opened }))
/** Returns whether there was something to close. */
export function leaveTone(): boolean {
  if (!getState().tone.opened) return false
  patch('tone', { opened: false })
  return true
}
export const toggleTone = (): void => update('tone', (tone) => ({ ...tone, opened: !tone.opened }))

/** What the slide's overview is best shown by, and of which file it was found. */
let found: { readonly path: string; readonly stretch: Stretch; readonly needed: boolean } | null = null

/** A picture that would be almost black is stretched when it opens; whoever has set it back or otherwise keeps that. */
export function stretchFound(path: string, stretch: Stretch, needed: boolean): void {
  const isNew = found?.path !== path
  found = { path, stretch, needed }
  const { slide, tone } = getState()
  if (isNew && needed && slide.info?.path === path && isPlain(tone)) patch('tone', { stretch })
}

/** By the overview, whatever the slide. */
export function autoTone(): void {
  const path = getState().slide.info?.path
  if (!path) return
  if (found?.path !== path) return tell(words.tone.overviewBusy, words.tone.autoContrast)
  patch('tone', { stretch: found.stretch })
}

useStore.subscribe((state, before) => {
  if (state.slide.info?.path === before.slide.info?.path) return
  patch('tone', plainTone)
  found = null
})
