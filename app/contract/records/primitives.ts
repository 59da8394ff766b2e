// Of what records are made: numbers and texts that can be written and read again, whoever gave them.
import * as z from '../zod'

/** Level-0 px, either way of the slide's corner. */
export const farthest = 2 ** 40
export const coordinate = z.number().min(-farthest).max(farthest)
export const length = z.number().gt(0).max(farthest)
/** Numbers that count up from here stay whole for as long as anybody works. */
export const mostCounted = 2 ** 52

export const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => !/\p{Cc}/u.test(value), 'expected text without control characters')
export const withoutNul = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((value) => !value.includes('\0'), 'expected text without NUL')
