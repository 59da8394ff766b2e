// The command line: commands, options, signals and exit codes; what they do is in one file each.
import { realpathSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, Option, CommanderError } from 'commander'
import { bench, benchOptions } from './bench'
import type { BenchOptions } from './bench'
import type { CompareOptions } from './compare'
import { deviceName } from './deviceName'
import { devices } from './devices'
import type { EvaluateOptions } from './evaluate/evaluate'
import type { OptimizeOptions } from './evaluate/optimize'
import { asCliError, ExitCode } from './exitCodes'
import { info } from './info'
import { installation, withEngine } from './installation'
import { showLicences } from './licences'
import type { LicencesOptions } from './licences'
import { memorySize } from './run/memorySize'
import { withShown } from './project/nameless'
import { opCommand, quiet } from './op/opCommand'
import type { RunOptions } from './run/run'
import type { ServeCommandOptions } from './serve'
import { addRecipeOptions, addResultOptions } from './run/sharedOptions'
import { channelOption, classByOption, collect, searchMeasures, within } from './optionValues'
import { onParent } from './parent'
import { withMap } from './spatialOption'
import type { DensityMapOption } from './spatialOption'
import { projectCommands } from './project/projectCommands'
import { writeSample } from './sample'
import type { SampleOptions } from './sample'
import { shardCommands } from './shard/shardCommands'
import { shardRef } from './shard/shardOptions'
import { workflowCommand } from './workflow/workflowCommand'
import { tmaCommand } from './tma/tmaCommand'
import { processTerminal, withNames, withoutNames } from './terminal'
import type { Terminal } from './terminal'

/** What the manual page says too. */
export { exitCodeRows } from './exitCodes'

