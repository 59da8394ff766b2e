// Which channels of a slide every object is measured in, and what they are called in tables and files.
import { MOST_MEASURED_CHANNELS } from '../../native/index'
import type { CellsRequest } from '../../native/index'
import { columnGroups } from '../../app/contract'
import type { ColumnGroups, SlideInfo } from '../../app/contract'

/** In the file's order, each name once: the second "CD8" is "CD8 (2)". None of what is one picture in colours. */
export function measuredChannels({ channels }: Pick<SlideInfo, 'channels'>): string[] {
  if (channels.every(({ shown }) => shown !== 'no' && shown !== 'gray')) return []
  return distinct(channels.slice(0, MOST_MEASURED_CHANNELS).map(({ name }) => name))
}

/** What a run's columns behind those of its objects' own are. */
export const groupsOf = (
  slide: Pick<SlideInfo, 'channels'>,
  stainNames: readonly string[],
  cells: CellsRequest | null,
): ColumnGroups => columnGroups(measuredChannels(slide), stainNames, !cells ? 'none' : cells.membrane ? 'scored' : 'plain')

/** Where there are more than are measured, in words. */
export function unmeasuredWarning({ channels }: Pick<SlideInfo, 'channels'>): string[] {
  if (channels.length <= MOST_MEASURED_CHANNELS) return []
  return [
    `Objects are measured in the first ${MOST_MEASURED_CHANNELS} of the slide’s ${channels.length} channels: the others are not in the table and files.`,
  ]
}

/** Names that stand there before get a number. `same`: by what two are taken for one. */
export function distinct(names: readonly string[], same: (name: string) => string = (name) => name): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let own = name
    for (let n = 2; taken.has(same(own)); n++) own = `${name} (${n})`
    taken.add(same(own))
    return own
  })
}
