// `morphoscope op NAME --tile`: one operation on files that may be larger than memory, tile by tile on all the devices asked for.
import { stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { callRegion, createCancelToken } from '../../../main/engine'
import { asRegionImage, openByParts, packedPx, writeByParts } from '../../../main/ops'
import type { OpInfo, PixelType, RegionResult, RegionVisit } from '../../../main/engine'
import type { PartedImage, Scratch } from '../../../main/ops'
import { deviceList } from '../deviceName'
import { CliError, ExitCode } from '../exitCodes'
import { checkOutputs, flagOf, usage } from './opFlags'
import type { OpReport, OpRequest } from './op'
import { duration } from '../terminal'
import type { Terminal } from '../terminal'

export interface TileOptions {
  /** Px a side. */
  tile?: number | undefined
  memoryMiB?: number | undefined
  /** "all", or names. */
  devices?: string | undefined
  scratch?: string | undefined
  cpu?: 'cores' | 'group' | undefined
}
export interface TileReport extends OpReport {
  tile: number
  workers: number
  /** By step: visits of tiles, and how many of them each device made. */
  visits: Record<string, Record<string, number>>
  notes: string[]
  timeline: RegionVisit[]
}

const defaultTile = 4096

/** Are images so large that only tiles will do? One in memory has at most 2^28 px, and 2^30 bytes. */
export async function needsTiles(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined)
    if (found && found.size > 2 ** 30) return true
    if (found && (await packedPx(path)) > 2 ** 28) return true
  }
  return false
}

function countVisits(visits: readonly RegionVisit[]): Record<string, Record<string, number>> {
  const counts: Record<string, Record<string, number>> = {}
  for (const { step, device } of visits) {
    const of = (counts[step] ??= {})
    of[device] = (of[device] ?? 0) + 1
  }
  return counts
}

/** The type of what comes out: the slot's own where it has one, else that of the images that share the choice. */
function outputType(info: OpInfo, inputs: readonly { slot: OpInfo['inputs'][number]; type: PixelType }[]): PixelType {
  const [out] = info.outputs
  if (out!.types.length === 1) return out!.types[0]!
  return inputs.find(({ slot }) => slot.types.length > 1 && slot.name !== 'markers')!.type
}

interface Opened {
  readonly slot: OpInfo['inputs'][number]
  readonly image: PartedImage
}

export async function runOpInTiles(
  info: OpInfo,
  request: OpRequest,
  options: TileOptions,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<TileReport> {
  const { inputs, outputs, params, overwrite = false } = request
  const path = outputs[info.outputs[0]!.name]
  if (path === undefined) throw usage(`expected a file for --out of ${info.name} but received none`)
  await checkOutputs(Object.values(inputs), [path], overwrite)
  for (const { name, required } of info.params) {
    if (required && params[name] === undefined)
      throw usage(`expected a value for --${flagOf(name)} of ${info.name} but received none`)
  }
  const progress = (doing: string, done: number): void => terminal.progress(`${doing}: ${Math.floor(100 * done)} %`, done)
  const scratch = { folder: options.scratch ?? tmpdir(), signal, progress }
  const images: Opened[] = []
  try {
    for (const slot of info.inputs) {
      const from = inputs[slot.name]
      if (from === undefined) {
        if (slot.optional) continue
        throw usage(`expected a file for --${flagOf(slot.name)} of ${info.name} but received none`)
      }
      images.push({ slot, image: await openByParts(from, scratch) })
    }
    return await compute(info, request, options, path, images, scratch, terminal)
  } catch (error) {
    if (signal?.aborted) throw new CliError(ExitCode.interrupted, 'Cancelled: no file was written.')
    throw error
  } finally {
    terminal.endProgress()
    for (const { image } of images) await image.dispose?.()
  }
}

/** The operation itself, from images that are open to the file. */
async function compute(
  info: OpInfo,
  { params, threads, device }: OpRequest,
  options: TileOptions,
  path: string,
  images: readonly Opened[],
  scratch: Scratch,
  terminal: Terminal,
): Promise<TileReport> {
  const [slotOut] = info.outputs
  const type = outputType(
    info,
    images.map(({ slot, image }) => ({ slot, type: image.type })),
  )
  const { width, height } = images[0]!.image
  const counts = new Int32Array(2)
  const token = createCancelToken()
  const cancel = (): void => token.cancel()
  scratch.signal?.addEventListener('abort', cancel)
  if (scratch.signal?.aborted) cancel()
  const tile = options.tile ?? defaultTile
  const devices = device === 'cpu' ? await deviceList(options.devices ?? 'cpu') : [device]
  const begun = performance.now()
  const show = setInterval(() => {
    const [done = 0, left = 0] = counts
    if (done === 0 || left === 0) return
    const ms = performance.now() - begun
    terminal.progress(
      `${done} of ${done + left} tiles, ${duration(ms)}, ${duration((ms / done) * left)} left in this step`,
      done / (done + left),
    )
  }, 500)
  show.unref()
  let result: RegionResult
  try {
    result = await writeByParts(path, slotOut!.name, { width, height, type }, scratch, async (output) =>
      callRegion(
        {
          name: info.name,
          inputs: images.map(({ slot, image }) => asRegionImage(slot.name, image)),
          output,
          params,
          tile,
          memoryBytes: (options.memoryMiB ?? 0) * 2 ** 20,
          scratchFolder: scratch.folder,
          threads: Math.max(threads, devices.some((name) => name !== 'cpu') ? availableParallelism() : 1),
          devices,
          cpu: options.cpu ?? 'cores',
          progress: counts,
        },
        token,
      ),
    )
  } finally {
    clearInterval(show)
    scratch.signal?.removeEventListener('abort', cancel)
  }
  for (const note of result.notes) terminal.note(`warning: ${note}`)
  return {
    op: info.name,
    device: devices.join(','),
    variant: typeof params['variant'] === 'string' ? params['variant'] : 'auto',
    ms: result.ms,
    steps: [{ name: 'compute', ms: result.ms }],
    scalars: result.scalars,
    outputs: [{ name: slotOut!.name, path, width, height, type }],
    tile,
    workers: result.workers,
    visits: countVisits(result.visits),
    notes: result.notes,
    timeline: result.visits,
  }
}
