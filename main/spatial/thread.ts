// What runs in a thread of its own (dist/spatialThread.mjs): regions come in parts, then the objects; the columns go back.
import { parentPort } from 'node:worker_threads'
import type { Shape } from '../../app/contract'
import { measureSpatial, TangledRegions } from './measure'
import type { SpatialInput, SpatialValues } from './measure'

/** `regions`: of the class of that number. */
export type ToThread =
  | { readonly regions: readonly Shape[]; readonly of: number }
  | { readonly measure: Omit<SpatialInput, 'regions'>; readonly regionClasses: number }
export type FromThread =
  | { readonly progress: number }
  | { readonly values: SpatialValues }
  | { readonly tangled: number }
  | { readonly failed: string }

const port = parentPort!
const regions: Shape[][] = []
port.on('message', (message: ToThread) => {
  if ('regions' in message) {
    ;(regions[message.of] ??= []).push(...message.regions)
    return
  }
  const say = (what: FromThread, transfer: ArrayBuffer[] = []): void => port.postMessage(what, transfer)
  let told = 0
  try {
    const all = Array.from({ length: message.regionClasses }, (_, i) => regions[i] ?? [])
    const values = measureSpatial({ ...message.measure, regions: all }, (share) => {
      if (share - told < 0.01) return
      told = share
      say({ progress: share })
    })
    const columns = Object.values(values).flatMap((each: SpatialValues[keyof SpatialValues]) => each ?? [])
    say(
      { values },
      columns.map(({ buffer }) => buffer),
    )
  } catch (error) {
    say(error instanceof TangledRegions ? { tangled: error.of } : { failed: String((error as Error).stack ?? error) })
  }
  port.close()
})
