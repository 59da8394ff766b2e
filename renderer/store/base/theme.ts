// Light, dark or the system's theme: chosen by commands and buttons, kept in this window's storage, shown by Mantine, which follows the system. `public/theme.js` reads the same before the first picture.
import type { MantineColorSchemeManager } from '@mantine/core'
import { words } from '../../words'

export const themes = ['auto', 'light', 'dark'] as const
/** 'auto': as the system has it, and goes with it. */
export type Theme = (typeof themes)[number]
export const themeNames: Readonly<Record<Theme, string>> = words.look.themes

export const themeKey = 'morphoscope.theme'

const isTheme = (value: unknown): value is Theme => (themes as readonly unknown[]).includes(value)

/** Whoever shows it: the provider. */
let show: (theme: Theme) => void = () => undefined

/** Another window of the same user has chosen. */
function onStorage({ key, newValue }: StorageEvent): void {
  if (key === themeKey) show(isTheme(newValue) ? newValue : 'auto')
}

/** Where Mantine's provider finds the theme, keeps it and hears of it. */
export const themeManager: MantineColorSchemeManager = {
  get(usual) {
    try {
      const kept = localStorage.getItem(themeKey)
      return isTheme(kept) ? kept : usual
    } catch {
      return usual
    }
  },
  set(theme) {
    try {
      localStorage.setItem(themeKey, theme)
    } catch {
      // Full or blocked: it holds for as long as the page does.
    }
  },
  subscribe(onUpdate) {
    show = onUpdate
    window.addEventListener('storage', onStorage)
  },
  unsubscribe() {
    show = () => undefined
    window.removeEventListener('storage', onStorage)
  },
  clear() {
    localStorage.removeItem(themeKey)
  },
}

/** From now on, in this window and its user's others. */
export const chooseTheme = (theme: Theme): void => show(theme)

/** The choice given: any but these is none. */
export const chooseThemeNamed = (name: string): void => {
  if (isTheme(name)) chooseTheme(name)
}
