// Which command a key means, and when the key belongs to the control that has the focus instead.
import type { Command } from './commands'

export interface Key {
  readonly key: string
  readonly ctrl: boolean
  readonly shift: boolean
  readonly alt: boolean
}

/** text: typing; control: a button, slider or menu that needs Space, Enter and arrows; page: anything else. */
export type Focus = 'text' | 'control' | 'page'

const plain: Readonly<Record<string, Command>> = {
  f: 'fit',
  Home: 'fit',
  '1': 'actualSize',
  '+': 'zoomIn',
  '=': 'zoomIn',
  '-': 'zoomOut',
  _: 'zoomOut',
  ArrowLeft: 'panLeft',
  ArrowRight: 'panRight',
  ArrowUp: 'panUp',
  ArrowDown: 'panDown',
  o: 'overlay',
  s: 'style',
  i: 'info',
  d: 'rectangle',
  w: 'segmentWhole',
  c: 'segmentCenter',
  p: 'preview',
  g: 'device',
  ' ': 'segmentVisible',
  Enter: 'segmentVisible',
  Escape: 'cancel',
  '?': 'help',
  '[': 'leftPanel',
  ']': 'rightPanel',
}
const ofControls = new Set([' ', 'Enter', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home'])

export function commandOf({ key, ctrl, shift, alt }: Key, focus: Focus): Command | null {
  if (alt) return null
  const letter = key.length === 1 ? key.toLowerCase() : key
  if (ctrl) {
    if (letter === 'o') return 'open'
    if (letter === 'e') return 'export'
    // In a text field these undo typing.
    if (focus === 'text') return null
    if (letter === 'z') return shift ? 'redo' : 'undo'
    return letter === 'y' ? 'redo' : null
  }
  if (focus === 'text') return null
  if (focus === 'control' && ofControls.has(key)) return null
  if (letter === 'r') return shift ? 'rotateLeft' : 'rotateRight'
  return plain[letter] ?? null
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
    'button, select, a[href], summary, [role="menu"], [role="listbox"], [role="option"], [role="radiogroup"], [role="slider"], [role="tab"]',
  )
    ? 'control'
    : 'page'
}
