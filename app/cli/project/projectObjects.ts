// `morphoscope project import-objects`: cells that others found become a result of a slide, a part of the file at a time.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { createGunzip } from 'node:zlib'
import type { Engine } from '../../../main/engine'
import { formBytes, imageFormOf, isNamedTable, isParquet, noun, packedShare, tailLength } from '../../contract'
import type { CallValue, ImagePlace, Origin, Unplaced } from '../../contract'
import { CliError, ExitCode, valueOf } from '../exitCodes'
import { openSlide } from '../info'
import { recipeWith } from '../run/run'
import type { Terminal } from '../terminal'
import { readingFile } from './geoJsonText'
import { openedOrMade } from './projectSlides'
import { zarrLabels } from './zarrLabels'

export interface ImportObjectsOptions {
  readonly slide: string
  readonly recipe?: string
  readonly set?: string[]
  readonly mpp?: number
  readonly origin?: Origin | Corner
  readonly scale?: number
  readonly radius?: number
  /** MiB. */
  readonly memory?: number
}

/** Level-0 px of the slide. */
export interface Corner {
  readonly x: number
  readonly y: number
}

/** Bytes of the file that are read at once. Node holds longer texts outside of its heap, which it clears at great length. */
const partBytes = 2 ** 19

export async function importObjects(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  files: readonly string[],
  { slide, recipe: wanted, set = [], mpp, origin, scale, radius, memory }: ImportObjectsOptions,
  signal: AbortSignal,
): Promise<void> {
  if (memory !== undefined) valueOf(await engine.call('settings:set', { memoryMiB: memory }))
  await openedOrMade(engine, folder)
  const { slideId } = await openSlide(engine, slide)
  const recipe = await recipeWith(engine, wanted, set)
  const without: string[] = []
  for (const file of files) {
    const name = basename(file)
    const quiet = engine.onEvent((event) => {
      if (event.type === 'import:progress') terminal.progress(`${name}: ${Math.floor(100 * event.fraction)} %`, event.fraction)
    })
    const { form, text, length, tail, place, folder: lies } = await readable(file)
    const corner = typeof origin === 'object' ? origin : null
    const isPlaced = origin !== undefined || scale !== undefined
    if (form !== 'labels' && (corner || scale !== undefined))
      throw new CliError(ExitCode.usage, `${file} is no label image: --origin X,Y and --scale are for label images alone.`)
    if (form !== 'points' && form !== 'parquet' && radius !== undefined)
      throw new CliError(ExitCode.usage, `${file} is no table of points: --radius is for tables of points alone.`)
    const given = {
      ...{ slideId, called: name, recipe, unsaid: 'objects' as const, tail, length, form },
      ...(form === 'geojson' && { bytes: true }),
      ...(mpp !== undefined && { mpp }),
      ...(radius !== undefined && { radiusUm: radius }),
      ...(typeof origin === 'string' && { origin }),
      ...((corner || scale !== undefined) && { place: { ...corner, ...(scale !== undefined && { scale }) } }),
      ...(place && !isPlaced && { place }),
      ...(lies !== undefined && { folder: lies }),
    }
    const importId = valueOf(await engine.call('import:begin', given)) as string
    let found: CallValue<'import:end'>
    try {
      for await (const part of text) {
        signal.throwIfAborted()
        valueOf(await engine.call('import:part', { importId, text: part }))
      }
      found = valueOf(await engine.call('import:end', { importId }, signal)) as CallValue<'import:end'>
    } catch (error) {
      await engine.call('import:cancel', { importId })
      if (signal.aborted) throw new CliError(ExitCode.interrupted, `Cancelled: nothing of ${name} was imported.`)
      throw error
    } finally {
      quiet()
      terminal.endProgress()
    }
    const { objects, regions, leftOut, unplaced } = found
    if (unplaced) terminal.note(unplacedWords(name, unplaced))
    if (objects) terminal.print(`${name}: ${objects.objects} ${noun(objects.objects, 'object')}, as the result ${objects.name}`)
    if (regions && (regions.added > 0 || !objects)) terminal.print(`${name}: ${regions.added} ${noun(regions.added, 'region')}`)
    for (const what of [...(objects?.repaired ?? []), ...(regions?.repaired ?? [])]) terminal.note(`taken otherwise: ${what}`)
    for (const why of [...(objects?.leftOut ?? leftOut), ...(regions?.leftOut ?? [])]) terminal.note(`left out: ${why}`)
    if (!objects && !regions?.added) without.push(name)
  }
  if (without.length > 0)
    throw new CliError(ExitCode.badSlide, `Nothing was taken from ${without.join(', ')}: the lines above say why.`)
}

