// The command line of `morphoscope op`: one command an operation, made from the native table, with its help.
import { Command, Option } from 'commander'
import { ops } from '../../../main/engine'
import type { OpInfo, OpParam, OpParams, OpSlot } from '../../../main/engine'
import { deviceName } from '../deviceName'
import { CliError, ExitCode } from '../exitCodes'
import { memorySize } from '../run/memorySize'
import type { OpReport } from './op'
import { canTile, flagOf, parseParam } from './opFlags'
import type { TileReport } from './opTiles'
import { processTerminal } from '../terminal'
import type { Terminal } from '../terminal'

/** Names that the command itself has taken. */
const own = ['out', 'threads', 'device', 'overwrite', 'json', 'help', 'tile', 'memory', 'devices', 'scratch', 'cpu']

function inputFlag({ name }: OpSlot): string {
  return own.includes(flagOf(name)) ? `in-${flagOf(name)}` : flagOf(name)
}
function paramFlag({ name }: OpParam, info: OpInfo): string {
  const taken = [...own, ...info.inputs.map(inputFlag)]
  return taken.includes(flagOf(name)) ? `param-${flagOf(name)}` : flagOf(name)
}

function paramHelp({ help, kind, choices, low, high, fallback, required }: OpParam): string {
  const range = kind === 'choice' ? choices.join(' | ') : kind === 'toggle' ? 'true | false' : `${low} to ${high}`
  return `${help} (${range}${required ? '' : `; default ${fallback}`})`
}

const tileSide = (text: string): number => {
  const side = Number(text)
  if (Number.isInteger(side) && side >= 16 && side <= 46000) return side
  throw new CliError(ExitCode.usage, `expected a whole number from 16 to 46000 for --tile but received ${text}`)
}

/** `done` receives the report; tests read it too. */
export function commandOf(
  info: OpInfo,
  done: (report: OpReport | TileReport, json: boolean, deviceAsked: boolean) => void,
  terminal: Terminal = processTerminal(),
  signal?: AbortSignal,
): Command {
  const command = new Command(`morphoscope op ${info.name}`).description(info.help)
  const inputs = info.inputs.map((slot) => {
    const option = new Option(
      `--${inputFlag(slot)} <file>`,
      `${slot.help} (${slot.channels === 4 ? 'RGB or RGBA' : slot.types.join(', ')}${slot.optional ? '; optional' : ''})`,
    )
    command.addOption(option)
    return { name: slot.name, key: option.attributeName() }
  })
  const params = info.params.map((param) => {
    const option = new Option(`--${paramFlag(param, info)} ${param.kind === 'toggle' ? '[value]' : '<value>'}`, paramHelp(param))
    if (param.kind === 'toggle') option.preset('true')
    option.argParser((text: string) => parseParam(param, text))
    command.addOption(option)
    return { name: param.name, key: option.attributeName() }
  })
  const outputs = info.outputs.map((slot, i) => {
    const option = new Option(`--out${i === 0 ? '' : `-${flagOf(slot.name)}`} <file>`, `${slot.help} (${slot.types.join(', ')})`)
    command.addOption(option)
    return { name: slot.name, key: option.attributeName() }
  })
  command.option(
    '--threads <n>',
    'CPU threads',
    (text) => {
      const threads = Number(text)
      if (Number.isInteger(threads) && threads >= 1 && threads <= 256) return threads
      throw new CliError(ExitCode.usage, `expected a whole number from 1 to 256 for --threads but received ${text}`)
    },
    1,
  )
  command.option('--device <name>', 'what computes: cpu, gpu0, …; `morphoscope devices` lists them (default: cpu)', deviceName)
  const tiles = canTile(info)
  if (tiles) {
    command.option('--tile <px>', 'work tile by tile on files that may be larger than memory, with the same result', tileSide)
    command.option('--memory <size>', 'what tiles may take together, e.g. 4G (with --tile; default: no limit)', memorySize)
    command.option('--devices <names>', 'with --tile: all, or cpu,gpu0,gpu1: each takes the next tile (default: cpu)')
    command.option(
      '--scratch <folder>',
      "with --tile: where working files may go, such as unpacked .tif (default: the system's temporary folder)",
    )
    command.addOption(
      new Option('--cpu <how>', 'with --tile: does each core take a tile, or do all share one?').choices(['cores', 'group']),
    )
  }
  command.option('--overwrite', 'replace output files that are there already')
  command.option('--json', 'report as JSON')
  command.allowExcessArguments(false)
  command.action(async (given: Record<string, unknown>) => {
    const pick = <T>(named: readonly { name: string; key: string }[]): Record<string, T> =>
      Object.fromEntries(named.filter(({ key }) => given[key] !== undefined).map(({ name, key }) => [name, given[key] as T]))
    const files = pick<string>(outputs)
    if (info.outputs.length > 0 && Object.keys(files).length === 0 && info.outputs[0]) {
      throw new CliError(ExitCode.usage, `expected a file for --out of ${info.name} but received none`)
    }
    const request = {
      inputs: pick<string>(inputs),
      outputs: files,
      params: pick<OpParams[string]>(params),
      threads: given['threads'] as number,
      device: (given['device'] as string | undefined) ?? 'cpu',
      overwrite: given['overwrite'] === true,
    }
    const options = {
      tile: given['tile'] as number | undefined,
      memoryMiB: given['memory'] as number | undefined,
      devices: given['devices'] as string | undefined,
      scratch: given['scratch'] as string | undefined,
      cpu: given['cpu'] as 'cores' | 'group' | undefined,
    }
    const { needsTiles, runOpInTiles } = await import('./opTiles')
    const { runOp } = await import('./op')
    const asked =
      tiles && (Object.values(options).some((value) => value !== undefined) || (await needsTiles(Object.values(request.inputs))))
    const report = asked ? await runOpInTiles(info, request, options, terminal, signal) : await runOp(info, request)
    done(report, given['json'] === true, given['device'] !== undefined)
  })
  return command
}

