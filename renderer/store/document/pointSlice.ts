// Which points a click adds to, and how many there are of each class. Pure.
import { isPoints } from '../../../app/contract'
import { oneSelected, regionsOf, type ProjectSlice } from '../slices/projectSlice'
import type { RegionOfInterest } from '../../../app/contract'

/** The selected one, else the topmost of the chosen class that is not locked; null: a new one. */
export function pointRegion(project: ProjectSlice): RegionOfInterest | null {
  const one = oneSelected(project)
  if (one && isPoints(one.shape)) return one
  return (
    regionsOf(project).findLast(({ shape, classId, locked }) => isPoints(shape) && classId === project.pointClass && !locked) ??
    null
  )
}

/** By class, the most first; null: of none. `share`: of all. */
export function pointCounts(project: ProjectSlice): { classId: string | null; points: number; share: number }[] {
  const counts = new Map<string | null, number>()
  let all = 0
  for (const { shape, classId } of regionsOf(project)) {
    if (!isPoints(shape)) continue
    counts.set(classId, (counts.get(classId) ?? 0) + shape.points.length)
    all += shape.points.length
  }
  return [...counts].map(([classId, points]) => ({ classId, points, share: points / all })).sort((a, b) => b.points - a.points)
}
