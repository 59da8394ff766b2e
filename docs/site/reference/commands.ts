// The pages of the command line: one for each command that is typed, from commander's own tree, and one for the operations of `op`.
import type { Command } from 'commander'
import { program } from '../../../app/cli/cli'
import { commandOf } from '../../../app/cli/op/opCommand'
import { typedCommands } from '../../../app/package/commandPages.mjs'
import { ops } from '../../../main/engine'
import type { MadePage } from './pages'
import { cell, code, page, plain, sentence, table } from './text'

const silent = { print: () => undefined, note: () => undefined, progress: () => undefined, endProgress: () => undefined }
export const commandTree = (): Command => program(silent, new AbortController().signal, () => undefined)

export const commandPage = (names: readonly string[]): string => `reference/commands/${names.join('-')}.md`

const optionRows = (command: Command): string[][] =>
  command.options.map(({ flags, description, mandatory, argChoices, defaultValue }) => {
    const more = [
      ...(mandatory ? ['Required.'] : []),
      ...(argChoices ? [`One of: ${argChoices.map(code).join(', ')}.`] : []),
      ...(defaultValue === undefined || Array.isArray(defaultValue) ? [] : [`Default: ${code(String(defaultValue))}.`]),
    ]
    return [code(flags).replaceAll('|', '\\|'), [cell(sentence(description)), ...more].join(' ')]
  })

const argumentName = ({ name, variadic, required }: { name: string; variadic: boolean; required: boolean }): string =>
  required ? `<${name}${variadic ? '...' : ''}>` : `[${name}${variadic ? '...' : ''}]`

function pageOf(names: readonly string[], command: Command, order: number): MadePage {
  const args = command.registeredArguments.map((each) => ({
    name: argumentName({ name: each.name(), variadic: each.variadic, required: each.required }),
    description: each.description,
  }))
  const usage = [
    'npx morphoscope',
    ...names,
    ...args.map(({ name }) => name),
    ...(command.options.length > 0 ? ['[options]'] : []),
  ]
  const told = args.filter(({ description }) => description !== '')
  const alias = command.alias()
  return {
    at: commandPage(names),
    text: page(
      { title: names.join(' '), order },
      plain(sentence(command.description())),
      `\`\`\`\n${usage.join(' ')}\n\`\`\``,
      alias ? `Also called ${code(alias)}.` : '',
      names.join(' ') === 'op' ? 'Each operation has its own options: [all operations](../operations.md).' : '',
      ...(told.length > 0
        ? [
            '## Arguments',
            table(
              ['argument', 'what it is'],
              told.map(({ name, description }) => [code(name), cell(sentence(description))]),
            ),
          ]
        : []),
      ...(command.options.length > 0 ? ['## Options', table(['option', 'what it does'], optionRows(command))] : []),
      'What the command ends with: [exit codes](../codes.md#exit-codes). Files that it writes: [files](../files.md).',
    ),
  }
}

export function commandPages(): MadePage[] {
  const typed = typedCommands(commandTree())
  const list = typed.map(({ names, command }) => [
    `[${code(names.join(' '))}](${names.join('-')}.md)`,
    cell(sentence(command.description())),
  ])
  return [
    {
      at: 'reference/commands/README.md',
      text: page(
        { title: 'Commands', order: 1 },
        'All commands of `npx morphoscope`. [The usual tasks](../../command-line.md) are on a page of their own. `--help` after a command says the same as here.',
        table(['command', 'what it does'], list),
      ),
    },
    ...typed.map(({ names, command }, i) => pageOf(names, command, i)),
  ]
}

export function operationsPage(): MadePage {
  const parts = ops().flatMap((info) => {
    const command = commandOf(info, () => undefined, silent)
    return [
      `## ${info.name.replaceAll('_', '-')}`,
      plain(sentence(info.help)),
      `\`\`\`\nnpx morphoscope op ${info.name.replaceAll('_', '-')} [options]\n\`\`\``,
      table(['option', 'what it does'], optionRows(command)),
    ]
  })
  return {
    at: 'reference/operations.md',
    text: page(
      { title: 'Operations of op', order: 2 },
      'Single operations on images, without a slide: [op](commands/op.md). Files are `.npy`, `.png` or `.tif`. The result is the same on every device and with every `--tile`.',
      ...parts,
    ),
  }
}