function unplacedWords(name: string, { width, height, scale }: Unplaced): string {
  const whole = scale === null ? '' : ` If it covers the whole slide, that is --scale ${Number(scale.toPrecision(12))}.`
  return `${name} has ${width} × ${height} px, which is not the slide’s size: say where it lies, by --origin X,Y (its corner, in px of the slide) and --scale S (how many px of the slide a px of it is).${whole}`
}

interface Readable {
  readonly form: 'geojson' | 'labels' | 'points' | 'parquet'
  readonly text: AsyncIterable<string>
  /** Characters, about. */
  readonly length: number
  readonly tail: string
  /** Of a label image that the engine reads where it lies. */
  readonly folder?: string
  /** Of a label image that says it; others are asked by the engine. */
  readonly place?: ImagePlace | undefined
}

/** Throws CliError where it cannot be read, and is no file. A folder is a label image's. */
async function readable(file: string): Promise<Readable> {
  const isFolder = await stat(file).then((found) => found.isDirectory()).catch(() => false) // oxfmt-ignore
  if (!isFolder) return readableFile(file)
  const packed = await zarrLabels(file)
  return { form: 'labels', ...(packed ?? { folder: resolve(file), text: noParts(), length: 0 }), tail: '' }
}

async function* noParts(): AsyncGenerator<string, void, void> {}

const readableFile = (file: string): Promise<Readable> =>
  readingFile(file, async (handle, size) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(formBytes), 0, formBytes, 0)
    const first = buffer.subarray(0, bytesRead)
    if (imageFormOf(first) !== null) return { form: 'labels', text: base64Of(file), length: (size * 4) / 3, tail: '' }
    if (isParquet(first)) return { form: 'parquet', text: base64Of(file), length: (size * 4) / 3, tail: '' }
    const isPacked = first[0] === 0x1f && first[1] === 0x8b
    const last = Buffer.alloc(Math.min(size, tailLength))
    const tail = isPacked ? '' : (await handle.read(last, 0, last.length, size - last.length)).buffer.toString('utf8')
    const form = isNamedTable(file) ? 'points' : 'geojson'
    return { form, text: textOf(file, isPacked, form === 'geojson'), length: size * (isPacked ? packedShare : 1), tail }
  })

async function* base64Of(file: string): AsyncGenerator<string, void, void> {
  for await (const part of createReadStream(file, { highWaterMark: partBytes })) yield (part as Buffer).toString('base64')
}

/** `isBytes`: each character is a byte of the file. */
async function* textOf(file: string, isPacked: boolean, isBytes: boolean): AsyncGenerator<string, void, void> {
  const bytes = createReadStream(file, { highWaterMark: partBytes })
  const decoder = new TextDecoder()
  try {
    for await (const part of isPacked ? bytes.pipe(createGunzip({ chunkSize: partBytes })) : bytes)
      yield isBytes ? (part as Buffer).toString('latin1') : decoder.decode(part as Buffer, { stream: true })
  } catch (error) {
    if (isPacked) throw new CliError(ExitCode.badSlide, `${file} cannot be unpacked: it is no whole gzip file.`)
    throw error
  } finally {
    bytes.destroy()
  }
  yield decoder.decode()
}
