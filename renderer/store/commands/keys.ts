// Which command a key means, and when the key belongs to the control that has the focus instead.
import { matchKeyBindingPress, parseKeybinding } from 'tinykeys'
import { chordsOf, commands, keySets, type Command, type KeySet } from '../../../app/commands'

/**
 * Where a key goes. text: somebody types; number: the same, where a space means nothing; control: it has the keyboard, and with it Space,
 * Enter and arrows; row: one that takes Delete, too; slider: it moves by arrows; clicked, clickedRow: a control or row that a pointer pressed,
 * so that it does not show to have the keyboard; page: anything else.
 */
export type Focus = 'text' | 'number' | 'control' | 'row' | 'slider' | 'clicked' | 'clickedRow' | 'page'

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

const moves = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home']
const deletes = ['Delete', 'Backspace']
/**
 * The keys that stay with what has the focus. Space and Enter press what a person has gone to by keys, and shows it by its ring: without them it
 * could not be pressed at all. What was clicked has done its work: Space segments then, as anywhere.
 */
const owned: Readonly<Record<Exclude<Focus, 'text' | 'number'>, ReadonlySet<string>>> = {
  control: new Set([...moves, 'Space', 'Enter']),
  row: new Set([...moves, 'Space', 'Enter', ...deletes]),
  slider: new Set(moves),
  clicked: new Set(moves),
  clickedRow: new Set([...moves, ...deletes]),
  page: new Set(),
}

export function commandOf(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'getModifierState'>,
  focus: Focus,
  set: KeySet,
): Command | null {
  const found = presses[set].find(({ press }) => matchKeyBindingPress(event, press))
  if (!found) return null
  const { command, press } = found
  const key = String(press[1])
  if (focus === 'text' || focus === 'number')
    return commands[command].whileTyping || (focus === 'number' && key === 'Space') ? command : null
  return owned[focus].has(key) ? null : command
}

/** An open menu or list takes Escape for itself. */
export const isOpenList = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[aria-expanded="true"][aria-haspopup], [role="menu"], [role="listbox"]') !== null

const textTypes = new Set(['text', 'number', 'search', 'email', 'url', 'password'])
const numeric = new Set(['decimal', 'numeric'])
const isNumber = ({ type, inputMode }: HTMLInputElement): boolean => type === 'number' || numeric.has(inputMode)

/** `clicked`: its focus came by a pointer (focusBy.ts). */
export function focusOf(target: EventTarget | null, clicked: (target: Element) => boolean = () => false): Focus {
  if (!(target instanceof HTMLElement)) return 'page'
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return 'text'
  const isInput = target instanceof HTMLInputElement
  // A list to choose from is an input that nobody types into.
  if (isInput && textTypes.has(target.type) && !target.readOnly) return isNumber(target) ? 'number' : 'text'
  // What is open over the page has the keyboard to itself.
  if (isOpenList(target) || target.closest('[role="dialog"]')) return 'control'
  if ((isInput && target.type === 'range') || target.closest('[role="slider"], [role="separator"], [role="grid"]'))
    return 'slider'
  const control = isInput ? target : target.closest(controls)
  if (!control) return 'page'
  const isRow = control instanceof HTMLElement && control.dataset['keys'] === 'delete'
  if (clicked(control)) return isRow ? 'clickedRow' : 'clicked'
  return isRow ? 'row' : 'control'
}
const controls =
  'button, select, a[href], summary, [role="menu"], [role="listbox"], [role="option"], [role="radiogroup"], [role="tab"]'
