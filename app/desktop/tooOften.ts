// Counts how often something happens, so that what repeats itself without end is stopped.
/** Whether this call is one more than `most` within `withinMs`. */
export function tooOften(most: number, withinMs: number, now: () => number = () => performance.now()): () => boolean {
  let times: number[] = []
  return () => {
    const at = now()
    times = [...times.filter((time) => at - time < withinMs), at]
    return times.length > most
  }
}
