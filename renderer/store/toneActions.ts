// Changes how the slide's picture is shown. Another slide starts as its file has it.
import { plainTone, type Channel, type Curve, type Tint } from './toneSlice'
import { getState, patch, update, useStore } from './store'

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

useStore.subscribe((state, before) => {
  if (state.slide.info?.path !== before.slide.info?.path) patch('tone', plainTone)
})
