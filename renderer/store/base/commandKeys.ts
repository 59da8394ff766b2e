// Which keys a command has, as people read them. Nothing of what a command does.
import { chordsOf, commands, keySets, type Command, type KeySet } from '../../../app/commands'
import { words } from '../../words'
import { groupOf, labelOf } from '../../words/named'
import { getState } from '../store'

export { keySets }
export type { Command, KeySet }

const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')
const caps: Readonly<Record<string, string>> = {
  $mod: isMac ? '⌘' : words.keys.control,
  ContextMenu: words.keys.menu,
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: words.keys.escape,
}

/** A chord as people read it: "$mod+Shift+z" is Ctrl+Shift+Z. */
export const shownKey = (chord: string): string =>
  chord
    .split(/\b\+/)
    .map((part) => caps[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join('+')

/** What the settings say; who shows keys is drawn anew when it changes (App). */
export const keySetChosen = (): KeySet => getState().ui.settings?.keys ?? 'morphoscope'

export const keysOf = (command: Command, set = keySetChosen()): string[] => chordsOf(command, set).map(shownKey)

/** For a sentence: the first of its keys, or where there is none the command's name. */
export const keyNamed = (command: Command, set?: KeySet): string =>
  keysOf(command, set)[0] ?? words.names.quoted(labelOf(command))

/** What a button says of its command: `IconButton`'s label and key. */
export function tip(command: Command): { label: string; shortcut?: string } {
  const [shortcut] = keysOf(command)
  return { label: labelOf(command), ...(shortcut === undefined ? {} : { shortcut }) }
}

/** The commands that have keys, in the order of the cheat sheet. */
export const cheatSheet = (set: KeySet) =>
  (['Segment', 'Regions', 'View', 'Recipe', 'File', 'Window'] as const).map((group) => ({
    group: groupOf(group),
    rows: (Object.keys(commands) as Command[])
      .filter((command) => commands[command].group === group && chordsOf(command, set).length > 0)
      .map((command) => ({ command, label: labelOf(command), keys: keysOf(command, set) })),
  }))

/** A text that names commands in braces ({undo}), with their keys in place of the names. */
export const withKeys = (text: string, set?: KeySet): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const command = commandNamed(name)
    return command ? keyNamed(command, set) : whole
  })

/** A shell's menu names a command of the same table; a shell of another version may name one that is not there. */
export const commandNamed = (name: string): Command | null => (Object.hasOwn(commands, name) ? (name as Command) : null)
