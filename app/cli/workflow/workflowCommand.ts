// The options of `morphoscope workflow`; what it does is in workflow.ts.
import type { Command } from 'commander'
import { deviceName } from '../deviceName'
import type { ExitCode } from '../exitCodes'
import { withEngine } from '../installation'
import { channelOption, collect, within } from '../optionValues'
import type { Terminal } from '../terminal'
import type { WorkflowOptions } from './workflow'

/** Of commands that write one. */
export const shardOption = [
  '--shard-megapixels <n>',
  'analysed megapixels of a shard, at most (default: 1000)',
  within(10, 1_000_000, false),
] as const

export function workflowCommand(command: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  command
    .command('workflow')
    .description(
      'write a folder from which Snakemake, Slurm or Nextflow runs slides in shards, with memory and time by our own estimate',
    )
    .argument('<slides...>', 'slides, or folders of slides')
    .requiredOption('--out <dir>', 'the folder, on a file system that all machines see')
    .option('--recipe <name|file>', 'a bundled recipe, a recipe file, or a version kept under that name (default: he-nuclei)')
    .option('--set <stage.param=value>', 'changes one value of the recipe; may be repeated', collect)
    .option('--files <names>', 'what merge writes of each slide, separated by commas')
    .option('--mpp <um>', 'µm per level-0 px, in place of what the slides say', within(0.01, 100, false))
    .option(...channelOption)
    .option('--threads <n>', 'CPU threads of a step (default: 4)', within(1, 1024, true))
    .option('--device <name>', 'what computes: cpu, gpu0, … (default: cpu)', deviceName)
    .option(...shardOption)
    .option('--overwrite', 'replace the list and the settings of a workflow that is there; what was computed stays')
    .option('--deidentify', 'pseudonyms in place of the slides’ names: in the folders, the files, and in what is shown')
    .option('--json', 'as JSON')
    .action(async (paths: string[], { mpp, channel, ...options }: WorkflowOptions & { mpp?: number; channel?: string }) => {
      const { slidesOf, writeWorkflow } = await import('./workflow')
      const slides = (await slidesOf(paths)).map(({ path }) => ({ path, mpp, channel }))
      end(await withEngine((engine) => writeWorkflow(engine, terminal, slides, options)))
    })
}
