// What was done by hand to the objects of one run: deletions, classes, a rule, objects that were made. The records, and how much there can be.
import { rises } from '../classes/cuts'
import { ColumnKey } from '../results/table'
import * as z from '../zod'
import { ClassId } from './regionClass'

/** Of one result: objects that were made by hand, and classes by hand. */
export const mostMade = 100_000
export const mostHandClasses = 250
/** In one step. */
export const mostMadeAtOnce = 10_000

/** Some of a run's objects: a bit each by rank (raster order of first pixels, from 0), the lowest of a byte first; deflated, as base64. */
export const RankSet = z
  .string()
  .max(2 ** 26)
  .regex(/^[A-Za-z0-9+/]*={0,2}$/)

/** Of one rule, beside its first: each doubles the classes. */
export const mostOtherLimits = 3

/** What class an object is of, by a measurement: as many limits as there are classes but one. A value at a limit is below it. */
export const ObjectRule = z
  .strictObject({
    column: ColumnKey,
    /** In the column's unit. One: negative, positive. Three: negative, weak, moderate, strong. */
    limits: z
      .array(z.number())
      .refine(({ length }) => length === 1 || length === 3, 'expected one limit or three')
      .refine(rises, 'expected limits that rise'),
    /** A limit on each of other columns: a class for each way to be above and below them all, as "CD3+ CD8-". */
    and: z
      .array(z.strictObject({ column: ColumnKey, limit: z.number() }))
      .min(1)
      .max(mostOtherLimits)
      .optional(),
  })
  .refine(({ limits, and }) => !and || limits.length === 1, 'expected one limit where other columns have theirs')
  .refine(
    ({ column, and = [] }) => new Set([column, ...and.map((each) => each.column)]).size === and.length + 1,
    'expected columns that differ',
  )
export type ObjectRule = z.infer<typeof ObjectRule>

/**
 * Objects that a person made of others, numbered behind all that were there: a record as main/run/journal/journalTiles.ts has it, deflated, as base64.
 * `of`: the ranks of those that they were made of; none where a person added them.
 */
export const MadeObjects = z.strictObject({
  objects: z.number().int().min(1).max(mostMadeAtOnce),
  of: z
    .array(
      z
        .number()
        .int()
        .min(0)
        .max(2 ** 32),
    )
    .max(10_000),
  record: RankSet,
})
export type MadeObjects = z.infer<typeof MadeObjects>

/** Of one result, beside a byte each for every object's deletion and class. */
export const CorrectionsHead = z.strictObject({
  ids: z.array(ClassId).max(mostHandClasses),
  rule: ObjectRule.nullable(),
  // Format 3 and earlier have none.
  made: z.array(MadeObjects).max(mostMade).default([]),
})