function tileWords({ tile, workers, visits, ms }: TileReport): string {
  const steps = Object.entries(visits).map(
    ([step, devices]) =>
      `${step} ${Object.entries(devices)
        .map(([device, count]) => `${count} on ${device}`)
        .join(', ')}`,
  )
  return `tiles of ${tile} px, ${workers} at once, ${(ms / 1000).toFixed(2)} s: ${steps.join('; ')}`
}

export async function opCommand(terminal: Terminal, args: readonly string[], signal?: AbortSignal): Promise<void> {
  const [name, ...rest] = args
  const known = ops()
  if (name === undefined || name === '--help' || name === '-h') {
    const width = Math.max(...known.map((info) => info.name.length))
    const lines = known.map((info) => `  ${info.name.padEnd(width)}  ${info.help}`)
    const help = [
      'Usage: morphoscope op NAME [options]',
      '',
      'Files end in .npy, .png or .tif. `morphoscope op NAME --help` lists the options.',
      '',
      'Operations:',
      ...lines,
    ].join('\n')
    if (name !== undefined) return terminal.print(help)
    // Standard output is for what was asked for.
    terminal.note(help)
    throw new CliError(ExitCode.usage, 'expected the name of an operation but received none')
  }
  const info = known.find((each) => each.name === name || flagOf(each.name) === name)
  if (!info)
    throw new CliError(
      ExitCode.usage,
      `expected one of ${known.map((each) => each.name).join(', ')} for the operation but received ${name}`,
    )
  const shown = (report: OpReport | TileReport, json: boolean, deviceAsked: boolean): void => {
    if (json) terminal.print(JSON.stringify(report, null, 2))
    else {
      for (const [scalar, value] of Object.entries(report.scalars)) terminal.print(`${scalar} ${value}`)
      const steps = report.steps.map(({ name, ms }) => `${name} ${ms.toFixed(2)} ms`)
      if (deviceAsked) terminal.note(`${report.device}, variant ${report.variant}: ${steps.join(', ')}`)
      else if ('tile' in report) terminal.note(tileWords(report))
      for (const { path } of report.outputs) terminal.print(path)
    }
  }
  const command = commandOf(info, shown, terminal, signal)
  quiet(command)
  command.configureOutput({ writeOut: (text) => terminal.print(text.trimEnd()) })
  await command.parseAsync([...rest], { from: 'user' })
}

/** Commander throws instead of ending the process; the message is written where all the others are. */
export function quiet(command: Command): void {
  command.exitOverride()
  command.configureOutput({ writeErr: () => undefined })
  for (const each of command.commands) quiet(each)
}
