// The desktop's texts in the language that is chosen (language.ts).
import type { Language } from '../contract'
import { commands, type Command } from '../commands'
import { commandLabels } from '../german/commands'
import { words as english, type DesktopWords } from './english'
import { words as german } from './german'

/** In every language. */
export const texts: Readonly<Record<Language, DesktopWords>> = { en: english, de: german }

let spoken: Language = 'en'
/** In the language that was set last. */
export const words = (): DesktopWords => texts[spoken]
export const speak = (language: Language): void => void (spoken = language)
export const labelOf = (command: Command): string => (spoken === 'de' ? commandLabels[command] : commands[command].label)
/** Of a refusal that goes to the page, which puts English into its own. */
export const inLanguage = (): { language?: Language } => (spoken === 'en' ? {} : { language: spoken })
