// The calls of the page: one channel, from our own page alone, each argument checked by the contract, each answer a Result.
import { calls, isCallName, traitsOf } from '../contract'
import type { AppError, CallArg, CallName, Result, ShellCallBy } from '../contract'
import { Answering } from '../requests'
import { GrantError } from './grants'
import type { Grants } from './grants'
import { isOwnUrl } from './origin'
import { WrittenFileError } from './writtenFiles'
import type { WrittenFiles } from './writtenFiles'
import { inLanguage, words } from './words'

export const callChannel = 'morphoscope:call'
export const cancelChannel = 'morphoscope:cancel'
/** From the preload alone, which takes it from a File that a person dropped or chose. */
export const droppedChannel = 'morphoscope:dropped'
export const eventChannel = 'morphoscope:event'

/** What of Electron's event the check needs: tests give their own. */
export interface Sender {
  senderFrame: { url: string; parent: unknown } | null
}
export interface CallTargets {
  engine: (name: CallName, arg: unknown, signal?: AbortSignal) => Promise<Result<unknown>>
  grants: Grants
  written: WrittenFiles
  dialogs: {
    slide: () => Promise<string | null>
    slides: () => Promise<string[]>
    directory: (arg: CallArg<'dialog:directory'>) => Promise<string | null>
    recipe: (arg: CallArg<'dialog:recipe'>) => Promise<string | null>
  }
}

/** `grant` where something was chosen. */
function chosen(path: string | null, grant: () => void): string | null {
  if (path !== null) grant()
  return path
}

const failure = (code: AppError['code'], message: string, more: Partial<AppError> = {}): Result<never> => ({
  ok: false,
  error: { code, message, ...more },
})

/** Only the top frame of our own page may call: a frame inside it, or a page that got there anyhow, may not. */
function isTrusted({ senderFrame }: Sender): boolean {
  return senderFrame !== null && senderFrame.parent === null && isOwnUrl(senderFrame.url)
}

export interface CallHandler {
  /** `id`: what `cancel` calls it. */
  call: (sender: Sender, name: unknown, arg: unknown, id?: unknown) => Promise<Result<unknown>>
  cancel: (sender: Sender, id: unknown) => void
  dropped: (sender: Sender, path: unknown) => void
  /** The page that asked is gone: a new one counts its calls afresh. */
  pageGone: () => void
}

export function createCallHandler({ engine, dialogs, grants, written }: CallTargets): CallHandler {
  let answering = new Answering()
  const shell: { [N in ShellCallBy<'dialog' | 'system'>]: (arg: CallArg<N>) => Promise<unknown> } = {
    'dialog:slide': () => dialogs.slide().then((path) => chosen(path, () => grants.reading(path!))),
    'dialog:slides': async () => {
      const paths = await dialogs.slides()
      for (const path of paths) grants.reading(path)
      return paths
    },
    'dialog:directory': (arg) => dialogs.directory(arg).then((path) => chosen(path, () => grants.exportingTo(path!))),
    'dialog:recipe': (arg) =>
      dialogs.recipe(arg).then((path) => chosen(path, () => grants[arg.mode === 'open' ? 'reading' : 'savingRecipe'](path!))),
    'export:show': ({ path }) => written.show(path),
    'export:open': ({ path }) => written.open(path),
  }
  async function answer(sender: Sender, name: unknown, arg: unknown, signal?: AbortSignal): Promise<Result<unknown>> {
    if (!isTrusted(sender))
      return failure('INVALID_PARAMETER', 'Expected a call from the Morphoscope page but received one from elsewhere.')
    if (!isCallName(name))
      return failure(
        'INVALID_PARAMETER',
        `Expected the name of a call but received ${typeof name === 'string' ? JSON.stringify(name.slice(0, 80)) : `a value of type ${typeof name}`}.`,
      )
    const parsed = calls[name].arg.safeParse(arg)
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      const where = issue?.path.length ? `${name}, ${issue.path.join('.')}` : name
      return failure('INVALID_PARAMETER', `${where}: ${issue?.message ?? 'the argument has another shape'}.`)
    }
    try {
      if (traitsOf(name).answeredBy === 'files')
        return failure('NOT_FOUND', 'The desktop app opens files with the system dialog: use dialog:slide.')
      if (Object.hasOwn(shell, name)) return { ok: true, value: await shell[name as keyof typeof shell](parsed.data as never) }
      grants.check(name, parsed.data)
      const result = await engine(name, parsed.data, signal)
      grants.learn(name, result)
      written.learn(name, parsed.data, result)
      return result
    } catch (error) {
      if (error instanceof GrantError || error instanceof WrittenFileError)
        return failure(error.code, error.message, inLanguage())
      return failure('INTERNAL', words().refusals.callFailed(name), { detail: String(error), ...inLanguage() })
    }
  }
  return {
    async call(sender, name, arg, id) {
      if (id === undefined) return answer(sender, name, arg)
      if (!Number.isSafeInteger(id) || answering.has(id as number))
        return failure('INVALID_PARAMETER', 'Expected the number of a call that is not in flight.')
      const own = answering
      try {
        return await answer(sender, name, arg, own.begin(id as number))
      } finally {
        own.end(id as number)
      }
    },
    cancel(sender, id) {
      if (isTrusted(sender) && typeof id === 'number') answering.cancel(id)
    },
    dropped(sender, path) {
      if (isTrusted(sender) && typeof path === 'string' && path !== '') grants.reading(path)
    },
    pageGone() {
      answering.cancelAll()
      answering = new Answering()
    },
  }
}
