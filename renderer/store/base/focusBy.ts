// Which controls have the focus because a pointer pressed them, and not because somebody went to them by keys.

/** What was pressed last, until somebody comes to it by keys. A script that gives it the focus back changes nothing. */
const pressed = new WeakSet<EventTarget>()
let pressing = false
let typing = false

export const isClicked = (target: EventTarget): boolean => pressed.has(target)

/** Listens to the page; gives what ends it. */
export function watchFocus(page: Pick<Window, 'addEventListener' | 'removeEventListener'> = window): () => void {
  // What a press leads to, a click and a label's among it, comes before the next turn.
  const down = (): void => void (pressing = true)
  const up = (): void => void setTimeout(() => (pressing = false))
  const key = (): void => {
    typing = true
    setTimeout(() => (typing = false))
  }
  const focused = ({ target }: Event): void => {
    if (!target) return
    if (pressing) pressed.add(target)
    else if (typing) pressed.delete(target)
  }
  const listeners = [['pointerdown', down], ['pointerup', up], ['pointercancel', up], ['keydown', key], ['focusin', focused]] as const // oxfmt-ignore
  for (const [name, listener] of listeners) page.addEventListener(name, listener, true)
  return () => {
    for (const [name, listener] of listeners) page.removeEventListener(name, listener, true)
  }
}
