// Another language of the window: kept in the settings, for the desktop's menu and the next start too, and shown by loading the page again, as its
// modules have read their texts.
import type { LanguageChoice } from '../../../app/contract'
import { words } from '../../words'
import { keepLanguage, language, languageHere } from '../../words/language'
import { getState } from '../store'
import { tell, tellError } from './notify'
import { loadAgain } from './loadAgain'
import { saveSettings } from './settingsActions'

/** What the engine does not have yet, or does for this page alone. */
function holdsWork(): boolean {
  const { project, ui, exporting, cohort } = getState()
  return project.drawing !== null || ui.drawn !== null || exporting.running || cohort.adding !== null
}

/** What the settings say, which another window or the program's last start may have changed. */
export function followLanguage(choice: LanguageChoice): void {
  if (!keepLanguage(choice) || languageHere(choice) === language) return
  if (holdsWork()) return tell(words.language.later, words.language.title, 9000)
  loadAgain()
}

export function chooseLanguage(choice: LanguageChoice): void {
  void saveSettings({ language: choice }).then((result) => {
    if (result.ok) followLanguage(result.value.language)
    else tellError(result.error, words.language.title)
  })
}
