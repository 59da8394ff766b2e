// `morphoscope project region-images`: a picture of each region with an area, or of each core, in a folder for each slide.
import { join, resolve } from 'node:path'
import type { Engine } from '../../../main/engine'
import { isArea } from '../../contract'
import type { RegionImages, RegionImagesRequest, RunStatus } from '../../contract'
import { CliError, ExitCode, valueOf } from '../exitCodes'
import type { Shown } from '../terminal'
import { inOrder, stemsOf } from './projectNames'
import { opened, slideOf, stateOf } from './projectSlides'

export interface ImageOptions {
  readonly out: string
  readonly form: RegionImagesRequest['form']
  readonly um?: number
  readonly magnification?: number
  /** Of the newest result of the slide. */
  readonly outlines?: boolean
  readonly border?: boolean
  readonly cores?: boolean
  readonly class?: string
  readonly deidentify?: boolean
  readonly overwrite?: boolean
}

export async function regionImages(
  engine: Engine,
  shown: Shown,
  folder: string,
  { out, form, um, magnification, outlines, border, cores, class: className, deidentify = false, overwrite }: ImageOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  if (um !== undefined && magnification !== undefined)
    throw new CliError(ExitCode.usage, 'expected --um or --magnification, and not both: each says how large a pixel is')
  const { terminal } = shown
  const { slides, classes } = await opened(engine, folder, shown)
  const wanted = className === undefined ? undefined : classes.find(({ name }) => name === className)
  if (className !== undefined && !wanted)
    throw new CliError(
      ExitCode.usage,
      `expected one of the classes ${classes.map(({ name }) => name).join(', ')} for --class but received ${className}`,
    )
  const stems = await stemsOf(engine, folder, slides, deidentify)
  const pixel = um !== undefined ? { um } : magnification !== undefined ? { magnification } : undefined
  let code: ExitCode = ExitCode.ok
  let written = 0
  for (const slide of inOrder(slides, stems, deidentify)) {
    signal.throwIfAborted()
    const stem = stems.get(slide.key)!
    const called = deidentify ? stem : slide.name
    const slideId = await slideOf(engine, terminal, folder, { ...slide, name: called })
    if (slideId === null) {
      code = ExitCode.partial
      continue
    }
    const { regions } = await stateOf(engine, slideId)
    const ids = regions.flatMap(({ id, shape, core, classId }) =>
      isArea(shape) && !core?.missing && (!cores || core) && (!wanted || classId === wanted.id) ? [id] : [],
    )
    if (ids.length > 0) {
      const runId = outlines ? await newestOf(engine, slideId) : null
      if (outlines && runId === null) terminal.note(`${called} has no result: its pictures have no outlines`)
      const quiet = engine.onEvent((event) => {
        if (event.type === 'images:progress')
          terminal.progress(`${called}: ${Math.floor(100 * event.fraction)} %`, event.fraction)
      })
      const asked = {
        ...{ slideId, ids, form, deidentify, directory: join(resolve(out), stem.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')) },
        ...(pixel && { pixel }),
        ...(runId !== null && { runId }),
        ...(border && { border }),
        ...(overwrite && { overwrite }),
      }
      const result = await engine.call('regions:images', asked, signal).finally(() => {
        quiet()
        terminal.endProgress()
      })
      if (signal.aborted) throw new CliError(ExitCode.interrupted, `Cancelled: no picture of ${called} was written.`)
      const { directory, files, warnings } = valueOf(result) as RegionImages
      for (const warning of warnings) terminal.note(warning)
      terminal.print(`${directory}: ${files.length}`)
      written += files.length
    }
    await engine.call('slide:close', { slideId })
  }
  if (written === 0 && code === ExitCode.ok)
    throw new CliError(ExitCode.badSlide, 'The project has no such region with an area: nothing was written.')
  return code
}

/** The newest finished result of it; null: there is none. */
async function newestOf(engine: Engine, slideId: string): Promise<string | null> {
  const runs = valueOf(await engine.call('project:restore', { slideId })) as RunStatus[]
  const done = runs.filter(({ state }) => state === 'done').sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1))
  return done[0]?.runId ?? null
}
