// How a failure crosses a process: its code, its words and its place in a recipe.
import { languages } from './language'
import { RecipePlace } from '../recipes'
import * as z from '../zod'

export const errorCodes = [
  'INVALID_PARAMETER',
  'SLIDE_UNREADABLE',
  'SLIDE_CHANGED',
  'NOT_FOUND',
  'NATIVE_UNAVAILABLE',
  'GPU_UNAVAILABLE',
  'GPU_OUT_OF_MEMORY',
  'GPU_LOST',
  'OUT_OF_MEMORY',
  'OUTPUT_FAILED',
  'OUTPUT_EXISTS',
  'ENGINE_LOST',
  /** The caller took the call back (its AbortSignal): an outcome that nobody is shown. */
  'CANCELLED',
  'INTERNAL',
] as const
export const ErrorCode = z.enum(errorCodes)
export type ErrorCode = z.infer<typeof ErrorCode>

/**
 * What happened, to which file or value, and what to do next (`message`); a log-only addition (`detail`); the value that it is about (`where`);
 * the names of the files that are in an export's way (`files`).
 */
export const AppError = z.object({
  code: ErrorCode,
  message: z.string(),
  detail: z.string().optional(),
  where: RecipePlace.optional(),
  files: z.array(z.string()).max(100).optional(),
  /** Of the message, where it is not English: the desktop's own. */
  language: z.enum(languages).optional(),
})
export type AppError = z.infer<typeof AppError>

/** Calls never throw across a process: Electron keeps only an error's message. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: AppError }
