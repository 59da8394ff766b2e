// How fast this machine was, kept between starts: the time of a run can be told before the first one.
import { availableParallelism, hostname } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { messageOf, JsonFile } from './base/jsonFile'
import type { Log } from './base/log'
import type { Throughput } from './run/request/throughput'

const Rates = z.record(z.string().max(200), z.object({ cost: z.number().positive(), ms: z.number().positive() }))
const File = z.object({
  format: z.literal('morphoscope-pace'),
  /** 1 had px. */
  version: z.literal(2),
  /** A home folder may be that of several machines. */
  machine: z.string(),
  ran: Rates,
  windows: Rates,
})
const machine = `${hostname()} with ${availableParallelism()} threads`
const nothing: z.infer<typeof File> = { format: 'morphoscope-pace', version: 2, machine, ran: {}, windows: {} }

export class Pace {
  /** Resolves when what there was to remember is remembered. */
  readonly known: Promise<void>
  private readonly file: JsonFile<z.infer<typeof File>>
  private readonly throughput: Throughput
  private readonly log: Log
  private writing: Promise<unknown>

  constructor(settingsDir: string, throughput: Throughput, log: Log) {
    this.file = new JsonFile(join(settingsDir, 'pace.json'), File, nothing, log)
    this.throughput = throughput
    this.log = log
    this.known = this.file.read().then((found) => {
      if (found.machine === machine) throughput.remember(found)
    })
    this.writing = this.known
  }

  keep(): void {
    // Throughput bounds how much that is.
    const write = () => this.file.update(() => ({ ...nothing, ...this.throughput.learnt() }))
    this.writing = this.known.then(write).catch((error: unknown) => this.log({ level: 'warn', message: messageOf(error) }))
  }

  async flushed(): Promise<void> {
    await this.writing
  }
}
