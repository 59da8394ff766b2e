// Finds the native addon and turns its errors into NativeError: the one place that knows where a build or a package puts it.
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The codes that native calls can raise. CANCELLED is an outcome rather than an error: compare `code` before reporting. */
const codes = [
  'INVALID_PARAMETER',
  'SLIDE_UNREADABLE',
  'NOT_FOUND',
  'NATIVE_UNAVAILABLE',
  'GPU_UNAVAILABLE',
  'GPU_OUT_OF_MEMORY',
  'GPU_LOST',
  'OUT_OF_MEMORY',
  'OUTPUT_FAILED',
  'INTERNAL',
  'CANCELLED',
] as const
export type NativeErrorCode = (typeof codes)[number]

/** The parameter of a recipe's pipeline that a call refused, or its stage. */
export interface NativePlace {
  stage: string
  param?: string
}

/**
 * What every failing native call throws or rejects with. `message` is for the user, `detail` for the log or for a decision:
 * SLIDE_UNREADABLE carries 'unsupported-format' where OpenSlide does not know the file, so that another decoder may try.
 * `where`: the recipe's parameter that INVALID_PARAMETER is about.
 */
export class NativeError extends Error {
  override readonly name = 'NativeError'
  readonly code: NativeErrorCode
  readonly detail: string
  readonly where: NativePlace | undefined
  constructor(code: NativeErrorCode, message: string, detail = '', options?: ErrorOptions & { where?: NativePlace | undefined }) {
    super(message, options)
    this.code = code
    this.detail = detail
    this.where = options?.where
  }
}

function isNativeErrorCode(value: unknown): value is NativeErrorCode {
  return (codes as readonly unknown[]).includes(value)
}

function placeOf(where: unknown): NativePlace | undefined {
  if (typeof where !== 'object' || where === null) return undefined
  const { stage, param } = where as { stage?: unknown; param?: unknown }
  if (typeof stage !== 'string') return undefined
  return typeof param === 'string' ? { stage, param } : { stage }
}

/** The addon's own error objects as NativeError; anything else is a bug and becomes INTERNAL, with the original as its cause. */
export function toNativeError(error: unknown): NativeError {
  if (error instanceof NativeError) return error
  if (error instanceof Error) {
    const { code, detail, where } = error as Error & { code?: unknown; detail?: unknown; where?: unknown }
    const text = typeof detail === 'string' ? detail : ''
    if (isNativeErrorCode(code)) return new NativeError(code, error.message, text, { cause: error, where: placeOf(where) })
    return new NativeError('INTERNAL', error.message, text, { cause: error })
  }
  return new NativeError('INTERNAL', String(error))
}

/** Where the addon may lie, most specific first: the override, the packaged app, then a build's or npm's folder beside any folder above. */
export function addonCandidates(): string[] {
  const override = process.env['MORPHOSCOPE_ADDON']
  // An override that is wrong must not be papered over by another build.
  if (override) return [resolve(override)]
  const found: string[] = []
  const add = (path: string): void => {
    if (!found.includes(path)) found.push(path)
  }
  const { resourcesPath } = process as NodeJS.Process & { resourcesPath?: string }
  if (resourcesPath) {
    add(join(resourcesPath, 'app.asar.unpacked', 'build', 'native', 'morphoscope.node'))
    add(join(resourcesPath, 'app.asar.unpacked', 'build', 'native', 'Release', 'morphoscope.node'))
    add(join(resourcesPath, 'morphoscope.node'))
  }
  for (const start of startFolders()) {
    for (let folder = start; ; folder = dirname(folder)) {
      // A path inside app.asar cannot be loaded by the operating system's linker; its unpacked twin is listed above.
      if (!/app\.asar(?!\.unpacked)/.test(folder)) {
        add(join(folder, 'build', 'native', 'Release', 'morphoscope.node'))
        add(join(folder, 'build', 'native', 'morphoscope.node'))
        add(join(folder, 'node_modules', '@morphoscope', `engine-${process.platform}-${process.arch}`, 'morphoscope.node'))
      }
      if (dirname(folder) === folder) break
    }
  }
  return found
}

/** The folders to look upwards from: this file (a source or a bundle) and the program that was started. */
function startFolders(): string[] {
  const folders: string[] = []
  // In a CommonJS bundle import.meta is empty.
  const url = (import.meta as { url?: string }).url
  if (url?.startsWith('file:')) folders.push(dirname(fileURLToPath(url)))
  const program = process.argv[1]
  if (program) folders.push(dirname(resolve(program)))
  return folders
}

/**
 * Loads the addon's exports. Throws NATIVE_UNAVAILABLE with every path that was tried and what each said.
 * process.dlopen instead of require: it is the same in a bundle, in ESM and in CommonJS, and no bundler rewrites it.
 */
export function loadAddon(): unknown {
  const failures: string[] = []
  const candidates = addonCandidates()
  for (const path of candidates) {
    if (!existsSync(path)) continue
    const loaded: { exports: unknown } = { exports: {} }
    try {
      process.dlopen(loaded, path)
      return loaded.exports
    } catch (error) {
      failures.push(`${path}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const reason = failures.length > 0 ? `it could not be loaded: ${failures.join('; ')}` : 'it was not found where it is expected'
  throw new NativeError(
    'NATIVE_UNAVAILABLE',
    `The native engine is not available: ${reason}. Install Morphoscope again. If you built it yourself, run "npm run build:native", or set MORPHOSCOPE_ADDON to the path of morphoscope.node.`,
    `tried: ${candidates.join(', ')}`,
  )
}
