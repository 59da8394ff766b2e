// `morphoscope sample`: writes a slide to learn with, and says what is in it.
import { writeFile } from 'node:fs/promises'
import { samples } from '../../main/engine'
import { CliError, ExitCode } from './exitCodes'
import { installation } from './installation'
import type { Terminal } from './terminal'

export interface SampleOptions {
  readonly out?: string
  readonly regions?: string
  readonly overwrite?: boolean
}

async function keeps(path: string, bytes: Uint8Array | string, overwrite: boolean): Promise<void> {
  try {
    await writeFile(path, bytes, { flag: overwrite ? 'w' : 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new CliError(ExitCode.cannotCreate, `${path} is there already. Choose another name, or add --overwrite.`)
    const isDisk = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EIO'
    throw new CliError(isDisk ? ExitCode.inputOutput : ExitCode.cannotCreate, `${path} could not be written: ${message}`)
  }
}

export async function writeSample(terminal: Terminal, name: string | undefined, options: SampleOptions): Promise<void> {
  const { sampleNames, samplesOf } = await samples()
  const all = samplesOf(installation().sampleSlide)
  if (name === undefined) return terminal.print(sampleNames.map((each) => `${each.padEnd(10)}${all[each].words}`).join('\n'))
  const known = sampleNames.find((each) => each === name)
  if (known === undefined) throw new CliError(ExitCode.usage, `There is no sample ${name}. There are ${sampleNames.join(', ')}.`)
  const { ending, make } = all[known]
  const { bytes, truth, regions } = await make()
  if (options.regions !== undefined && regions === undefined)
    throw new CliError(ExitCode.usage, `The sample ${name} has no regions: leave out --regions.`)
  const out = options.out ?? `${name}${ending}`
  if (!out.endsWith(ending)) throw new CliError(ExitCode.usage, `${out}: this sample's name has to end in ${ending}.`)
  await keeps(out, bytes, options.overwrite === true)
  terminal.print([out, ...truth].join('\n'))
  if (options.regions !== undefined) {
    await keeps(options.regions, `${JSON.stringify(regions)}\n`, options.overwrite === true)
    terminal.print(options.regions)
  }
}