/** `end` hears what the command came to where that is not 0. */
export function program(terminal: Terminal, signal: AbortSignal, end: (code: ExitCode) => void): Command {
  const command = new Command('morphoscope')
    .description(
      'Whole-slide image analysis: same pixels, same result. The window is another program: morphoscope-app, or npm start in a checkout.',
    )
    .version(installation().version, '-V, --version')
    .enablePositionalOptions()
    .showSuggestionAfterError()
  command
    .command('info')
    .description('what a slide says about itself')
    .argument('<slide>')
    .option(...channelOption)
    .option('--json', 'as JSON, with every property')
    .action((slide: string, options: { json?: boolean; channel?: string }) =>
      withEngine((engine) => info(engine, terminal, slide, options)),
    )
  tmaCommand(command, terminal, signal, end)
  shardCommands(command, terminal, signal, end)
  workflowCommand(command, terminal, end)
  command
    .command('devices')
    .description('what this machine can compute with')
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }) => withEngine((engine) => devices(engine, terminal, options)))
  command
    .command('licences')
    .alias('licenses')
    .description('what the program is made of: its bundled parts, their licences and texts')
    .argument('[name]', 'the texts of the parts that this names')
    .option('--all', 'every text')
    .option('--json', 'as JSON, with the texts')
    .option('--sbom', 'a bill of materials: CycloneDX, JSON')
    .action((name: string | undefined, options: LicencesOptions) => showLicences(terminal, name, options))
  command
    .command('sample')
    .description(
      'write a slide to learn with: the bundled one, or a made one of which every count is known; alone, it lists them',
    )
    .argument('[name]', 'he, section, ki67, her2 or channels')
    .option('--out <file>', 'where it goes (default: its name, in this folder)')
    .option('--regions <file>', 'its regions too, as GeoJSON (ki67: tumour and stroma)')
    .option('--overwrite', 'replace files that are there')
    .action((name: string | undefined, options: SampleOptions) => writeSample(terminal, name, options))
  const runs = async (slide: string | undefined, options: RunOptions): Promise<void> => {
    const isNameless = options.deidentify && slide !== undefined
    const shown = isNameless ? withoutNames(terminal, [resolve(slide), slide]) : withNames(terminal)
    // What runs is not for other commands to wait for.
    if (options.shard) {
      const { runShard, shardJournal } = await import('./shard/shard')
      const part = { ...options, shard: options.shard }
      return end(await withShown(shown, (engine) => runShard(engine, shown.terminal, slide, part, signal), shardJournal(part)))
    }
    const { journalPlace, run } = await import('./run/run')
    end(await withShown(shown, (engine) => run(engine, shown.terminal, slide, options, signal), journalPlace(options)))
  }
  const runCommand = command
    .command('run')
    .description(
      'run a recipe on a slide and write objects, labels, overlay and the record of the run; Ctrl-Z pauses it (from elsewhere: kill -TSTP), fg goes on (kill -CONT)',
    )
    .argument('[slide]')
    .option('--out <dir>', 'folder for the files; made if need be; while the run goes on its journal lies there')
    .option(
      '--resume [dir]',
      'goes on with an interrupted run: alone with its folder, or after the same command; the files are the same',
    )
    .option('--partial', 'where the run is cancelled or fails, write the files of what is finished (the exit code says so)')
  addRecipeOptions(runCommand)
  addResultOptions(runCommand)
  runCommand
    .option(
      '--threads <n>',
      'CPU threads (default: all cores); for windows at once beyond cores + 4, set UV_THREADPOOL_SIZE too',
      within(1, 1024, true),
    )
    .option('--device <name>', 'what computes: cpu, gpu0, …; `morphoscope devices` lists them (default: cpu)', deviceName)
    .option(
      '--devices <names>',
      'several that compute together: all, or names with commas. Each part of the slide goes where it is done first. The result is the same',
    )
    .option(
      '--variant <stage/operation=name>',
      'which algorithm runs there, e.g. split/watershed=drop-of-water; `op reconstruct --help` and its siblings name them; the result is the same; may be repeated',
      collect,
    )
    .option('--memory <size>', 'what the program may hold, e.g. 4G or 900M (default: six tenths of what is free)', memorySize)
    .option(
      '--shard <i/n>',
      'compute the i-th of n parts of the tiles alone and leave it in --out, where the same command goes on. Then `merge` makes the files of one run',
      shardRef,
    )
    .option('--overwrite', 'replace files in the folder that no earlier run wrote, or that were changed since')
    .option('--deidentify', "a pseudonym in place of the slide's name, in the files and in what is shown")
    .option('--json', 'report as JSON')
    .action((slide: string | undefined, options: RunOptions & DensityMapOption) => runs(slide, withMap(options)))
  command
    .command('report')
    .description(
      'run a recipe on a slide and write report.html: pictures, figures, tables and timings on one page that needs nothing else',
    )
    .argument('<slide>')
    .requiredOption('--out <dir>', 'folder for the page; made if need be')
    .option('--named', 'call the slide by its name (default: by a pseudonym, also in what is shown)')
    .option('--recipe <name|file>', 'a bundled recipe, a recipe file, or a version kept under that name (default: he-nuclei)')
    .option('--set <stage.param=value>', 'changes one value of the recipe; may be repeated', collect)
    .option(...classByOption)
    .option('--region <x,y,w,h>', 'level-0 px (default: the whole slide)')
    .option('--mpp <um>', 'µm per level-0 px, in place of what the slide says', within(0.01, 100, false))
    .option(...channelOption)
    .option('--threads <n>', 'CPU threads (default: all cores)', within(1, 1024, true))
    .option('--device <name>', 'what computes: cpu, gpu0, … (default: cpu)', deviceName)
    .option('--overwrite', 'replace a page that no earlier run wrote, or that was changed since')
    .option('--json', 'as JSON')
    .action((slide: string, options: RunOptions) =>
      runs(slide, { ...options, files: 'report.html', deidentify: options.named !== true }),
    )
  command
    .command('evaluate')
    .description('run a recipe on annotated images and say how well its objects agree: Dice, AJI, PQ, F1, splits and merges')
    .requiredOption('--truth <dir>', 'folder of NAME.png with NAME_inst.png (a number for each nucleus), perhaps NAME_class.png')
    .option('--only <text>', 'images whose name has this')
    .option('--recipe <name|file>', 'a bundled recipe, a recipe file, or a version kept under that name (default: he-nuclei)')
    .option('--set <stage.param=value>', 'changes one value of the recipe; may be repeated', collect)
    .option('--mpp <um>', 'µm per px of the images', within(0.01, 100, false))
    .option(...channelOption)
    .option('--threads <n>', 'CPU threads (default: all cores)', within(1, 1024, true))
    .option('--device <name>', 'what computes: cpu, gpu0, … (default: cpu)', deviceName)
    .option('--out <dir>', 'folder for a picture of each image with hits, splits, merges and misses')
    .option('--overwrite', 'replace pictures that are there')
    .option('--json', 'report as JSON')
    .action(async (options: EvaluateOptions) => {
      const { evaluate } = await import('./evaluate/evaluate')
      end(await withEngine((engine) => evaluate(engine, terminal, options, signal)))
    })
  command
    .command('compare')
    .description(
      'hold two exported runs of one slide against each other: values that differ, objects in one and in both, Dice and IoU, times',
    )
    .argument('<a>', 'folder of the first run: with its run.json and labels.ome.tif')
    .argument('<b>', 'folder of the second')
    .option('--objects <file>', 'every object as a line of a .csv: only in A, only in B, in both, where it lies, IoU')
    .option('--scratch <dir>', "working files for images of more than 16 Mpx, 4 bytes a px (default: the system's)")
    .option('--overwrite', 'replace the file of --objects that is there')
    .option('--csv', 'the comparison as CSV')
    .option('--json', 'as JSON')
    .action(async (a: string, b: string, options: CompareOptions) => {
      // What it reads with is not for other commands to wait for.
      const { compareRuns } = await import('./compare')
      end(await withEngine((engine) => compareRuns(engine, terminal, [a, b], options, signal)))
    })
  command
    .command('optimize')
    .description(
      'look for values of a recipe that agree better with annotated images: the same search each time, and it can be gone on with',
    )
    .requiredOption('--truth <dir>', 'folder of NAME.png with NAME_inst.png (a number for each nucleus)')
    .requiredOption(
      '--vary <stage.param>',
      'what may change, within its range or a given one: split.depth, split.depth=0.5:4, split.depth=0.5:4:0.25, channel.image=red,darkness; may be repeated',
      collect,
    )
    .option('--only <text>', 'images whose name has this')
    .option('--hold-out <text>', 'images whose name has this are not searched on, only judged before and after')
    .option('--recipe <name|file>', 'where the search begins: a bundled recipe or a recipe file (default: he-nuclei)')
    .option('--set <stage.param=value>', 'changes one value of the recipe; may be repeated', collect)
    .addOption(
      new Option('--measure <name>', "what is to grow: the images' mean of it").choices([...searchMeasures]).default('aji'),
    )
    .option('--most <n>', 'trials at most', within(1, 100_000, true), 200)
    .option('--mpp <um>', 'µm per px of the images', within(0.01, 100, false))
    .option(...channelOption)
    .option('--threads <n>', 'CPU threads (default: all cores)', within(1, 1024, true))
    .option('--device <name>', 'what computes: cpu, gpu0, … (default: cpu)', deviceName)
    .option('--out <file>', 'the recipe that was found, a .json for --recipe and the app')
    .option('--trials <file>', 'every trial, a line each; a search of the same goes on from there (default: beside --out)')
    .option('--overwrite', 'replace the recipe file that is there')
    .option('--json', 'report as JSON')
    .action(async (options: OptimizeOptions) => {
      const { optimize } = await import('./evaluate/optimize')
      end(await withEngine((engine) => optimize(engine, terminal, options, signal)))
    })
  projectCommands(command, terminal, signal, end)
  command
    .command('op')
    .description('run one operation on image files; `op --help` lists them')
    .argument('[args...]')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action((args: string[]) => opCommand(terminal, args, signal))
  const benchCommand = command
    .command('bench')
    .description('time every operation and variant on this machine (C++, built from the sources the first time)')
  for (const [flags, help] of benchOptions) benchCommand.option(flags, help)
  benchCommand
    .option('--json', 'as JSON')
    .option('--list', 'the lines there would be, without timing them')
    .option('--slide <file>', 'in place of operations: the whole path of a run on this slide, part by part, beside its floors')
    .option('--recipe <name|file>', 'with --slide: the recipe (default: he-nuclei)')
    .option('--mpp <um>', 'with --slide: µm per level-0 px, in place of what the slide says', within(0.01, 100, false))
    .action(async ({ slide, ...options }: BenchOptions & { slide?: string; recipe?: string; mpp?: number }) => {
      if (slide === undefined) return end(await bench(terminal, options, signal))
      const { recipe, mpp, threads = availableParallelism(), device, json } = options
      const count = within(1, 1024, true)(String(threads))
      const name = device === undefined ? undefined : deviceName(String(device))
      const { benchSlide } = await import('./benchSlide')
      end(await benchSlide(terminal, { slide, recipe, mpp, threads: count, device: name, json: json === true }, signal))
    })
  command
    .command('serve')
    .description('the app in a browser, on this machine alone unless told otherwise')
    .argument('[slide]', 'opened at the start (default: the bundled sample)')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0 = any free one', within(0, 65_535, true), 0)
    .option(
      '--root <dir>',
      "a folder whose slides may be opened; may be repeated (default: the slide's, the samples, the current one)",
      collect,
    )
    .option('--allow-remote', 'lets --host be more than this machine; the traffic is not encrypted')
    .action(async (slide: string | undefined, options: ServeCommandOptions) => {
      // Its web server is not for other commands to wait for.
      const { serveCommand } = await import('./serve')
      return serveCommand(terminal, slide, options, signal)
    })
  quiet(command)
  command.configureOutput({ writeOut: (text) => terminal.print(text.trimEnd()) })
  for (const each of command.commands)
    each.configureOutput({ writeOut: (text) => terminal.print(text.trimEnd()), writeErr: () => undefined })
  return command
}

