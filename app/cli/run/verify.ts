// `run --verify`: parts of a run computed once more in one window, and what is said of it; and regions as options name them.
import { noun } from '../../contract'
import type { Engine } from '../../../main/engine'
import type { Region, RunVerification } from '../../contract'
import { CliError, ExitCode, valueOf } from '../exitCodes'
import type { Terminal } from '../terminal'

export function parseRegion(text: string, option = '--region'): Region {
  const match = /^\s*(-?\d{1,12})\s*,\s*(-?\d{1,12})\s*,\s*(\d{1,12})\s*,\s*(\d{1,12})\s*$/.exec(text)
  const [x, y, width, height] = (match ?? []).slice(1).map(Number)
  if (x === undefined || y === undefined || !width || !height) {
    throw new CliError(ExitCode.usage, `expected x,y,width,height in level-0 px for ${option} but received ${text}`)
  }
  return { x, y, width, height }
}

/** What is to be computed once more. */
export function parseVerify(texts: readonly string[] | undefined): { regions: Region[]; random: number } {
  const counts = (texts ?? []).filter((text) => /^\s*\d{1,4}\s*$/.test(text))
  const regions = (texts ?? []).filter((text) => !counts.includes(text)).map((text) => parseRegion(text, '--verify'))
  return { regions, random: counts.reduce((sum, text) => sum + Number(text), 0) }
}

/** Says whether the run is what one window finds there; null where nobody asked. */
export async function verified(
  engine: Engine,
  terminal: Terminal,
  runId: string,
  wanted: ReturnType<typeof parseVerify>,
  signal: AbortSignal,
): Promise<RunVerification | null> {
  if (wanted.regions.length + wanted.random === 0) return null
  const found = valueOf(await engine.call('run:verify', { runId, ...wanted }, signal)) as RunVerification
  for (const { region, objects, equal, certain, difference } of found.parts) {
    const where = `${region.x},${region.y},${region.width},${region.height}`
    const doubt =
      certain === false ? ' (not certain: something beyond the window, or something that could not be read, may change it)' : ''
    terminal.note(
      equal
        ? `verify ${where}: equal, ${objects} ${noun(objects, 'object')}${doubt}`
        : `verify ${where}: NOT EQUAL${doubt}: ${difference?.words} at ${difference?.x}, ${difference?.y}`,
    )
  }
  return found
}
