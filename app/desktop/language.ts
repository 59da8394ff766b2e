// Which language the desktop's own texts have: what the settings' file says before any engine or page is there, then what the engine says of them.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { languageOf, LanguageChoice, type Result } from '../contract'
import { speak } from './words'

/** Of a file of settings; more is none of ours. */
const mostBytes = 2 ** 20

/** What the last start left, whatever the file holds: the engine says what is wrong with it. */
export function choiceIn(folder: string): LanguageChoice {
  try {
    const path = join(folder, 'settings.json')
    if (statSync(path).size > mostBytes) return 'system'
    const file = JSON.parse(readFileSync(path, 'utf8')) as { settings?: { language?: unknown } } | null
    return LanguageChoice.catch('system').parse(file?.settings?.language)
  } catch {
    return 'system'
  }
}

export interface Follower {
  /** An answer of the engine's to the page. */
  readonly heard: (name: string, result: Result<unknown>) => void
}

/** `system`: its first language. `changed`: what was made of texts is made anew. */
export function followLanguage(first: LanguageChoice, system: string, changed: () => void): Follower {
  let choice = first
  speak(languageOf(choice, system))
  return {
    heard(name, result) {
      if (!result.ok || (name !== 'settings:set' && name !== 'settings:get')) return
      const said = LanguageChoice.safeParse((result.value as { language?: unknown } | null)?.language)
      if (!said.success || said.data === choice) return
      choice = said.data
      speak(languageOf(choice, system))
      changed()
    },
  }
}
