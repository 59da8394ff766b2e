// What a list calls a slide's runs: the second of a name says that it is the second run.
import type { RunRequest } from '../../app/contract'

/** As journals and requests allow (RunRequest.name). */
const mostLetters = 100

/** "Region 2, run 3"; what is too long for it loses its end, and no half of a letter is left. */
export function numberedName(name: string, count: number): string {
  const ending = count > 1 ? `, run ${count}` : ''
  if (name.length + ending.length <= mostLetters) return `${name}${ending}`
  return `${name
    .slice(0, mostLetters - ending.length - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…${ending}`
}

/** Lists, projects and files show it: a control character is none of it. */
export const plainName = (name: string): string => name.replace(/\p{Cc}/gu, ' ')

/** What it was given: a run that comes back of a project or a journal keeps its number. */
const numbered = /, run (\d{1,6})$/

const whole = 'Whole slide'
const part = 'Region'

/** What files under pseudonyms call a run: the engine's own names stay, and a typed one, as a region's title, may name a patient. */
export const namelessRun = (name: string): string =>
  new RegExp(`^(${whole}|${part})(,? (run )?\\d+)?$`).test(name) ? name : part

/** As lists say what made a result. */
export const importedRecipe = (measuredBy: string): string => `Imported, measured as ${measuredBy}`

export class RunNames {
  /** The highest number that a run of a name has on a slide. */
  private readonly counts = new Map<string, number>()
  private readonly kept = new Map<string, string>()

  next({ name: asked, purpose, region }: RunRequest, slideId: string): string {
    if (purpose === 'preview') return asked ?? 'Preview'
    const given = plainName(asked ?? (region === 'whole' ? whole : part))
    const name = given.replace(numbered, '')
    const key = `${slideId}/${name}`
    const count = Math.max((this.counts.get(key) ?? 0) + 1, Number(numbered.exec(given)?.[1] ?? 1))
    this.counts.set(key, count)
    return numberedName(name, count)
  }

  /** Of one that the document holds: undone and done again it is called as before. */
  ofKept(keptId: string, request: RunRequest): string {
    const key = `${request.slideId}/${keptId}`
    const name = this.kept.get(key) ?? this.next(request, request.slideId)
    this.kept.set(key, name)
    return name
  }

  forget(slideId: string): void {
    for (const map of [this.counts, this.kept])
      for (const key of [...map.keys()]) if (key.startsWith(`${slideId}/`)) map.delete(key)
  }
}
