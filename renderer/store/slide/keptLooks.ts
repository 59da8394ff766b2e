// How channels are shown, as the document has it: brought when their slide is opened, and kept a moment after a person changed one.
import type { SlideInfo } from '../../../app/contract'
import { api } from '../../api'
import { tellError } from '../base/notify'
import { looksOf } from '../slices/channelsSlice'
import { getState, update } from '../store'
import { words } from '../../words'

const restsMs = 300

/** `anew`: what this window has set is another document's. */
export async function bringLooks({ slideId, path, channels }: SlideInfo, anew = false): Promise<void> {
  const result = await api().call('slide:looks', { slideId })
  const kept = result.ok ? result.value : null
  if (kept?.length !== channels.length) return
  update('channels', (state) =>
    anew || state.looks[path] === undefined ? { ...state, looks: { ...state.looks, [path]: kept } } : state,
  )
}

let waiting: { readonly info: SlideInfo; readonly timer: ReturnType<typeof setTimeout> } | null = null
/** A slider's every step would be a change on the disk; and of a project that cannot be written that is said once. */
let failed: string | null = null

export function keepLooksSoon(info: SlideInfo): void {
  if (waiting && waiting.info !== info) keepLooksNow()
  if (waiting) clearTimeout(waiting.timer)
  waiting = { info, timer: setTimeout(keepLooksNow, restsMs) }
}

/** What waits is kept before its slide goes. */
export function keepLooksNow(): void {
  if (!waiting) return
  const { info, timer } = waiting
  clearTimeout(timer)
  waiting = null
  void keep(info)
}

async function keep(info: SlideInfo): Promise<void> {
  const looks = looksOf(getState().channels, info).map((look) => ({ ...look }))
  const result = await api().call('slide:keepLooks', { slideId: info.slideId, looks })
  if (result.ok) failed = null
  else if (result.error.code !== 'ENGINE_LOST' && failed !== info.path) {
    failed = info.path
    tellError(result.error, words.channels.title)
  }
}
