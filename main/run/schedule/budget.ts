// How much memory runs may hold, and which of them go when it is more.
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { EngineError } from '../../base/errors'

export interface Budget {
  /** Of all runs that are over, together. */
  keptBytes: number
  /** Of one run: beyond, it ends for want of memory instead of ending the engine. */
  runBytes: number
  runObjects: number
}

const MiB = 2 ** 20
/** What an object takes of JavaScript's own heap, outside of which its columns lie: its place in the tiles that it touches (measured). */
const heapBytesPerObject = 24

export function defaultBudget(): Budget {
  const memory = totalmem()
  return {
    keptBytes: Math.min(Math.max(memory / 8, 512 * MiB), 8192 * MiB),
    runBytes: memory / 2,
    runObjects: Math.floor((getHeapStatistics().heap_size_limit * 0.6) / heapBytesPerObject),
  }
}

export interface Holder {
  readonly bytes: number
  readonly isPreview: boolean
  /** It goes on, is being read by an export, or has ended just now. */
  readonly stays: boolean
}

/** What has to go, of a list of runs from the oldest on: previews first, then full runs. */
export function tooMuch<T extends Holder>(holders: readonly T[], budgetBytes: number): T[] {
  let bytes = holders.reduce((sum, holder) => sum + holder.bytes, 0)
  const gone: T[] = []
  for (const previews of [true, false]) {
    for (const holder of holders) {
      if (bytes <= budgetBytes) return gone
      if (holder.stays || holder.isPreview !== previews) continue
      gone.push(holder)
      bytes -= holder.bytes
    }
  }
  return gone
}

/** What ends a run that has found more than there is room for; null: there is. */
export function tooManyObjects(
  { bytes, count }: { readonly bytes: number; readonly count: number },
  { runBytes, runObjects }: Pick<Budget, 'runBytes' | 'runObjects'>,
): EngineError | null {
  if (bytes <= runBytes && count <= runObjects) return null
  return new EngineError(
    'OUT_OF_MEMORY',
    `The ${count.toLocaleString('en')} objects that were found so far take all the memory that a run may have here. Run the recipe on a smaller region, or with a larger least area.`,
  )
}
