// Which commands a few letters mean, the likeliest first. Pure.
import { commands, type Command } from '../../app/commands'

/** What a row of the palette says. */
export const wordsOf = (command: Command): { label: string; group: string } => commands[command]

/** Every word begins a word of the label, else lies somewhere in it or in the group's name; nothing: all of them, in the table's order. */
export function matching(query: string): Command[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const all = (Object.keys(commands) as Command[]).filter((command) => command !== 'palette')
  const scores = all.map((command) => {
    const { label, group } = commands[command]
    const text = label.toLowerCase()
    const begins = text.split(/[^a-z0-9:]+/)
    const each = words.map((word) => {
      if (text.startsWith(word)) return 3
      if (begins.some((begin) => begin.startsWith(word))) return 2
      return text.includes(word) || group.toLowerCase().startsWith(word) ? 1 : 0
    })
    return { command, score: each.includes(0) ? 0 : each.reduce<number>((sum, score) => sum + score, 1) }
  })
  return scores
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ command }) => command)
}
