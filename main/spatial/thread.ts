// What runs in a thread of its own (dist/spatialThread.mjs): regions come in parts, then the objects; what they come to goes back.
import { parentPort } from 'node:worker_threads'
import type { Shape } from '../../app/contract'
import { measureBands } from './bands'
import { mapDensity } from './densityMap'
import { measureSpatial, TangledRegions } from './measure'

/** Each takes what is asked for, with its regions, and whom to tell the share that is done. */
export const works = { columns: measureSpatial, bands: measureBands, map: mapDensity } as const
export type Work = keyof typeof works
export type InputOf<W extends Work> = Parameters<(typeof works)[W]>[0]
export type ValueOf<W extends Work> = ReturnType<(typeof works)[W]>

/** `regions`: of the class of that number. */
export type ToThread =
  | { readonly regions: readonly Shape[]; readonly of: number }
  | {
      readonly [W in Work]: { readonly work: W; readonly input: Omit<InputOf<W>, 'regions'>; readonly regionClasses: number }
    }[Work]
export type FromThread =
  | { readonly progress: number }
  | { readonly value: unknown }
  | { readonly tangled: number }
  | { readonly failed: string }

const port = parentPort
const regions: Shape[][] = []
port?.on('message', (message: ToThread) => {
  if ('regions' in message) {
    ;(regions[message.of] ??= []).push(...message.regions)
    return
  }
  const say = (what: FromThread, transfer: ArrayBuffer[] = []): void => port.postMessage(what, transfer)
  let told = 0
  try {
    const all = Array.from({ length: message.regionClasses }, (_, i) => regions[i] ?? [])
    const work = works[message.work] as (input: object, progress: (share: number) => void) => unknown
    const value = work({ ...message.input, regions: all }, (share) => {
      if (share - told < 0.01) return
      told = share
      say({ progress: share })
    })
    say({ value }, [...buffersIn(value)])
  } catch (error) {
    say(error instanceof TangledRegions ? { tangled: error.of } : { failed: String((error as Error).stack ?? error) })
  }
  port.close()
})

/** Of the typed arrays that a value holds. */
function buffersIn(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer)
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) buffersIn(each, found)
  return found
}
