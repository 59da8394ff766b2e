// The page of the window's commands with their keys, in both sets.
import { commands, keySets } from '../../../app/commands'
import type { Command } from '../../../app/commands'
import { guideChapters } from '../../../app/guide'
import { keysOf } from '../../../renderer/store/base/commandKeys'
import { slugOf } from '../markdown'
import type { MadePage } from './pages'
import { cell, page, table } from './text'

const keyCaps = (keys: readonly string[]): string => keys.map((each) => `<kbd>${cell(each)}</kbd>`).join(', ')

export function keysPage(): MadePage {
  const all = Object.keys(commands) as Command[]
  const groups = [...new Set(all.map((command) => commands[command].group))]
  const chapterOf = (command: Command) => guideChapters.find((chapter) => chapter.commands.includes(command))
  const row = (command: Command): string[] => {
    const chapter = chapterOf(command)
    const label = cell(commands[command].label)
    return [
      chapter ? `[${label}](../../assets/guide/README.md#${slugOf(chapter.title)})` : label,
      keyCaps(keysOf(command, 'morphoscope')),
      keyCaps(keysOf(command, 'qupath')),
    ]
  }
  return {
    at: 'reference/keys.md',
    text: page(
      { title: 'Commands and keys of the window', order: 7 },
      'Every command is found by a few letters of its name, also one without a key: <kbd>Ctrl</kbd>+<kbd>K</kbd>. Each leads to its chapter of the guide. On a Mac <kbd>⌘</kbd> stands for Ctrl.',
      ...groups.flatMap((group) => [
        `## ${group}`,
        table(
          ['command', keySets.morphoscope, keySets.qupath],
          all.filter((command) => commands[command].group === group).map(row),
        ),
      ]),
    ),
  }
}
