// What the exit code says about an outcome, in the words of sysexits; scripts depend on these numbers.
import { errorCodes } from '../contract'
import type { AppError, ErrorCode, Result } from '../contract'

export const ExitCode = {
  ok: 0,
  usage: 2,
  partial: 3,
  badSlide: 65,
  noInput: 66,
  notThere: 69,
  bug: 70,
  cannotCreate: 73,
  inputOutput: 74,
  tryAgain: 75,
  interrupted: 130,
  terminated: 143,
} as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** As the manual page and the documentation say it. */
const meanings = {
  ok: 'done',
  usage: 'the command was not understood',
  partial: 'done in part: something could not be read, or the run was cancelled',
  badSlide: 'the slide or file cannot be used',
  noInput: 'the input is not there',
  notThere: 'the device asked for is not there',
  bug: 'a fault of Morphoscope',
  cannotCreate: 'the output cannot be made, or files are in its way',
  inputOutput: 'reading or writing failed, for example on a full disk',
  tryAgain: 'try again: too little memory, or the slide changed during the run',
  interrupted: 'ended by a signal',
  terminated: 'ended by a signal',
} as const satisfies Record<keyof typeof ExitCode, string>

/** ["130, 143", "ended by a signal"]: codes of one meaning together. */
export function exitCodeRows(): [codes: string, meaning: string][] {
  const rows = new Map<string, number[]>()
  for (const name of Object.keys(meanings) as (keyof typeof ExitCode)[])
    rows.set(meanings[name], [...(rows.get(meanings[name]) ?? []), ExitCode[name]])
  return [...rows].map(([meaning, codes]) => [codes.join(', '), meaning])
}

/** What a failure comes to, unless a disk is to blame (exitCodeOf). */
export const byErrorCode: Readonly<Record<ErrorCode, ExitCode>> = {
  INVALID_PARAMETER: ExitCode.usage,
  SLIDE_UNREADABLE: ExitCode.badSlide,
  SLIDE_CHANGED: ExitCode.tryAgain,
  NOT_FOUND: ExitCode.noInput,
  NATIVE_UNAVAILABLE: ExitCode.notThere,
  GPU_UNAVAILABLE: ExitCode.notThere,
  GPU_OUT_OF_MEMORY: ExitCode.tryAgain,
  GPU_LOST: ExitCode.tryAgain,
  OUT_OF_MEMORY: ExitCode.tryAgain,
  OUTPUT_FAILED: ExitCode.cannotCreate,
  OUTPUT_EXISTS: ExitCode.cannotCreate,
  ENGINE_LOST: ExitCode.tryAgain,
  CANCELLED: ExitCode.interrupted,
  INTERNAL: ExitCode.bug,
}

/** An end with a message of its own. */
export class CliError extends Error {
  readonly exitCode: ExitCode
  readonly detail: string | undefined
  constructor(exitCode: ExitCode, message: string, detail?: string) {
    super(message)
    this.exitCode = exitCode
    this.detail = detail
  }
}

/** As Node, the C library and SQLite say it. */
const diskFailed =
  /\b(ENOSPC|EDQUOT|EFBIG|EIO)\b|no space left on device|disk quota exceeded|file too large|input\/output error|disk is full|disk I\/O error/i

export function exitCodeOf({ code, detail, message }: AppError): ExitCode {
  // The file could be made or was found, and then the disk failed or filled up.
  const isOfAFile = code === 'OUTPUT_FAILED' || code === 'NOT_FOUND' || code === 'SLIDE_UNREADABLE'
  if (isOfAFile && diskFailed.test(`${detail ?? ''} ${message}`)) return ExitCode.inputOutput
  return byErrorCode[code]
}

/** Whatever was thrown, as an end. Errors of the engine carry a code of the contract. */
export function asCliError(error: unknown): CliError {
  if (error instanceof CliError) return error
  const { code, message, detail, stack } = (error ?? {}) as {
    code?: unknown
    message?: unknown
    detail?: unknown
    stack?: unknown
  }
  const known = errorCodes.find((each) => each === code)
  if (known !== undefined && typeof message === 'string') {
    const text = typeof detail === 'string' && detail ? detail : undefined
    const shown = known === 'INTERNAL' ? (text ?? (typeof stack === 'string' ? stack : undefined)) : undefined
    return new CliError(exitCodeOf({ code: known, message, ...(text === undefined ? {} : { detail: text }) }), message, shown)
  }
  const text = error instanceof Error ? error.message : String(error)
  // A thread or process that the system does not start now.
  if (code === 'ERR_WORKER_INIT_FAILED' || code === 'EAGAIN')
    return new CliError(
      ExitCode.tryAgain,
      `The system starts no more threads or processes for this user or container (${text}). End other programs, or give fewer --threads, and try again.`,
    )
  return new CliError(
    ExitCode.bug,
    `Something went wrong inside Morphoscope: ${text}. Please report it.`,
    error instanceof Error ? error.stack : undefined,
  )
}

export function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw asCliError(result.error)
}
