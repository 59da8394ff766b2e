// Which rows of the palette a few letters mean, the likeliest first. Pure.
import { commands, type Command } from '../../../app/commands'
import { words } from '../../words'
import { groupOf, labelOf } from '../../words/named'

/** What a row of the palette says. */
export const wordsOf = (command: Command): { label: string; group: string } => ({
  label: labelOf(command),
  group: groupOf(commands[command].group),
})

export interface Wordy {
  readonly label: string
  readonly group: string
  /** Found by them, and not shown. */
  readonly words?: string
}

/** Every word begins a word of the label, else lies somewhere in it, in the group's name or in a word beside; nothing: all of them, as they come. */
export function matchingRows<T extends Wordy>(query: string, rows: readonly T[]): T[] {
  const asked = query.toLowerCase().split(/\s+/).filter(Boolean)
  const scores = rows.map((row) => {
    const text = row.label.toLowerCase()
    const begins = text.split(/[^a-z0-9:]+/)
    const beside = `${row.group} ${row.words ?? ''}`.toLowerCase().split(' ')
    const each = asked.map((word) => {
      if (text.startsWith(word)) return 3
      if (begins.some((begin) => begin.startsWith(word))) return 2
      return text.includes(word) || beside.some((other) => other.startsWith(word)) ? 1 : 0
    })
    return { row, score: each.includes(0) ? 0 : each.reduce<number>((sum, score) => sum + score, 1) }
  })
  return scores
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ row }) => row)
}

export const commandRows = (Object.keys(commands) as Command[])
  .filter((command) => command !== 'palette')
  .map((command) => ({ command, ...wordsOf(command), words: words.otherWords[command] ?? '' }))

export const matching = (query: string): Command[] => matchingRows(query, commandRows).map(({ command }) => command)
