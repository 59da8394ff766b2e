// What computes, and the words for it.
import * as z from '../zod'

/** What computes: the CPU's cores together, or one GPU. */
export const deviceNames = /^(cpu|gpu(0|[1-9][0-9]{0,2}))$/

export const DeviceName = z.string().regex(deviceNames, 'expected cpu, gpu0, gpu1, …')

/** Several that compute together, each window where it would be done first: "gpu0,gpu1,cpu". One alone is the usual case. */
export const DeviceNames = z
  .string()
  .max(2000)
  .refine((text) => {
    const names = text.split(',')
    return names.every((name) => deviceNames.test(name)) && new Set(names).size === names.length
  }, 'expected cpu, gpu0, gpu1, … or several of them with commas, each once')

export const Device = z.object({
  id: z.string(),
  kind: z.enum(['cpu', 'gpu']),
  name: z.string(),
  threads: z.number().optional(),
  memoryMiB: z.number().optional(),
  /** Of a GPU: "9.0". */
  computeCapability: z.string().optional(),
  multiprocessors: z.number().optional(),
})
