// The value of --memory.
import { InvalidArgumentError } from 'commander'

/** MiB of "4G", "1.5GiB", "900M". */
export function memorySize(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([MGT])(?:i?B)?$/i.exec(text) ?? []
  const mib = Math.floor(Number(number) * { M: 1, G: 1024, T: 1024 ** 2 }[(unit ?? 'M').toUpperCase() as 'M' | 'G' | 'T'])
  if (mib >= 512 && mib <= 16 * 1024 ** 2) return mib
  throw new InvalidArgumentError(`expected a size from 512M to 16T, e.g. 4G, but received ${text}`)
}
