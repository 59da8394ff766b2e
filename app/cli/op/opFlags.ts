// What the command line of an operation says: its flags, their values, and which files may be written. Without what computes.
import { stat } from 'node:fs/promises'
import { regionOps } from '../../../main/engine'
import type { OpInfo, OpParam } from '../../../main/engine'
import { CliError, ExitCode } from '../exitCodes'

export const usage = (message: string): CliError => new CliError(ExitCode.usage, message)

/** A parameter's text as its value. */
export function parseParam({ name, kind, choices, low, high }: OpParam, text: string): number | boolean | string {
  const flag = `--${flagOf(name)}`
  switch (kind) {
    case 'toggle':
      if (/^(true|yes|on|1)$/i.test(text)) return true
      if (/^(false|no|off|0)$/i.test(text)) return false
      throw usage(`expected true or false for ${flag} but received ${text}`)
    case 'choice':
      if (choices.includes(text)) return text
      throw usage(`expected one of ${choices.join(', ')} for ${flag} but received ${text}`)
    case 'integer':
    case 'number': {
      const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN
      const whole = kind === 'integer'
      if (value >= low && value <= high && (!whole || Number.isInteger(value))) return value
      throw usage(`expected ${whole ? 'a whole number' : 'a number'} from ${low} to ${high} for ${flag} but received ${text}`)
    }
  }
}

/** minArea and min_area to min-area. */
export function flagOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
}

export const canTile = (info: OpInfo): boolean => regionOps().includes(info.name)

/** Before anything is computed: no operation writes over what it reads, nor over other files unasked. */
export async function checkOutputs(inputs: readonly string[], outputs: readonly string[], overwrite: boolean): Promise<void> {
  const fileOf = async (path: string): Promise<string | null> => {
    const found = await stat(path, { bigint: true }).catch(() => null)
    return found && `${found.dev}/${found.ino}`
  }
  const read = await Promise.all(inputs.map(fileOf))
  for (const path of outputs) {
    const file = await fileOf(path)
    if (file === null) continue
    if (read.includes(file))
      throw new CliError(ExitCode.cannotCreate, `${path} is one of the inputs, and is not written over. Choose another name.`)
    if (!overwrite)
      throw new CliError(
        ExitCode.cannotCreate,
        `${path} is there already. Give --overwrite to replace it, or choose another name.`,
      )
  }
}
