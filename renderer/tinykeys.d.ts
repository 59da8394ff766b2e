// The types of what is used of tinykeys: its package.json names its own in a way that the compiler does not follow.
declare module 'tinykeys' {
  export type KeyBindingPress = readonly [modifiers: readonly string[], key: string | RegExp]
  export function parseKeybinding(chord: string): KeyBindingPress[]
  export function matchKeyBindingPress(
    event: Pick<KeyboardEvent, 'key' | 'code' | 'getModifierState'>,
    press: KeyBindingPress,
  ): boolean
}
