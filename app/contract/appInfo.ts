// What the program says about itself and the machine.
import { Device } from './runs/devices'
import { toldPath } from './base/paths'
import * as z from './zod'

export const AppInfo = z.object({
  version: z.string(),
  shell: z.enum(['desktop', 'serve', 'cli']),
  devices: z.array(Device),
  /** Why there is no GPU, where there is none. */
  gpuReason: z.string().nullable(),
  openslide: z.object({ available: z.boolean(), version: z.string(), library: z.string(), reason: z.string() }),
  /** The command line's slide, to open at the start. */
  initialSlide: toldPath.nullable(),
  /** The bundled sample, where the page may open it. */
  sampleSlide: toldPath.nullable(),
  /** True where the shell can show the system's file dialogs. */
  dialogs: z.boolean(),
  /** True where the shell prints: there an export may hold report.pdf. */
  prints: z.boolean(),
})
export type AppInfo = z.infer<typeof AppInfo>
