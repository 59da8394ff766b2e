// Shapes for laser microdissection: which objects, where three marks of the slide lie, and how closely outlines are followed.
import * as z from '../zod'

export const laserFiles = ['shapes.lmd.xml', 'shapes.palm.txt'] as const
export const isLaser = (name: string): boolean => (laserFiles as readonly string[]).includes(name)
/** One file: a cutting of more takes days. */
export const mostLaserShapes = 10_000
/** Level-0 px, or µm of a stage: also beside the slide, but nowhere where a hundredth is lost. */
const Place = z.tuple([z.number().min(-1e7).max(1e7), z.number().min(-1e7).max(1e7)])
export const LaserMarks = z.tuple([Place, Place, Place])
export type LaserMarks = z.infer<typeof LaserMarks>
/** A cap of Leica's, or a well of a plate: A, B12, P24. */
const Well = z.string().regex(/^[A-P]([1-9]|1\d|2[0-4])?$/)
/** Of each class, by its label or as objects.csv calls it. */
export const LaserWells = z.array(z.strictObject({ class: z.string().min(1).max(200), well: Well })).max(100)
export type LaserWells = z.infer<typeof LaserWells>
export const LaserRequest = z.strictObject({
  /** Of three marks that the microscope finds again, level-0 px from the slide's corner. */
  marks: LaserMarks,
  /** Where Zeiss's stage has these marks, µm. Absent: its list has the slide's own µm. */
  stageUm: LaserMarks.optional(),
  /** By how much a shape may leave its outline: µm, or px where the slide is not calibrated. */
  tolerance: z.number().min(0).max(100),
  /** As the table's, of which objects; absent or '': all. */
  filter: z.string().max(2000).optional(),
  /** The title of regions that must hold an object's centre; absent: wherever it lies. */
  region: z.string().min(1).max(1000).optional(),
  /** Cells are cut, and not their nuclei. */
  cells: z.boolean().optional(),
  /** Where Leica's microscope gathers each class; absent: the file names no well. */
  wells: LaserWells.optional(),
})
export type LaserRequest = z.infer<typeof LaserRequest>

/** "x1,y1;x2,y2;x3,y3"; null: it says no three places. */
export function marksIn(text: string): LaserMarks | null {
  const numbers = text.split(';').map((pair) => pair.split(',').map((each) => (each.trim() === '' ? NaN : Number(each))))
  const read = LaserMarks.safeParse(numbers)
  return read.success && read.data.flat().every(Number.isFinite) ? read.data : null
}
export const marksText = (marks: LaserMarks): string => marks.map((each) => each.join(',')).join('; ')

/** "positive = A1, negative = B1"; null: it says something else. */
export function wellsIn(text: string): LaserWells | null {
  const pairs = text.split(',').map((pair) => /^(.+)=([^=]+)$/s.exec(pair))
  const read = LaserWells.safeParse(pairs.map((pair) => pair && { class: pair[1]!.trim(), well: pair[2]!.trim().toUpperCase() }))
  return read.success && new Set(read.data.map((each) => each.class)).size === read.data.length ? read.data : null
}
