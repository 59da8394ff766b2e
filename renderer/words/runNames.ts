// What this page and the engine call runs. Files have the English names, so the page gives those and shows its own.
import { language } from './language'

const english = {
  visibleField: 'Visible field',
  wholeSlide: 'Whole slide',
  rectangle: 'Rectangle',
  region: 'Region',
  preview: 'Preview',
}
const german: typeof english = {
  visibleField: 'Sichtbares Feld',
  wholeSlide: 'Ganzer Schnitt',
  rectangle: 'Rechteck',
  region: 'Region',
  preview: 'Vorschau',
}

export const runNamesInFiles = english
const own = new Map((Object.keys(english) as (keyof typeof english)[]).map((key) => [english[key], german[key]]))

/** "Whole slide, run 2"; a name that a person gave stays. */
export function runNamed(name: string): string {
  if (language !== 'de') return name
  const [, base = name, count] = /^(.*), run (\d+)$/su.exec(name) ?? []
  const said = own.get(base) ?? base
  return count === undefined ? said : `${said}, Lauf ${count}`
}
