// The folder of an exported run read again: what its run.json says that a comparison needs. Whoever wrote it may have meant ill.
import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { Recipe, StageTiming } from '../../app/contract'
import { describe, EngineError, schemaError } from '../base/errors'
import { hashFile } from '../base/hashFile'
import { messageOf } from '../base/jsonFile'

const maxBytes = 64 * 2 ** 20
const count = z.number().int().nonnegative()
const px = z
  .number()
  .int()
  .nonnegative()
  .max(2 ** 31)
const side = px.min(1)

export const RunDocument = z.object({
  state: z.string(),
  slide: z.object({ name: z.string(), sha256: z.string().nullable(), reason: z.string().optional() }),
  region: z.object({ x: px, y: px, width: side, height: side }),
  /** Of the shapes whose objects alone were meant. */
  withinPx: z.number().optional(),
  resolution: z.object({ scale: z.number().min(1e-4).max(1e6), analysedMpp: z.number().nullable() }),
  recipe: Recipe,
  recipeSpec: z.object({ name: z.string() }),
  valuesUncertain: z.literal(true).optional(),
  counts: z.object({
    objects: count,
    deleted: count.optional(),
    made: count.optional(),
    tiles: count,
    tilesDone: count,
    unreadableTiles: count,
    uncertainTiles: count.optional(),
  }),
  elapsedMs: z.number().nonnegative(),
  timings: z.array(StageTiming).max(10_000),
  versions: z.object({ app: z.string() }),
  files: z.record(z.string(), z.object({ sha256: z.string() })),
})
export interface RunRecord extends z.infer<typeof RunDocument> {
  readonly directory: string
}

const labelsName = 'labels.ome.tif'

/** Of a regular file alone: a pipe or a device would never end. */
async function textOf(path: string, directory: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    const { code = '' } = error as { code?: string }
    const why =
      code === 'ENOENT' || code === 'ENOTDIR' ? `holds no run.json` : `has a run.json that cannot be read (${messageOf(error)})`
    throw new EngineError('NOT_FOUND', `${directory} ${why}: expected a folder that \`morphoscope run\` or an export wrote.`)
  })
  try {
    const found = await file.stat()
    if (!found.isFile()) throw new EngineError('INVALID_PARAMETER', `${path} is no regular file.`)
    if (found.size > maxBytes)
      throw new EngineError(
        'INVALID_PARAMETER',
        `${path} has ${found.size} bytes, and the record of a run has at most ${maxBytes}.`,
      )
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** Throws NOT_FOUND and INVALID_PARAMETER, by the file and the value. */
export async function readRunRecord(directory: string): Promise<RunRecord> {
  const path = join(directory, 'run.json')
  const text = await textOf(path, directory)
  const refuse = (why: string): EngineError => new EngineError('INVALID_PARAMETER', `${path} ${why}`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refuse('is damaged: it is not JSON.')
  }
  const { format, version } = (value ?? {}) as { format?: unknown; version?: unknown }
  if (format !== 'morphoscope-run')
    throw refuse(`is no record of a run: expected "morphoscope-run" for format but received ${describe(format)}.`)
  if (version !== 1) throw refuse(`has version ${describe(version)}, and this program reads version 1. Take a newer Morphoscope.`)
  const checked = RunDocument.safeParse(value)
  if (!checked.success) throw refuse(`is damaged: ${schemaError('run', value, checked.error).message}.`)
  return { ...checked.data, directory }
}

/** Where the run's label image lies, to the byte as it was written. Throws NOT_FOUND where there is none, INVALID_PARAMETER for another. */
export async function labelsOf({ directory, files }: RunRecord): Promise<string> {
  const path = join(directory, labelsName)
  const written = Object.hasOwn(files, labelsName) ? files[labelsName] : undefined
  const isThere = await lstat(path).then(
    (found) => found.isFile(),
    () => false,
  )
  if (!written || !isThere)
    throw new EngineError(
      'NOT_FOUND',
      `${directory} holds no ${labelsName} of this run, which is what is compared: export it with --files ${labelsName},run.json.`,
    )
  const sha256 = await hashFile(path)
  if (sha256 !== written.sha256)
    throw new EngineError(
      'INVALID_PARAMETER',
      `${path} is not the file that run.json names: expected SHA-256 ${describe(written.sha256)} but received "${sha256}". Export the run again.`,
    )
  return path
}
