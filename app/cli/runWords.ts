// What `morphoscope run` says of its end: how much is certain, and what to do where something could not be read.
import { counted } from '../contract'
import type { RunStatus } from '../contract'

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
