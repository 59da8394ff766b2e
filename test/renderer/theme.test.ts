// The theme: what is kept, who hears of it, and that the page has it before its first picture; every colour stands in one file, for both themes.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runCommand } from '../../renderer/store/commands/commands'
import { chooseThemeNamed, themeKey, themeManager } from '../../renderer/store/base/theme'

const renderer = join(import.meta.dirname, '..', '..', 'renderer')
const kept = new Map<string, string>()
const heard: string[] = []
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
}

let tellsOthers: (event: { key: string; newValue: string | null }) => void = () => undefined
beforeEach(() => {
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('window', {
    addEventListener: (_name: string, listener: typeof tellsOthers) => void (tellsOthers = listener),
    removeEventListener: () => undefined,
  })
  // As Mantine's provider does.
  themeManager.subscribe((theme) => {
    heard.push(theme)
    themeManager.set(theme)
  })
})
afterEach(() => {
  themeManager.unsubscribe()
  vi.unstubAllGlobals()
  kept.clear()
  heard.length = 0
})

it('is chosen by commands and by name, kept, and any other word is none', () => {
  expect(themeManager.get('auto')).toBe('auto')
  runCommand('themeLight')
  expect(themeManager.get('auto')).toBe('light')
  chooseThemeNamed('dark')
  chooseThemeNamed('mauve')
  runCommand('themeSystem')
  expect(heard).toEqual(['light', 'dark', 'auto'])
  kept.set(themeKey, '{"not":"a theme"}')
  expect(themeManager.get('auto')).toBe('auto')
})

it('goes along when another window chooses', () => {
  tellsOthers({ key: 'another', newValue: 'light' })
  tellsOthers({ key: themeKey, newValue: 'light' })
  tellsOthers({ key: themeKey, newValue: null })
  expect(heard).toEqual(['light', 'auto'])
})

it('holds where storage is blocked', () => {
  const blocked = () => {
    throw new Error('blocked')
  }
  vi.stubGlobal('localStorage', { getItem: blocked, setItem: blocked })
  runCommand('themeDark')
  expect(heard).toEqual(['dark'])
  expect(themeManager.get('auto')).toBe('auto')
})

it.each([
  ['dark', false, 'dark'],
  ['light', true, 'light'],
  ['auto', true, 'dark'],
  [null, false, 'light'],
  ['mauve', true, 'dark'],
] as const)('a page that keeps %s, on a system that is dark: %s, begins %s', (choice, systemDark, expected) => {
  const set = vi.fn()
  if (choice !== null) kept.set(themeKey, choice)
  runInNewContext(readFileSync(join(renderer, 'public', 'theme.js'), 'utf8'), {
    localStorage: storage,
    matchMedia: (query: string) => ({ matches: query === '(prefers-color-scheme: dark)' && systemDark }),
    document: { documentElement: { setAttribute: set } },
  })
  expect(set).toHaveBeenCalledExactlyOnceWith('data-mantine-color-scheme', expected)
})

it('has the same colours in both themes, by name, and other style files have names alone', () => {
  const file = (name: string) => readFileSync(join(renderer, 'styles', name), 'utf8')
  const [, dark, light] = file('colours.css')
    .split(/^:root[^{]*\{$/m)
    .slice(1)
  const names = (part: string) => [...part.matchAll(/^ {2}(--[a-z-]+):/gm)].map(([, name]) => name).sort()
  expect(names(light!)).toEqual(names(dark!))
  const defined = new Set([...file('colours.css').matchAll(/^ {2}(--[a-z-]+):/gm)].map(([, name]) => name))
  const used = readdirSync(join(renderer, 'styles')).flatMap((name) =>
    [...file(name).matchAll(/(?:color|background|stroke|fill|border[a-z-]*): [^;]*?var\((--[a-z-]+)\)/g)].map(
      ([, each]) => each!,
    ),
  )
  expect([...new Set(used)].filter((name) => !defined.has(name) && !name.startsWith('--mantine'))).toEqual([])
  const surfaces = readdirSync(join(renderer, 'styles')).filter((name) => name !== 'colours.css')
  const hard = surfaces.flatMap((name) =>
    [...file(name).matchAll(/^ *(?:color|border-color): #\w+;/gm)].map(([line]) => `${name}: ${line}`),
  )
  expect(hard).toEqual([])
})
