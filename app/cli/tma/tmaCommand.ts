// The options of `morphoscope tma`; what it does is in tma.ts.
import { Option } from 'commander'
import type { Command } from 'commander'
import { coreDiameters, CoreCorner, CoreSigns, mostLines, usualNaming } from '../../contract'
import type { ExitCode } from '../exitCodes'
import { withEngine } from '../installation'
import { within } from '../optionValues'
import type { Terminal } from '../terminal'
import type { TmaOptions } from './tma'

export function tmaCommand(command: Command, terminal: Terminal, signal: AbortSignal, end: (code: ExitCode) => void): void {
  const count = within(1, mostLines, true)
  const signs = (flags: string, what: string, usual: string): Option =>
    new Option(flags, `what ${what} are called by (default: ${usual})`).choices(CoreSigns.options).default(usual, usual)
  command
    .command('tma')
    .description('find the cores of a tissue microarray: a list of them, and with --project regions with names')
    .argument('<slide>')
    .option('--mpp <um>', 'µm per level-0 px, in place of what the slide says', within(0.01, 100, false))
    .option(
      '--diameter <um>',
      'of its cores, µm (default: as most of them have it)',
      within(coreDiameters.min, coreDiameters.max, false),
    )
    .option('--rows <n>', 'how many it has (default: as many as have cores)', count)
    .option('--columns <n>', 'how many it has (default: as many as have cores)', count)
    .addOption(signs('--row-names <signs>', 'rows', usualNaming.rows))
    .addOption(signs('--column-names <signs>', 'columns', usualNaming.columns))
    .addOption(
      new Option('--first <corner>', 'where the first row and column are').choices(CoreCorner.options).default(usualNaming.first),
    )
    .option(
      '--project <folder>',
      'keep them in this project, in place of those that it has of the slide; made where it is not there',
    )
    .option('--labels <csv>', 'with --project: whose each core is, as rows of a core and its label, or as a matrix')
    .addOption(new Option('--json', 'as JSON').conflicts('csv'))
    .option('--csv', 'as CSV')
    .action(async (slide: string, options: TmaOptions) => {
      end(await withEngine(async (engine) => (await import('./tma')).tma(engine, terminal, slide, options, signal)))
    })
}
