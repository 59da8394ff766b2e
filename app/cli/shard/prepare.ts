// `morphoscope prepare SLIDE --out DIR`: what only the whole slide decides, once, for all shards of its run.
import type { Engine } from '../../../main/engine'
import { analysedChannel } from '../../contract'
import type { RunRequest } from '../../contract'
import { ExitCode } from '../exitCodes'
import { openSlide } from '../info'
import { outputDirectory, recipeFor } from '../run/run'
import type { RunOptions } from '../run/run'
import { parseRegion } from '../run/verify'
import { duration } from '../terminal'
import type { Terminal } from '../terminal'
import { meansOf } from './means'
import { stated } from './stepState'

export async function prepare(
  engine: Engine,
  terminal: Terminal,
  path: string,
  options: RunOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const folder = outputDirectory(options)
  const { mpp, channel, json, deidentify = false } = options
  const means = await meansOf(engine, options)
  return stated(folder, 'prepare', means.device ?? 'cpu', signal, async (told) => {
    const region = options.region === undefined ? 'whole' : parseRegion(options.region)
    const recipe = await recipeFor(engine, terminal, path, options)
    const slide = await openSlide(engine, path, mpp, channel)
    for (const warning of slide.warnings) terminal.note(`warning: ${warning}`)
    const analysed = analysedChannel(slide)
    const request: RunRequest = {
      ...{ slideId: slide.slideId, region, recipe, purpose: 'run', ...means },
      ...(mpp !== undefined && { mpp }),
      ...(analysed !== null && { channel: analysed }),
    }
    const work = await engine.shards()
    const prepared = await work
      .prepare(
        { request, folder, nameless: deidentify },
        ({ share, etaMs }) => {
          told.share(share, etaMs)
          const left = etaMs === null ? '' : `, ${duration(etaMs)} left`
          terminal.progress(`background of the whole slide: ${Math.floor(100 * share)} %${left}`, share)
        },
        signal,
      )
      .finally(() => terminal.endProgress())
    if (prepared.unread !== null) terminal.note(`warning: ${prepared.unread}`)
    const { elapsedMs, recipeName, resolved, ground } = prepared
    const values = Object.fromEntries(Object.entries(resolved).filter(([name]) => name.startsWith('overview.')))
    if (json)
      terminal.print(JSON.stringify({ folder, recipe: recipe.spec, values, background: ground !== null, elapsedMs }, null, 2))
    else terminal.print(`${recipeName} prepared in ${duration(elapsedMs)}: ${folder}`)
    return ExitCode.ok
  })
}
