// What names a slide and a run.
import * as z from './zod'

/** A number, and the random part of the engine process that gave it: no id of a process that died names anything in the next. */
export const SlideId = z.string().regex(/^s[0-9]{1,9}-[a-z0-9]{6,20}$/)
export const RunId = z.string().regex(/^r[0-9]{1,9}-[a-z0-9]{6,20}$/)
