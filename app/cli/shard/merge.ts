// `morphoscope merge DIR… --out DIR`: the files of the whole run, of the shards that machines have computed of it.
import { checkOutput } from '../../../main/engine'
import type { Engine } from '../../../main/engine'
import { choiceOf, counted } from '../../contract'
import { ExitCode, CliError, valueOf } from '../exitCodes'
import { openSlide } from '../info'
import { classedBy, ruleOf } from '../run/classBy'
import { laserOf } from '../run/laser'
import { outputDirectory, parseFiles } from '../run/run'
import type { RunOptions } from '../run/run'
import { parseVerify } from '../run/verify'
import { written } from '../run/written'
import { withSpatialFiles } from '../spatialOption'
import type { Terminal } from '../terminal'
import { stated } from './stepState'

export interface MergeOptions extends RunOptions {
  /** Where the shards do not say it, or it lies elsewhere here. */
  slide?: string | undefined
}

export async function merge(
  engine: Engine,
  terminal: Terminal,
  folders: readonly string[],
  options: MergeOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const directory = outputDirectory({ ...options, out: options.out ?? folders[0] })
  return stated(directory, 'merge', 'cpu', signal, async (told) => {
    const toVerify = parseVerify(options.verify)
    const files = withSpatialFiles(parseFiles(options.files), options.spatial)
    const laser = laserOf(options, files)
    const { overwrite = false, deidentify = false, simplify, origin } = options
    const output = { directory, files, overwrite, deidentify, ...(options.named && { named: true }), ...(laser && { laser }) }
    const work = await engine.shards()
    const whole = await work.whole(folders)
    const path = options.slide ?? whole.slide.path
    if (path === null) throw new CliError(ExitCode.usage, 'The shards do not say which slide they are of: name it with --slide')
    const { mpp, channel } = whole.request
    const slide = await openSlide(engine, path, mpp, channel === undefined ? undefined : choiceOf(channel))
    await checkOutput(path, output)
    const { spec } = whole.request.recipe
    const rule = ruleOf(
      options.classBy,
      slide,
      (await engine.invoke('recipe:list', undefined)).find(({ id }) => id === spec),
    )
    if (options.spatial) valueOf(await engine.call('settings:set', { spatial: options.spatial }))
    if (options.hotSpot) valueOf(await engine.call('settings:set', { hotSpot: options.hotSpot }))
    if (options.memory !== undefined) valueOf(await engine.call('settings:set', { memoryMiB: options.memory }))
    terminal.note(`merging ${counted(whole.of, 'shard')}`)
    const status = await classedBy(engine, await work.merge(folders, slide.slideId), rule)
    if (status.error) throw new CliError(ExitCode.usage, status.error.message)
    told.run(status)
    for (const warning of status.warnings) terminal.note(`warning: ${warning}`)
    const how = { output, simplify, origin, stopped: false, hint: '', toVerify, recipe: spec, json: options.json === true }
    return written(engine, terminal, status, how, signal)
  })
}
