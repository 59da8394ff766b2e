// What a search has tried, in a file that grows by a line for each trial: a search that was cut off goes on without trying anything again.
import { open, truncate } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import * as z from 'zod'
import { describe, EngineError } from '../base/errors'
import { keyOf } from './search'
import type { Point } from './search'
import type { Scores } from './compare'

const share = z.number().min(0).max(1)
const Line = z.strictObject({
  params: z.record(z.string().max(200), z.union([z.number(), z.boolean(), z.string().max(200)])),
  scores: z.record(z.string().max(300), z.strictObject({ dice: share, aji: share, pq: share, f1: share })),
})
export interface Trial {
  readonly params: Point
  /** By image. */
  readonly scores: Readonly<Record<string, Scores>>
}
/** What the trials are of: everything that a score depends on but for the values tried. */
export type TrialHead = Readonly<Record<string, unknown>>

const maxBytes = 64 * 1024 * 1024

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

export class TrialFile {
  private readonly known = new Map<string, Trial>()
  private readonly file: FileHandle | null

  private constructor(file: FileHandle | null, trials: readonly Trial[]) {
    this.file = file
    for (const trial of trials) this.known.set(keyOf(trial.params), trial)
  }

  /** Keeps them for as long as the program runs. */
  static inMemory(): TrialFile {
    return new TrialFile(null, [])
  }

  /**
   * Makes the file, or goes on with one that begins with the same head; a last line that was cut off is taken away. Throws OUTPUT_EXISTS where it
   * holds anything else, naming what differs, and OUTPUT_FAILED.
   */
  static async open(path: string, head: TrialHead): Promise<TrialFile> {
    try {
      // Read first: nothing of a file that is not ours is touched.
      const text = await TrialFile.textOf(path)
      const trials = text === '' ? [] : TrialFile.read(path, text, head)
      const whole = text.lastIndexOf('\n') + 1
      if (whole < text.length) await truncate(path, Buffer.byteLength(text.slice(0, whole)))
      const file = await open(path, 'a', 0o600)
      const trialFile = new TrialFile(file, trials)
      if (whole === 0) await trialFile.append(head)
      return trialFile
    } catch (cause) {
      if (cause instanceof EngineError) throw cause
      const { code = String(cause) } = cause as { code?: string }
      throw new EngineError(
        'OUTPUT_FAILED',
        `The file of trials ${path} could not be opened (${code}). Name another one.`,
        undefined,
        {
          cause,
        },
      )
    }
  }

  private static async textOf(path: string): Promise<string> {
    try {
      const file = await open(path, 'r')
      try {
        const { size } = await file.stat()
        if (size > maxBytes)
          throw new EngineError('OUTPUT_EXISTS', `${path} is no file of trials: it has ${size} bytes. Name another one.`)
        return await file.readFile('utf8')
      } finally {
        await file.close()
      }
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return ''
      throw error
    }
  }

  private static read(path: string, text: string, head: TrialHead): Trial[] {
    const [first = '', ...lines] = text.split('\n')
    const own = JSON.stringify(head)
    if (first !== own && !(lines.length === 0 && own.startsWith(first))) {
      const other = parsed(first)
      const isTrials = typeof other === 'object' && other !== null && (other as TrialHead).format === head.format
      const differs = isTrials
        ? Object.keys(head).filter((key) => JSON.stringify((other as TrialHead)[key]) !== JSON.stringify(head[key]))
        : []
      throw new EngineError(
        'OUTPUT_EXISTS',
        isTrials
          ? `${path} holds trials of another search (other ${differs.join(', ') || 'keys'}). Name another file, or delete this one.`
          : `${path} holds no trials. Name another file.`,
      )
    }
    // What follows the last line's end was cut off.
    return lines.slice(0, -1).map((line, k) => {
      const trial = Line.safeParse(parsed(line))
      if (!trial.success)
        throw new EngineError(
          'OUTPUT_EXISTS',
          `expected a trial in line ${k + 2} of ${path} but received ${describe(line)}. Name another file.`,
        )
      return trial.data
    })
  }

  get size(): number {
    return this.known.size
  }

  find(params: Point): Trial | undefined {
    return this.known.get(keyOf(params))
  }

  /** On the disk when it resolves; takes the place of an earlier one with the same values. */
  async add(trial: Trial): Promise<Trial> {
    this.known.set(keyOf(trial.params), trial)
    await this.append(trial)
    return trial
  }

  async close(): Promise<void> {
    await this.file?.close()
  }

  private async append(value: unknown): Promise<void> {
    if (!this.file) return
    try {
      await this.file.appendFile(`${JSON.stringify(value)}\n`)
      await this.file.datasync()
    } catch (cause) {
      const { code = String(cause) } = cause as { code?: string }
      throw new EngineError(
        'OUTPUT_FAILED',
        `A trial could not be written (${code}). Check the free space; the trials before it are kept.`,
        undefined,
        {
          cause,
        },
      )
    }
  }
}
