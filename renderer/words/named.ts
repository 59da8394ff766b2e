// The texts that files and other programs have too, in the page's language: commands, the guide, recipes, titles, and what the engine says.
import { columnHeading, type AppError, type RecipeSpec, type TableColumn } from '../../app/contract'
import { commands, type Command, type CommandInfo } from '../../app/commands'
import { commandGroups, commandLabels } from '../../app/german/commands'
import { guideChapters as germanChapters } from '../../app/german/guide'
import { german } from '../../app/german/messages'
import { germanRecipe } from '../../app/german/recipes'
import { germanTitle } from '../../app/german/titles'
import { guideChapters, type GuideChapter } from '../../app/guide'
import { language } from './language'

const isGerman = language === 'de'

export const labelOf = (command: Command): string => (isGerman ? commandLabels[command] : commands[command].label)
export const groupOf = (group: CommandInfo['group']): string => (isGerman ? commandGroups[group] : group)
export const chapters: readonly GuideChapter[] = isGerman ? germanChapters : guideChapters

/** Names of recipes as files have them, by id; and the page's own, by those. */
const inFiles = new Map<string, string>()
const ofFiles = new Map<string, string>()
/** Labels of parameters, by the English ones. */
const labels = new Map<string, string>()
export function recipeSaid(spec: RecipeSpec): RecipeSpec {
  if (!isGerman) return spec
  const own = germanRecipe(spec)
  inFiles.set(spec.id, spec.name)
  ofFiles.set(spec.name, own.name)
  spec.stages.forEach(({ params }, i) => params.forEach(({ label }, k) => labels.set(label, own.stages[i]!.params[k]!.label)))
  return own
}
/** What the engine writes into files. */
export const nameInFiles = ({ id, name }: Pick<RecipeSpec, 'id' | 'name'>): string => inFiles.get(id) ?? name
/** Of a parameter, as comparisons of the engine's call it. */
export const paramNamed = (label: string): string => labels.get(label) ?? label
/** Of a recipe by which a result was made. */
export const recipeNamed = (name: string): string => ofFiles.get(name) ?? titled(name)

/** A title of app/contract; one that a person gave stays. */
export const titled = (title: string): string => (isGerman ? (germanTitle(title) ?? title) : title)

/** What was said lately, as a list draws it again and again: null where there is no German for it. */
const lately = new Map<string, string | null>()
const mostLately = 500

function inGerman(message: string): string | null {
  const known = lately.get(message)
  if (known !== undefined) return known
  const text = german(message)
  if (lately.size >= mostLately) lately.clear()
  lately.set(message, text)
  return text
}

/** A message, a warning or a note of the engine. */
export const said = (message: string): string => (isGerman ? (inGerman(message) ?? message) : message)
/** The desktop says its own in the page's language. */
export const errorSaid = (error: AppError): AppError =>
  error.language === undefined ? { ...error, message: said(error.message) } : error
/** Of what `said` gave, for the element that it stands in: 'en' where it stayed English on another language's page. */
export const langOf = (text: string): 'en' | undefined => (isGerman && lately.get(text) === null ? 'en' : undefined)
/** The head of a column of the engine's tables. */
export const headingOf = ({ title, unit }: Pick<TableColumn, 'title' | 'unit'>): string =>
  columnHeading({ title: titled(title), unit: titled(unit) })
