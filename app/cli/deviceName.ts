// The value of --device: a name as `morphoscope devices` lists them. Whether it is there shows when it is used.
import { deviceNames } from '../contract'
import { CliError, ExitCode } from './exitCodes'

export function deviceName(text: string): string {
  if (deviceNames.test(text)) return text
  throw new CliError(ExitCode.usage, `expected cpu, gpu0, gpu1, … for --device but received ${text}`)
}
