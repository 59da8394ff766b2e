// Where the file of a document's slide is now: where it was, or beside the project. What a project says of paths is not trusted.
import { realpathSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { DocumentSlide } from '../../../app/contract'
import { isReachable } from '../../base/reach'
import type { Roots } from '../../base/reach'

/** As any system writes a path. */
const lastName = (path: string): string => path.split(/[/\\]/).at(-1) ?? ''

/** Under whatever name; what is not there is the same as itself. */
export function isSameFolder(one: string, other: string): boolean {
  const real = (path: string): string => {
    try {
      return realpathSync(path)
    } catch {
      return resolve(path)
    }
  }
  return real(one) === real(other)
}

/** Where files are, as it was seen last. */
export class Places {
  readonly #roots: Roots
  readonly #seen = new Map<string, { readonly path: string; readonly project: string | null; readonly place: string | null }>()

  constructor(roots: Roots) {
    this.#roots = roots
  }

  /**
   * By key; who has none has a file at neither place below the roots. Nothing is opened: what a file holds is looked at when it is. `seen`: only
   * what was never looked for, or not there, is looked for. One look asks the system some times for each slide.
   */
  async of(slides: readonly DocumentSlide[], project: string | null, seen = false): Promise<Map<string, string>> {
    await Promise.all(
      slides.map(async (slide) => {
        const { key, path } = slide
        const last = this.#seen.get(key)
        if (seen && last?.place != null && last.path === path && last.project === project) return
        this.#seen.set(key, { path, project, place: await placeOf(slide, project, this.#roots) })
      }),
    )
    return new Map(slides.flatMap(({ key }) => (this.#seen.get(key)?.place != null ? [[key, this.#seen.get(key)!.place!]] : [])))
  }
}

async function placeOf({ path }: DocumentSlide, project: string | null, roots: Roots): Promise<string | null> {
  const name = lastName(path)
  const places = [
    ...(isAbsolute(path) ? [path] : []),
    ...(project === null || name === '' || name === '..' ? [] : [join(dirname(project), name)]),
  ]
  for (const place of places) {
    if (!(await isReachable(place, roots))) continue
    const isFile = await stat(place).then(
      (info) => info.isFile(),
      () => false,
    )
    if (isFile) return place
  }
  return null
}

/** Documents without a name lie in one folder. */
export const isUnnamed = (folder: string, directory: string | null): boolean =>
  directory !== null && resolve(folder, '..') === resolve(directory)
