// Which language the page has, known before any other module of it is read: some of them keep tables of texts. It never changes while the
// page is there; store/base/languageActions.ts loads the page again for another one.
import { languageOf, LanguageChoice, type Language } from '../../app/contract'

const languageKey = 'morphoscope.language'

/** The settings' own choice as this browser has it, which is there before they are. */
function languageKept(): LanguageChoice {
  try {
    return LanguageChoice.catch('system').parse(localStorage.getItem(languageKey))
  } catch {
    // Blocked: as the system has it.
    return 'system'
  }
}

/** Whether this page's next reading finds the choice. */
export function keepLanguage(choice: LanguageChoice): boolean {
  try {
    if (languageKept() !== choice) localStorage.setItem(languageKey, choice)
  } catch {
    // Full or blocked.
  }
  return languageKept() === choice
}

/** Elsewhere, as in tests: English. */
const isPage = typeof document !== 'undefined'

/** What a choice comes to here. */
export const languageHere = (choice: LanguageChoice): Language => (isPage ? languageOf(choice, navigator.language) : 'en')

export const language: Language = languageHere(languageKept())
