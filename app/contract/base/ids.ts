// What names a slide, a run and a run's journal.
import * as z from '../zod'

/** A number, and the random part of the engine process that gave it: no id of a process that died names anything in the next. */
export const SlideId = z.string().regex(/^s[0-9]{1,9}-[a-z0-9]{6,20}$/)
export const RunId = z.string().regex(/^r[0-9]{1,9}-[a-z0-9]{6,20}$/)
/** Of this machine's disk: it is the same in every engine process that finds it. */
export const JournalId = z.string().regex(/^j[a-f0-9]{12,32}$/)
/** Of a run whose objects a project keeps: the same in every process that has the project. */
export const KeptId = z.string().regex(/^k[a-f0-9]{16}$/)
/** Of a region of interest: a UUID, which no other has anywhere. */
export const RegionId = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
/** Names a slide by what its files hold: the same in every process, wherever the files lie. */
export const SlideKey = z.string().regex(/^[a-f0-9]{32}$/)
