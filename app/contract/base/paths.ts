// Paths in calls and answers. Their type tells them from other texts, so that a call must say what is done with each (callTraits.ts).
import * as z from '../zod'

declare const isPath: unique symbol
/** Any text can be given as one. */
export type FilePath = string & { readonly [isPath]?: true }

const withoutNul = (path: string): boolean => !path.includes('\0')
const path = z.string().max(4096).refine(withoutNul, 'expected a path without NUL')

export const filePath = path.min(1) as unknown as z.ZodType<FilePath, string>
/** '': none. */
export const filePathOrNone = path as unknown as z.ZodType<FilePath, string>
/** In an answer: whatever a file says. */
export const toldPath = z.string() as unknown as z.ZodType<FilePath, string>

/** The fields of an argument or an answer that are paths, as `path` or `slides[].path`. */
export type PathsIn<Value> =
  Way<Value> extends infer W ? (W extends `.${infer Name}` ? Name : W extends '' ? never : W & string) : never

/** Deeper than this nothing has one. */
type Deepest = 6
type Way<T, Depth extends unknown[] = []> = Depth['length'] extends Deepest
  ? never
  : T extends string
    ? typeof isPath extends keyof T
      ? ''
      : never
    : T extends readonly (infer Each)[]
      ? `[]${Way<Each, [...Depth, 0]>}`
      : T extends object
        ? { [K in keyof T & string]: `.${K}${Way<T[K], [...Depth, 0]>}` }[keyof T & string]
        : never
