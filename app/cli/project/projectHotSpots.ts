// `morphoscope project hot-spots FOLDER`: regions where the map of density of a slide's newest run is high.
import type { Engine } from '../../../main/engine'
import { counted, usualMap, wholeRunOf } from '../../contract'
import type { HotSpotsAsk, HotSpotsMade, RunStatus } from '../../contract'
import { asCliError, CliError, ExitCode, valueOf } from '../exitCodes'
import type { DensityMapOption } from '../spatialOption'
import type { Terminal } from '../terminal'
import { opened, slideOf } from './projectSlides'

export interface HotSpotsOptions extends DensityMapOption {
  readonly only?: string[]
  readonly atLeast?: number
  readonly percentile?: number
  readonly leastArea?: number
}

/** Of the slides that have a run of all of them. Returns partial where one has no such place, or is not there. */
export async function hotSpots(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  { only, densityMap = usualMap, atLeast, percentile = 95, leastArea = 0.01 }: HotSpotsOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { slides, runs } = await opened(engine, folder)
  const chosen = slides.filter(({ key, name }) => wholeRunOf(runs, key) && (only?.some((text) => name.includes(text)) ?? true))
  if (chosen.length === 0)
    throw new CliError(
      ExitCode.noInput,
      `${folder} holds no run of a whole slide${only ? ` whose name has ${only.join(' or ')}` : ''}.`,
    )
  const asked: Omit<HotSpotsAsk, 'runId'> = {
    map: densityMap === true ? usualMap : densityMap,
    limit: atLeast === undefined ? { percentile } : { atLeast },
    leastMm2: leastArea,
  }
  let code: ExitCode = ExitCode.ok
  for (const slide of chosen) {
    const slideId = await slideOf(engine, terminal, folder, slide)
    if (slideId === null) {
      code = ExitCode.partial
      continue
    }
    const newest = wholeRunOf(runs, slide.key)!.id
    const restored = valueOf(await engine.call('project:restore', { slideId })) as RunStatus[]
    const run = restored.find(({ keptId }) => keptId === newest)
    try {
      if (!run) throw new CliError(ExitCode.noInput, `The newest run of ${slide.name} could not be read.`)
      const found: HotSpotsMade = await engine.invoke('run:hotSpots', { runId: run.runId, ...asked }, signal)
      const small = found.leftOut > 0 ? `, ${found.leftOut} smaller ones left out` : ''
      terminal.print(`${slide.name}: ${counted(found.made, 'region')} of at least ${Number(found.limit.toPrecision(4))}${small}`)
    } catch (error) {
      if (signal.aborted || chosen.length === 1) throw error
      terminal.note(`${slide.name}: ${asCliError(error).message}`)
      code = ExitCode.partial
    } finally {
      await engine.call('slide:close', { slideId })
    }
  }
  return code
}
