// The calls of a browser: checked by the contract, kept below the roots, answered here or by the engine.
import { calls, isCallName, traitsOf, withPaths } from '../contract'
import type { AppError, CallName, DocumentState, ProjectSlide, Result, StartItems } from '../contract'
import { RootsError } from './roots'
import type { Roots } from './roots'

export type EngineCall = (name: CallName, arg: unknown, signal: AbortSignal) => Promise<Result<unknown>>

const failure = (code: AppError['code'], message: string): Result<never> => ({ ok: false, error: { code, message } })

export function createCallHandler(
  engine: EngineCall,
  roots: Roots,
): (name: string, arg: unknown, signal: AbortSignal) => Promise<Result<unknown>> {
  /** The argument with every path in it resolved and allowed. */
  const confined = (name: CallName, arg: unknown): Promise<unknown> =>
    withPaths(name, arg, async ({ path, use }) => {
      const real = await roots.check(path)
      // What is only compared stays as it was told.
      return use === 'name' ? path : real
    })

  const isReachable = (path: string): Promise<boolean> =>
    roots.check(path).then(
      () => true,
      () => false,
    )

  /** What the engine says, as far as a browser is concerned. */
  async function shown(name: CallName, result: Result<unknown>): Promise<Result<unknown>> {
    if (!result.ok) return result
    if (name === 'app:info') return { ok: true, value: { ...(result.value as object), shell: 'serve', dialogs: false } }
    if (name === 'recent:list') {
      const reachable: unknown[] = []
      for (const slide of result.value as { path: string }[]) if (await isReachable(slide.path)) reachable.push(slide)
      return { ok: true, value: reachable }
    }
    if (name === 'start:list') {
      const { slides, projects, unnamed } = result.value as StartItems
      const reachable = async <T extends { path: string }>(entries: readonly T[]): Promise<T[]> => {
        const kept = await Promise.all(entries.map(({ path }) => isReachable(path)))
        return entries.filter((_, i) => kept[i])
      }
      // Of a project with a slide that lies elsewhere nothing is said.
      const whole = await Promise.all(
        unnamed.map(async ({ slides: own }) => own !== null && (await reachable(own)).length === own.length),
      )
      const shown: StartItems = {
        slides: await reachable(slides),
        projects: await reachable(projects),
        unnamed: unnamed.filter((_, i) => whole[i]),
      }
      return { ok: true, value: shown }
    }
    if (name === 'journal:list') {
      const reachable: unknown[] = []
      for (const entry of result.value as { slidePath: string | null }[])
        if (entry.slidePath !== null && (await isReachable(entry.slidePath))) reachable.push(entry)
      return { ok: true, value: reachable }
    }
    if (name === 'project:state') {
      const state = result.value as DocumentState
      const slides = []
      for (const slide of state.slides) slides.push((await isReachable(slide.path)) ? slide : { ...slide, path: '' })
      return { ok: true, value: { ...state, slides } }
    }
    if (name === 'project:slides') {
      // Of what lies elsewhere nothing is said but that it is not to be had here.
      const slides = []
      for (const slide of result.value as ProjectSlide[])
        slides.push((await isReachable(slide.path)) ? slide : { ...slide, path: '', missing: true, why: null })
      return { ok: true, value: slides }
    }
    if (name === 'settings:get' || name === 'settings:set') {
      // The desktop app's own may lie elsewhere.
      const { exportDirectory = '' } = result.value as { exportDirectory?: string }
      if (exportDirectory !== '' && !(await isReachable(exportDirectory)))
        return { ok: true, value: { ...(result.value as object), exportDirectory: '' } }
    }
    return result
  }

  return async (name, arg, signal) => {
    if (!isCallName(name))
      return failure('INVALID_PARAMETER', `expected the name of a call but received ${JSON.stringify(name.slice(0, 80))}`)
    const parsed = calls[name].arg.safeParse(arg)
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      const where = [name, ...(issue?.path ?? [])].join('.')
      return failure('INVALID_PARAMETER', `${where}: ${issue?.message ?? 'the argument has another shape'}`)
    }
    try {
      const { answeredBy } = traitsOf(name)
      // A browser has no dialogs of the system: dismissed.
      if (answeredBy === 'dialog') return { ok: true, value: calls[name].value.safeParse(null).success ? null : [] }
      if (answeredBy === 'system')
        return failure('NOT_FOUND', 'A browser cannot open files of this computer: open it by its path.')
      if (answeredBy === 'files') return { ok: true, value: await roots.list((parsed.data as { path?: string }).path) }
      return await shown(name, await engine(name, await confined(name, parsed.data), signal))
    } catch (error) {
      if (error instanceof RootsError) return failure(error.code, error.message)
      return {
        ok: false,
        error: { code: 'INTERNAL', message: `The call ${name} failed. This is a bug in Morphoscope.`, detail: String(error) },
      }
    }
  }
}
