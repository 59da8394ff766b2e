// The languages of what a person reads in the window and in the desktop's own menu and dialogs. Files, reports and the command line are English.
import * as z from '../zod'

/** Of what there are texts, as <html lang> has it. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** system: as the system or the browser has it. */
export const LanguageChoice = z.enum(['system', ...languages])
export type LanguageChoice = z.infer<typeof LanguageChoice>

/** `system`: its first language, as "de-AT". Where there are no texts of it: English. */
export function languageOf(choice: LanguageChoice, system: string): Language {
  if (choice !== 'system') return choice
  const [first] = system.toLowerCase().split(/[-_]/)
  return languages.find((language) => language === first) ?? 'en'
}
