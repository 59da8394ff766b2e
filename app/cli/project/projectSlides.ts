// A project's folder and its slides, opened for a command.
import { access } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Engine } from '../../../main/engine'
import type { DocumentSlide, DocumentState, SlideInfo } from '../../contract'
import { valueOf } from '../exitCodes'
import { nowReading } from '../parent'
import type { Shown, Terminal } from '../terminal'

/** What a slide is found by, and called. */
export type NamedSlide = Pick<DocumentSlide, 'key' | 'path' | 'name'>

export const stateOf = async (engine: Engine, slideId: string | null): Promise<DocumentState> =>
  valueOf(await engine.call('project:state', { slideId })) as DocumentState

/** Open from now on; `shown` knows its slides then. */
export async function opened(engine: Engine, folder: string, shown?: Shown): Promise<DocumentState> {
  nowReading(resolve(folder))
  valueOf(await engine.call('project:open', { path: resolve(folder) }))
  const state = await stateOf(engine, null)
  shown?.know(state.slides.flatMap(({ path, name }) => [path, name]))
  return state
}

/** Open from now on; made where it is not there. */
export async function openedOrMade(engine: Engine, folder: string): Promise<void> {
  const path = resolve(folder)
  const there = await access(path).then(
    () => true,
    () => false,
  )
  nowReading(path)
  valueOf(await engine.call(there ? 'project:open' : 'project:save', { path }))
}

/** The slide where it was, or beside the project: by what it holds, whatever it is called. null, with a note, where it is neither. */
export async function openedSlide(
  engine: Engine,
  terminal: Terminal | null,
  folder: string,
  { key, path, name }: NamedSlide,
): Promise<SlideInfo | null> {
  for (const place of new Set([path, join(dirname(resolve(folder)), basename(path))])) {
    nowReading(place)
    const found = await engine.call('slide:open', { path: place })
    if (!found.ok) continue
    const info = found.value as SlideInfo
    const { slideId } = info
    if ((await stateOf(engine, slideId)).slide === key) return info
    await engine.call('slide:close', { slideId })
  }
  terminal?.note(`${name} is neither at ${path} nor beside the project: it is left out.`)
  return null
}

/** The same, by its id alone. */
export const slideOf = async (...asked: Parameters<typeof openedSlide>): Promise<string | null> =>
  (await openedSlide(...asked))?.slideId ?? null
