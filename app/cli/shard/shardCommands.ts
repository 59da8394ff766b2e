// The options of `morphoscope prepare`, `merge` and `status`; `run --shard` is the run's. What they do is in one file each.
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { deviceName } from '../deviceName'
import type { ExitCode } from '../exitCodes'
import { within } from '../optionValues'
import { withMap } from '../spatialOption'
import type { DensityMapOption } from '../spatialOption'
import { withShown } from '../project/nameless'
import { memorySize } from '../run/memorySize'
import type { RunOptions } from '../run/run'
import { addRecipeOptions, addResultOptions } from '../run/sharedOptions'
import { withNames, withoutNames } from '../terminal'
import type { Terminal } from '../terminal'
import type { MergeOptions } from './merge'
import type { StatusOptions } from './status'

export function shardCommands(command: Command, terminal: Terminal, signal: AbortSignal, end: (code: ExitCode) => void): void {
  const shown = (isNameless: boolean | undefined, names: readonly string[]) =>
    isNameless
      ? withoutNames(
          terminal,
          names.flatMap((name) => [resolve(name), name]),
        )
      : withNames(terminal)
  const prepareCommand = command
    .command('prepare')
    .description(
      'find what only the whole slide decides, once, for all shards of its run: run SLIDE --shard I/N takes it from there',
    )
    .argument('<slide>')
    .requiredOption('--out <dir>', "folder of the slide's run; its shards go there too")
  addRecipeOptions(prepareCommand)
  prepareCommand
    .option('--threads <n>', 'CPU threads (default: all cores)', within(1, 1024, true))
    .option('--device <name>', 'what computes: cpu, gpu0, … (default: cpu)', deviceName)
    .option('--memory <size>', 'what the program may hold, e.g. 4G or 900M (default: six tenths of what is free)', memorySize)
    .option('--deidentify', "the slide's name and folder are not written: shards and merge have to be told them")
    .option('--json', 'as JSON')
    .action(async (slide: string, options: RunOptions) => {
      const { terminal: told, ...how } = shown(options.deidentify, [slide])
      const { prepare } = await import('./prepare')
      end(await withShown({ terminal: told, ...how }, (engine) => prepare(engine, told, slide, options, signal)))
    })
  const mergeCommand = command
    .command('merge')
    .description("write the files of a slide's run of its shards: the same files as of one run")
    .argument('<dirs...>', "the folder of the slide's run, or several that hold its shards together")
    .option('--out <dir>', 'folder for the files; made if need be (default: the first of the folders)')
    .option('--slide <file>', 'the slide, where it lies elsewhere here')
  addResultOptions(mergeCommand)
  mergeCommand
    .option('--memory <size>', 'what the program may hold, e.g. 4G or 900M (default: six tenths of what is free)', memorySize)
    .option('--overwrite', 'replace files in the folder that no earlier run wrote, or that were changed since')
    .option('--deidentify', "a pseudonym in place of the slide's name, in the files and in what is shown")
    .option('--json', 'report as JSON')
    .action(async (folders: string[], given: MergeOptions & DensityMapOption) => {
      const options = withMap(given)
      const told = shown(options.deidentify, [...folders, ...(options.slide === undefined ? [] : [options.slide])])
      const { merge } = await import('./merge')
      end(await withShown(told, (engine) => merge(engine, told.terminal, folders, options, signal)))
    })
  command
    .command('status')
    .description("how far slides' runs on a cluster are: prepared, shards, merged, where, and why not")
    .argument('<dirs...>', "folders of slides' runs, or folders that hold such")
    .option('--json', 'as JSON')
    .action(async (folders: string[], options: StatusOptions) => {
      end(await (await import('./status')).status(terminal, folders, options))
    })
}