/** The exit code of a command line; never throws. */
export async function main(args: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<ExitCode> {
  let code: ExitCode = ExitCode.ok
  try {
    await program(terminal, signal, (given) => (code = given)).parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help and version were asked for; no command at all shows the help and is a usage error.
      if (error.exitCode === 0) return ExitCode.ok
      if (error.code === 'commander.help') terminal.note(program(terminal, signal, () => undefined).helpInformation())
      else terminal.note(error.message)
      return ExitCode.usage
    }
    const { exitCode, message, detail } = asCliError(error)
    terminal.note(`error: ${message}${detail === undefined ? '' : `\n${detail}`}`)
    return exitCode
  }
}

/** One signal stops the work in an orderly way, the second at once. */
function abortOnSignals(): { signal: AbortSignal; received: () => 'SIGINT' | 'SIGTERM' | null } {
  const controller = new AbortController()
  let received: 'SIGINT' | 'SIGTERM' | null = null
  let receivedAt = -Infinity
  const hear = (name: 'SIGINT' | 'SIGTERM'): void => {
    // A terminal tells the parent too, which tells it again: no person is as fast as that.
    if (name === received && performance.now() - receivedAt < 200) return
    if (received !== null) process.exit(name === 'SIGINT' ? ExitCode.interrupted : ExitCode.terminated)
    received = name
    receivedAt = performance.now()
    controller.abort()
  }
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => hear(name))
  onParent(hear, () => hear('SIGTERM'))
  return { signal: controller.signal, received: () => received }
}

function isProgram(): boolean {
  const started = process.argv[1]
  if (started === undefined) return false
  // Through the launcher, or as the build itself.
  return /morphoscope(\.cjs)?$/.test(started) || realpathSync(started) === fileURLToPath(import.meta.url)
}

if (isProgram()) {
  // A reader that has seen enough (head) is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : ExitCode.inputOutput))
  const { signal, received } = abortOnSignals()
  const args = process.argv.slice(2)
  const code = await main(args, processTerminal(), signal)
  // A server that was told to stop has done what was asked.
  const served = args[0] === 'serve' && code === ExitCode.ok
  const interrupted = received() === 'SIGTERM' ? ExitCode.terminated : ExitCode.interrupted
  process.exitCode = received() !== null && !served ? interrupted : code
  // Native threads that still wind down must not keep the program.
  setTimeout(() => process.exit(), 1000).unref()
}
