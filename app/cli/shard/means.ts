// What a step of a slide's run computes with: threads, devices, and the memory that it may hold.
import type { Engine } from '../../../main/engine'
import { deviceList } from '../deviceName'
import { valueOf } from '../exitCodes'
import type { RunOptions } from '../run/run'

export interface Means {
  readonly threads?: number
  readonly device?: string
}

/** The engine holds to the memory from now on. */
export async function meansOf(engine: Engine, { threads, device, devices, memory }: RunOptions): Promise<Means> {
  const named = devices === undefined ? device : (await deviceList(devices)).join(',')
  if (memory !== undefined) valueOf(await engine.call('settings:set', { memoryMiB: memory }))
  return { ...(threads === undefined ? {} : { threads }), ...(named === undefined ? {} : { device: named }) }
}
