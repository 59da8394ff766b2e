// Which command a key means, and when the key belongs to the control that has the focus instead.
import { matchKeyBindingPress, parseKeybinding } from 'tinykeys'
import { chordsOf, commands, keySets, type Command, type KeySet } from '../../app/commands'

/** text: typing; control: a button, slider or menu that needs Space, Enter and arrows; page: anything else. */
export type Focus = 'text' | 'control' | 'page'

interface Bound {
  readonly command: Command
  readonly chord: string
}

const withShift = (chord: string): string => chord.replace(/^(\$mod\+)?/, '$1Shift+')

/**
 * Whether a character needs Shift depends on the keyboard ("?", "+"), and tinykeys is exact about modifiers: a chord means the same with
 * Shift, unless the table gives that one a meaning of its own.
 */
export function bindingsOf(set: KeySet): readonly Bound[] {
  const written = (Object.keys(commands) as Command[]).flatMap((command) =>
    [...chordsOf(command, set), ...(commands[command].otherKeys ?? [])].map((chord) => ({ command, chord })),
  )
  return written.flatMap(({ command, chord }) => {
    const twin = withShift(chord)
    return chord.includes('Shift+') || written.some((other) => other.chord === twin)
      ? [{ command, chord }]
      : [
          { command, chord },
          { command, chord: twin },
        ]
  })
}
const pressesOf = (set: KeySet) => bindingsOf(set).map(({ command, chord }) => ({ command, press: parseKeybinding(chord)[0]! }))
const presses = Object.fromEntries((Object.keys(keySets) as KeySet[]).map((set) => [set, pressesOf(set)])) as Readonly<
  Record<KeySet, ReturnType<typeof pressesOf>>
>

const ofControls = new Set(['Space', 'Enter', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'Delete', 'Backspace'])

export function commandOf(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'getModifierState'>,
  focus: Focus,
  set: KeySet,
): Command | null {
  const found = presses[set].find(({ press }) => matchKeyBindingPress(event, press))
  if (!found) return null
  const { command, press } = found
  if (focus === 'text' && !commands[command].whileTyping) return null
  return focus === 'control' && ofControls.has(String(press[1])) ? null : command
}

/** An open menu or list takes Escape for itself. */
export const isOpenList = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[aria-expanded="true"][aria-haspopup], [role="menu"], [role="listbox"]') !== null

const textTypes = new Set(['text', 'number', 'search', 'email', 'url', 'password'])

export function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof HTMLElement)) return 'page'
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return 'text'
  // A list to choose from is an input that nobody types into.
  if (target instanceof HTMLInputElement) return textTypes.has(target.type) && !target.readOnly ? 'text' : 'control'
  return target.closest(
    'button, select, a[href], summary, [role="menu"], [role="listbox"], [role="option"], [role="radiogroup"], [role="slider"], [role="separator"], [role="tab"], [role="grid"]',
  )
    ? 'control'
    : 'page'
}
