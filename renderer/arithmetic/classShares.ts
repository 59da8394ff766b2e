// What share of objects is of which class: by limits that are still being moved, and as counted. Pure.
export interface Counted {
  readonly id: string
  readonly label: string
  readonly objects: number
}

/** What each class would hold by these limits alone (in bins, ascending) of the objects in these bins, between a bin's ends in proportion. */
export function sharesByLimits(counts: readonly number[], limits: readonly number[]): number[] {
  const below = (end: number): number => {
    const whole = Math.floor(end)
    return counts.slice(0, whole).reduce((sum, each) => sum + each, 0) + (end - whole) * (counts[whole] ?? 0)
  }
  const total = below(counts.length)
  const ends = [0, ...limits, counts.length].map(below)
  return ends.slice(1).map((end, i) => (total > 0 ? (end - ends[i]!) / total : 0))
}

/** What each of these classes holds of all the run's objects, whoever has set their class. */
export function sharesCounted(ids: readonly string[], counted: readonly Counted[], objects: number): number[] {
  return ids.map((id) => (objects > 0 ? (counted.find((each) => each.id === id)?.objects ?? 0) / objects : 0))
}
