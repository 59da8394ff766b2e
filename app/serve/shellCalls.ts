// The calls of a browser: checked by the contract, kept below the roots, answered here or by the engine.
import { calls, isCallName, toldWithin, traitsOf, withPaths } from '../contract'
import type { AppError, CallName, Result } from '../contract'
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
    const value = await toldWithin(name, result.value, isReachable)
    if (name === 'app:info') return { ok: true, value: { ...(value as object), shell: 'serve', dialogs: false } }
    return { ok: true, value }
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
