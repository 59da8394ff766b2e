// The classes that a file names, by the document's: one of the same name is the document's, in its colour. O(names).
import type { RegionClass } from '../../../app/contract'

/** Of a document. */
const mostClasses = 1000

export class Classes {
  /** Those of the document and, behind them, those that are new. */
  readonly all: RegionClass[]
  readonly #byName: Map<string, string>
  readonly #ids: Set<string>
  /** Of each stem the number that was given last. */
  readonly #numbers = new Map<string, number>()

  constructor(own: readonly RegionClass[]) {
    this.all = [...own]
    this.#ids = new Set(own.map(({ id }) => id))
    this.#byName = new Map([...own].reverse().map(({ name, id }) => [name, id]))
  }

  /** The class's id; one that is not there is made. null: the document can hold no more. */
  idOf(name: string, color: string): string | null {
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    if (this.all.length >= mostClasses) return null
    const stem =
      name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .slice(0, 30)
        .replace(/^-+|-+$/g, '') || 'class'
    let number = this.#numbers.get(stem) ?? 1
    let id = number === 1 ? stem : `${stem}-${number}`
    while (this.#ids.has(id)) id = `${stem}-${++number}`
    this.#numbers.set(stem, number)
    this.#ids.add(id)
    this.#byName.set(name, id)
    this.all.push({ id, name, color })
    return id
  }
}
