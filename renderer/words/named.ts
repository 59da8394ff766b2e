// The texts that other programs and files have too, in the page's language: commands, the guide, recipes, titles, and what the engine says.
import { commands, type Command, type CommandInfo } from '../../app/commands'
import { guideChapters, type GuideChapter } from '../../app/guide'
import type { RecipeSpec } from '../../app/contract'

export const labelOf = (command: Command): string => commands[command].label
export const groupOf = (group: CommandInfo['group']): string => group
export const chapters: readonly GuideChapter[] = guideChapters
export const recipeSaid = (spec: RecipeSpec): RecipeSpec => spec
/** A title of app/contract, or one that a person gave. */
export const titled = (title: string): string => title
/** A message, a warning or a note of the engine. */
export const said = (message: string): string => message
/** Of a text that `said` gave: 'en' where it stayed English in another language's page. */
export const langOf = (_text: string): 'en' | undefined => undefined
