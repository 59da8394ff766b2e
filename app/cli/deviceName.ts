// The values of --device and --devices: names as `morphoscope devices` lists them. Whether they are there shows when they are used.
import { gpus } from '../../main/engine'
import { DeviceNames, deviceNames } from '../contract'
import { CliError, ExitCode } from './exitCodes'

export function deviceName(text: string): string {
  if (deviceNames.test(text)) return text
  throw new CliError(ExitCode.usage, `expected cpu, gpu0, gpu1, … for --device but received ${text}`)
}

/** Several with commas, or `all`: every GPU and the CPU. GPUs come first: between equals the first is taken. */
export async function deviceList(text: string): Promise<string[]> {
  if (text === 'all') return [...(await gpus()).devices.map(({ index }) => `gpu${index}`), 'cpu']
  const names = text.split(',').map((name) => name.trim())
  const asked = DeviceNames.safeParse(names.join(','))
  if (asked.success) return names
  throw new CliError(
    ExitCode.usage,
    `expected all, or cpu, gpu0, gpu1, … each once with commas between, for --devices but received ${text}`,
  )
}
