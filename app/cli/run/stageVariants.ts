// Reads "stage/operation=variant" as the command line writes it.
import { StageVariants, variantNames } from '../../contract'
import { CliError, ExitCode } from '../exitCodes'

const known = Object.entries(variantNames)
  .map(([op, names]) => `${op} (${names.join(', ')})`)
  .join(', ')

/** Throws a usage error that names the option. Whether the recipe and the device have it the engine says. */
export function stageVariants(options: readonly string[] | undefined): { variants?: StageVariants } {
  if (options === undefined) return {}
  const entries = options.map((option) => {
    const at = option.indexOf('=')
    const read = StageVariants.safeParse(at < 0 ? null : { [option.slice(0, at).trim()]: option.slice(at + 1).trim() })
    if (!read.success)
      throw new CliError(ExitCode.usage, `--variant: expected stage/operation=variant, of ${known}, but received "${option}"`)
    return Object.entries(read.data)[0]!
  })
  return { variants: Object.fromEntries(entries) }
}
