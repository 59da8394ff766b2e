// What the program says about itself and this machine; it answers even where the native engine is missing, and says why.
import { availableParallelism, cpus } from 'node:os'
import type { AppInfo } from '../app/contract'
import { status } from '../native/index'
import { messageOf } from './base/jsonFile'

export interface AboutShell {
  shell: AppInfo['shell']
  version: string
  initialSlide: string | null
  dialogs: boolean
}

export function cpuThreads(): number {
  return availableParallelism()
}

export function appInfo(about: AboutShell): AppInfo {
  const cpu: AppInfo['devices'][number] = {
    id: 'cpu',
    kind: 'cpu',
    name: cpus()[0]?.model.trim() || 'CPU',
    threads: cpuThreads(),
  }
  try {
    const native = status()
    const gpus = native.gpu.devices.map((gpu) => ({
      id: `gpu${gpu.index}`,
      kind: 'gpu' as const,
      name: gpu.name,
      memoryMiB: Math.round(gpu.totalBytes / 2 ** 20),
      computeCapability: gpu.computeCapability,
      multiprocessors: gpu.multiprocessors,
    }))
    return {
      ...about,
      devices: [cpu, ...gpus],
      gpuReason: gpus.length > 0 ? null : native.gpu.reason,
      openslide: native.openslide,
    }
  } catch (error) {
    const reason = messageOf(error)
    return { ...about, devices: [cpu], gpuReason: reason, openslide: { available: false, version: '', library: '', reason } }
  }
}
