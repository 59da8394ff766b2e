// What the program says about itself and this machine; it answers even where the native engine is missing, and says why.
import { availableParallelism, cpus } from 'node:os'
import type { AppInfo } from '../app/contract'
import { gpus, status } from '../native/index'
import { messageOf } from './base/jsonFile'

export interface AboutShell {
  shell: AppInfo['shell']
  version: string
  initialSlide: string | null
  sampleSlide: string | null
  dialogs: boolean
  prints: boolean
}

export function cpuThreads(): number {
  return availableParallelism()
}

export async function appInfo(about: AboutShell): Promise<AppInfo> {
  const cpu: AppInfo['devices'][number] = {
    id: 'cpu',
    kind: 'cpu',
    name: cpus()[0]?.model.trim() || 'CPU',
    threads: cpuThreads(),
  }
  try {
    const { openslide } = status()
    const { devices, reason } = await gpus()
    const there = devices.map((gpu) => ({
      id: `gpu${gpu.index}`,
      kind: 'gpu' as const,
      name: gpu.name,
      memoryMiB: Math.round(gpu.totalBytes / 2 ** 20),
      computeCapability: gpu.computeCapability,
      multiprocessors: gpu.multiprocessors,
    }))
    return {
      ...about,
      devices: [cpu, ...there],
      gpuReason: there.length > 0 ? null : reason,
      openslide,
    }
  } catch (error) {
    const reason = messageOf(error)
    return { ...about, devices: [cpu], gpuReason: reason, openslide: { available: false, version: '', library: '', reason } }
  }
}
