// Which options a slide's run in shards takes at which of its steps.
import { InvalidArgumentError } from 'commander'
import { mostShards, ShardRef } from '../../contract'
import { CliError, ExitCode } from '../exitCodes'
import type { RunOptions } from '../run/run'

/** "3/16". */
export function shardRef(text: string): ShardRef {
  const match = /^(\d{1,5})\/(\d{1,5})$/.exec(text.trim())
  const ref = ShardRef.safeParse({ shard: Number(match?.[1]), of: Number(match?.[2]) })
  if (ref.success) return ref.data
  throw new InvalidArgumentError(
    `expected I/N with I from 1 to N and N of ${mostShards} at most, e.g. 3/16, but received ${text}`,
  )
}

type Name = keyof RunOptions

/** What decides the objects: every shard has to have it alike. */
const ofRun: readonly Name[] = [
  ...(['recipe', 'set', 'region', 'mpp', 'channel', 'stains', 'stainsRegion', 'classLimit', 'classLimitRegion'] as const),
]
/** What is made of the objects: `merge` does that once. */
const ofFiles: readonly Name[] = [
  ...([
    'files',
    'simplify',
    'origin',
    'classBy',
    'hotSpot',
    'spatial',
    'lmdCalibration',
    'laserCells',
    'laserWells',
    'verify',
    'named',
  ] as const),
]
const ofWhole: readonly Name[] = ['resume', 'partial']

const flag = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
const given = (options: RunOptions, names: readonly Name[]): string | undefined => {
  const name = names.find((each) => options[each] !== undefined)
  return name === undefined ? undefined : flag(name)
}

/** Throws CliError for what a shard has no use for. */
export function requireOfShard(options: RunOptions, isPrepared: boolean): void {
  const late = given(options, ofFiles)
  if (late !== undefined)
    throw new CliError(ExitCode.usage, `${late} is for the files: give it to morphoscope merge, and leave it out with --shard`)
  const whole = given(options, ofWhole)
  if (whole !== undefined)
    throw new CliError(ExitCode.usage, `${whole} is not needed with --shard: the same command goes on where it was`)
  const early = isPrepared ? given(options, ofRun) : undefined
  if (early !== undefined)
    throw new CliError(
      ExitCode.usage,
      `The slide was prepared with its recipe: leave out ${early}, or prepare it again with that`,
    )
}
