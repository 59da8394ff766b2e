// `morphoscope project import-objects`: cells that others found become a result of a slide, a part of the file at a time.
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { createGunzip } from 'node:zlib'
import { withSetOption } from '../../../main/engine'
import type { Engine } from '../../../main/engine'
import { noun, packedShare, tailLength } from '../../contract'
import type { CallValue, Origin, Recipe } from '../../contract'
import { CliError, ExitCode, valueOf } from '../exitCodes'
import { openSlide } from '../info'
import { recipeOf } from '../run/run'
import type { Terminal } from '../terminal'
import { readingFile } from './geoJsonText'
import { openedOrMade } from './projectSlides'

export interface ImportObjectsOptions {
  readonly slide: string
  readonly recipe?: string
  readonly set?: string[]
  readonly mpp?: number
  readonly origin?: Origin
}

/** Bytes of the file that are read at once; a packed one gives more characters. */
const partBytes = 2 ** 21

export async function importObjects(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  files: readonly string[],
  { slide, recipe: wanted, set = [], mpp, origin }: ImportObjectsOptions,
  signal: AbortSignal,
): Promise<void> {
  await openedOrMade(engine, folder)
  const { slideId } = await openSlide(engine, slide)
  const specs = await engine.invoke('recipe:list', undefined)
  let recipe: Recipe = await recipeOf(engine, specs, wanted)
  const spec = specs.find(({ id }) => id === recipe.spec)
  for (const option of spec ? set : []) recipe = withSetOption(recipe, spec!, option)
  const without: string[] = []
  for (const file of files) {
    const name = basename(file)
    const quiet = engine.onEvent((event) => {
      if (event.type === 'import:progress') terminal.progress(`${name}: ${Math.floor(100 * event.fraction)} %`, event.fraction)
    })
    const { text, length, tail } = await readable(file)
    const about = { slideId, called: name, recipe, unsaid: 'objects' as const, tail, length }
    const given = { ...about, ...(mpp !== undefined && { mpp }), ...(origin && { origin }) }
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
    const { objects, regions, leftOut } = found
    if (objects) terminal.print(`${name}: ${objects.objects} ${noun(objects.objects, 'object')}, as the result ${objects.name}`)
    if (regions && (regions.added > 0 || !objects)) terminal.print(`${name}: ${regions.added} ${noun(regions.added, 'region')}`)
    for (const what of [...(objects?.repaired ?? []), ...(regions?.repaired ?? [])]) terminal.note(`taken otherwise: ${what}`)
    for (const why of [...(objects?.leftOut ?? leftOut), ...(regions?.leftOut ?? [])]) terminal.note(`left out: ${why}`)
    if (!objects && !regions?.added) without.push(name)
  }
  if (without.length > 0)
    throw new CliError(ExitCode.badSlide, `Nothing was taken from ${without.join(', ')}: the lines above say why.`)
}

interface Readable {
  readonly text: AsyncIterable<string>
  /** Characters, about. */
  readonly length: number
  readonly tail: string
}

/** Throws CliError where it cannot be read, and is no file. */
const readable = (file: string): Promise<Readable> =>
  readingFile(file, async (handle, size) => {
    const first = (await handle.read(Buffer.alloc(2), 0, 2, 0)).buffer
    const isPacked = first[0] === 0x1f && first[1] === 0x8b
    const last = Buffer.alloc(Math.min(size, tailLength))
    const tail = isPacked ? '' : (await handle.read(last, 0, last.length, size - last.length)).buffer.toString('utf8')
    return { text: textOf(file, isPacked), length: size * (isPacked ? packedShare : 1), tail }
  })

async function* textOf(file: string, isPacked: boolean): AsyncGenerator<string, void, void> {
  const bytes = createReadStream(file, { highWaterMark: partBytes })
  const decoder = new TextDecoder()
  try {
    for await (const part of isPacked ? bytes.pipe(createGunzip({ chunkSize: partBytes })) : bytes)
      yield decoder.decode(part as Buffer, { stream: true })
  } catch (error) {
    if (isPacked) throw new CliError(ExitCode.badSlide, `${file} cannot be unpacked: it is no whole gzip file.`)
    throw error
  } finally {
    bytes.destroy()
  }
  yield decoder.decode()
}
