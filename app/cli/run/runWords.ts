// What `morphoscope run` says: how far it is, which memory it needs, and of its end how much is certain, and what to do where something could not be read.
import { counted } from '../../contract'
import type { RunMemory, RunStatus } from '../../contract'
import { duration } from '../terminal'

/** Where something could be read in full, and is kept. `deidentify`: the journal names no slide. */
export function hintOfUnread(
  { tilesDone, unreadableTiles, uncertainTiles = 0 }: RunStatus,
  directory: string,
  deidentify: boolean,
): string {
  if (tilesDone <= unreadableTiles + uncertainTiles) return ' Run again once the file can be read.'
  const once = (command: string): string => ` Once the file can be read, morphoscope run ${command} computes what is missing.`
  return deidentify
    ? once(`SLIDE --resume ${directory} --deidentify`)
    : `${once(`--resume ${directory}`)} Its journal names the slide's folder: delete it before you hand the files on.`
}

/** How much of what was computed nothing beyond its window, and nothing unread, could change. */
export function certainWords({
  certainty: { checkedMegapixels: checked, certainMegapixels: certain, grownWindows: grown },
}: RunStatus): string {
  if (checked <= 0) return ''
  const share = (100 * certain) / checked
  const more = grown > 0 ? `, ${counted(grown, 'window')} grown` : ''
  // Nothing short of all is all.
  return `, ${certain >= checked ? '100' : Math.min(share, 99.999).toFixed(3)} % certain${more}`
}

/** On one line, while it goes on. */
export function progressLine({ tilesDone, tilesTotal, objects, megapixelsPerSecond, etaMs, ground }: RunStatus): string {
  if (ground) {
    const left = ground.etaMs === null ? '' : `, ${duration(ground.etaMs)} left of it`
    return `background of the whole slide: ${Math.floor(100 * ground.share)} %${left}`
  }
  const percent = tilesTotal > 0 ? Math.floor((100 * tilesDone) / tilesTotal) : 0
  const eta = etaMs === null ? '' : `, ${duration(etaMs)} left`
  return `${percent} %  ${tilesDone}/${counted(tilesTotal, 'tile')}, ${counted(objects, 'object')}, ${megapixelsPerSecond.toFixed(1)} Mpx/s${eta}`
}

const gigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`

export function memoryWords({ needBytes, budgetBytes, windowsAtOnce }: RunMemory): string {
  const windows = `${counted(windowsAtOnce, 'window')} at once`
  return needBytes > budgetBytes
    ? `memory: about ${gigabytes(needBytes)} with ${windows}, which is more than the ${gigabytes(budgetBytes)} that it may hold: give it more with --memory`
    : `memory: about ${gigabytes(needBytes)} of ${gigabytes(budgetBytes)}, ${windows}`
}
