// A region with a change: what it is then, what takes that back, and how the step is called. Pure.
import { noun } from '../../../app/contract'
import type { RegionChange, RegionOfInterest } from '../../../app/contract'

export const count = (n: number, one: string): string => (n === 1 ? `a ${one}` : `${n.toLocaleString('en')} ${noun(n, one)}`)

const changeable = ['name', 'classId', 'locked', 'shape', 'core'] as const

export function changedRegion(
  region: RegionOfInterest,
  change: RegionChange,
): { region: RegionOfInterest; inverse: RegionChange } {
  const keys = changeable.filter((key) => change[key] !== undefined)
  const inverse = Object.fromEntries(keys.map((key) => [key, region[key] ?? null]))
  const { core, ...rest } = {
    ...region,
    ...(Object.fromEntries(keys.map((key) => [key, change[key]])) as Partial<RegionOfInterest>),
  }
  return { region: core ? { ...rest, core } : rest, inverse: { id: region.id, ...inverse } }
}

export function nameOfChange(changes: readonly RegionChange[]): string {
  const what = count(changes.length, 'region')
  const { name, classId, locked, shape, core } = changes[0]!
  if (shape) return `Reshape ${what}`
  if (classId !== undefined) return classId === null ? `Take the class of ${what}` : `Classify ${what}`
  if (core !== undefined) return `Change ${count(changes.length, 'core')}`
  if (locked !== undefined) return `${locked ? 'Lock' : 'Unlock'} ${what}`
  return name === undefined ? `Change ${what}` : `Name ${what}`
}
