// The folders in which exports are under way: what a killed engine has left there is put right when the next one starts.
import { join } from 'node:path'
import * as z from 'zod'
import { messageOf, JsonFile } from '../../base/jsonFile'
import type { Log } from '../../base/log'
import { quickly } from './patience'
import { Staging } from './staging'

const File = z.object({
  format: z.literal('morphoscope-exports'),
  version: z.literal(1),
  folders: z.array(z.string()).max(1000),
})

export class PendingExports {
  private readonly file: JsonFile<z.infer<typeof File>>
  private readonly log: Log

  constructor(settingsDir: string, log: Log) {
    this.log = log
    const none = { format: 'morphoscope-exports' as const, version: 1 as const, folders: [] }
    this.file = new JsonFile(join(settingsDir, 'exports.json'), File, none, log)
  }

  async begin(folder: string): Promise<void> {
    await this.file.update((found) => ({ ...found, folders: [...found.folders.slice(-99), folder] })).catch(() => undefined)
  }

  async end(folder: string): Promise<void> {
    const without = (folders: readonly string[]): string[] => {
      const at = folders.indexOf(folder)
      return folders.filter((_, i) => i !== at)
    }
    await this.file.update((found) => ({ ...found, folders: without(found.folders) })).catch(() => undefined)
  }

  /** One folder after the other: a disk that is away holds one thread, and the others wait for it. */
  async recover(): Promise<void> {
    for (const folder of new Set((await this.file.read()).folders)) {
      try {
        for (const note of await quickly(folder, () => Staging.recover(folder))) this.log({ level: 'warn', message: note })
      } catch (error) {
        // Away, or deleted: the next export into it looks again.
        this.log({ level: 'info', message: `What an export has left in ${folder} could not be looked at: ${messageOf(error)}` })
      }
      await this.end(folder)
    }
  }

  flushed(): Promise<void> {
    return this.file.flushed()
  }
}
