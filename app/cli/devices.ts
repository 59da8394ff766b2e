// `morphoscope devices`: what this machine can compute with, and why it cannot with more.
import { noun } from '../contract'
import type { Engine } from '../../main/engine'
import type { AppInfo } from '../contract'
import { valueOf } from './exitCodes'
import { table } from './terminal'
import type { Terminal } from './terminal'

export async function devices(engine: Engine, terminal: Terminal, { json }: { json?: boolean | undefined }): Promise<void> {
  const { version, devices: found, gpuReason, openslide } = valueOf(await engine.call('app:info', {})) as AppInfo
  if (json) return terminal.print(JSON.stringify({ version, devices: found, gpuReason, openslide }, null, 2))
  const rows = found.map(({ id, name, threads, memoryMiB, computeCapability, multiprocessors }): [string, string] => [
    id,
    [
      name,
      threads && `${threads} ${noun(threads, 'thread')}`,
      memoryMiB && `${memoryMiB} MiB`,
      computeCapability && `compute capability ${computeCapability}`,
      multiprocessors && `${multiprocessors} multiprocessors`,
    ]
      .filter(Boolean)
      .join(', '),
  ])
  if (gpuReason) rows.push(['no GPU', `0 devices, because ${gpuReason}`])
  rows.push([
    'OpenSlide',
    openslide.available ? `${openslide.version} (${openslide.library})` : `not available: ${openslide.reason}`,
  ])
  terminal.print(table(rows))
}
