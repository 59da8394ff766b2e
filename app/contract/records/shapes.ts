// What a region of interest can look like: areas, points and lines, in level-0 px.
import * as z from '../zod'
import { coordinate, length } from './primitives'

/** Level-0 px, pixel (0, 0) reaching from 0 to 1. The last point is not the first again. */
export const Ring = z
  .array(z.tuple([coordinate, coordinate]))
  .min(3)
  .max(500_000)
export type Ring = z.infer<typeof Ring>
/** An outer ring and its holes. */
export const Part = z.array(Ring).min(1).max(100_000)
/**
 * Level-0 px. A point is inside a polygon where a line from it meets the rings of one of its parts an odd number of times, left and upper
 * edges included, right and lower ones not: of shapes side by side one holds it.
 */
export const Shape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rectangle'), x: coordinate, y: coordinate, width: length, height: length }),
  z.strictObject({ kind: z.literal('ellipse'), x: coordinate, y: coordinate, width: length, height: length }),
  z.strictObject({ kind: z.literal('polygon'), parts: z.array(Part).min(1).max(100_000) }),
])
export type Shape = z.infer<typeof Shape>

export const Point = z.tuple([coordinate, coordinate])
/** Of one region. */
export const mostPoints = 100_000
/** Places that were counted, level-0 px, in the order in which they were: no area. */
export const Points = z.strictObject({ kind: z.literal('points'), points: z.array(Point).min(1).max(mostPoints) })
export type Points = z.infer<typeof Points>
/** A way from point to point, level-0 px: it has a length, and no area. */
export const LineShape = z.strictObject({ kind: z.literal('line'), points: z.array(Point).min(2).max(10_000) })
export type LineShape = z.infer<typeof LineShape>
/** What a region of interest can be: an area, points, or a line. */
export const RegionShape = z.discriminatedUnion('kind', [...Shape.options, Points, LineShape])
export type RegionShape = z.infer<typeof RegionShape>
export const isArea = (shape: RegionShape): shape is Shape => shape.kind !== 'points' && shape.kind !== 'line'
export const isPoints = (shape: RegionShape): shape is Points => shape.kind === 'points'
