// Where the file of a document's slide is now: where it was, or beside the project. What a project says of paths is not trusted.
import { realpathSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { DocumentSlide } from '../../app/contract'
import { isReachable } from '../base/reach'
import type { Roots } from '../base/reach'

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

/** By key; who has none has a file at neither place below the roots. Nothing is opened: what a file holds is looked at when it is. */
export async function placesOf(
  slides: readonly DocumentSlide[],
  project: string | null,
  roots: Roots = null,
): Promise<Map<string, string>> {
  const places = new Map<string, string>()
  await Promise.all(
    slides.map(async (slide) => {
      const place = await placeOf(slide, project, roots)
      if (place !== null) places.set(slide.key, place)
    }),
  )
  return places
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
