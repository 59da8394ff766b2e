// The spatial measures of runs: made when they are asked for, and kept while nothing of what they are made of changes.
import type { Band, BandsOfRun, Shape, SpatialMeasures } from '../../app/contract'
import { asksSpatial } from '../../app/contract'
import { SharedWork } from '../base/sharedWork'
import type { Classes } from '../run/objects/objectClasses'
import type { Run } from '../run/run'
import { aside } from './aside'
import type { BandValues } from './bands'
import { spatialColumns } from './columns'
import type { Named, SpatialColumn } from './columns'
import { gathered, objectClassesOf, umPerPxOf } from './gathered'
import type { SpatialValues } from './measure'

/** A class of regions, with those of a slide that have an area: the same shapes while they do not change. */
export interface ClassRegions extends Named {
  readonly shapes: readonly Shape[]
}
/** What measures are made of beside a run's objects. */
export interface SpatialAsk {
  readonly measures: SpatialMeasures
  readonly regions: readonly ClassRegions[]
  /** The recipe's rule, by the values that the run has. */
  readonly rule: Classes | null
}

interface Kept {
  readonly asked: SpatialAsk
  readonly marks: Run['objects']['marks']
  readonly endOfIds: number
  readonly values: SpatialValues
  readonly columns: readonly SpatialColumn[]
}

/** Runs whose measures are kept: 8 bytes an object and column each. */
const keptRuns = 2
const none: readonly SpatialColumn[] = []

export class Spatial {
  readonly #kept = new Map<string, Kept>()
  readonly #going = new SharedWork<Kept>()
  readonly #states = new WeakMap<Run, Omit<Kept, 'values' | 'columns'> & { readonly number: number }>()
  readonly #onChange: (runId: string) => void
  readonly #onProgress: (runId: string, share: number) => void

  /** `onChange`: a run's columns are others now. */
  constructor(onChange: (runId: string) => void, onProgress: (runId: string, share: number) => void) {
    this.#onChange = onChange
    this.#onProgress = onProgress
  }

  /** Those that were made last, where they still hold. */
  readonly columnsOf = (run: Run): readonly SpatialColumn[] => {
    const kept = this.#kept.get(run.runId)
    return kept && isOf(kept, run) ? kept.columns : none
  }

  /**
   * As they are asked for now, of a run that is over. Throws INVALID_PARAMETER where a class's regions cannot be put together, CancelledError. In a thread
   * of its own; the engine's is held for some ms at a time.
   */
  async make(run: Run, asked: SpatialAsk, signal: AbortSignal): Promise<readonly SpatialColumn[]> {
    const { runId } = run
    if (!asksSpatial(asked.measures)) {
      this.forget(runId)
      return none
    }
    const kept = this.#kept.get(runId)
    if (kept && isOf(kept, run) && isSame(kept.asked, asked)) {
      if (isNamedAlike(kept.asked, asked)) return kept.columns
      return this.#keep(run, { ...kept, asked, columns: columnsOf(run, asked, kept.values) })
    }
    // Whoever asks for other measures, or of other objects, does not join.
    const name = `${runId} ${this.#stateOf(run, asked)}`
    const made = await this.#going.get(name, (work) => this.#measured(run, asked, work.signal), signal)
    signal.throwIfAborted()
    return this.#keep(run, made)
  }

  /** What `make` came to, with classes under other names. */
  renamed(run: Run, asked: SpatialAsk, nameOf: (id: string, name: string) => string): readonly SpatialColumn[] {
    const kept = this.#kept.get(run.runId)
    if (!kept || !isOf(kept, run) || !isSame(kept.asked, asked)) return none
    const called = ({ id, name }: Named): Named => ({ id, name: nameOf(id, name) })
    const { measures, regions } = asked
    const isCalibrated = umPerPxOf(run) !== null
    return spatialColumns(kept.values, measures, objectClassesOf(run, asked).map(called), regions.map(called), isCalibrated)
  }

  forget(runId: string): void {
    if (this.#kept.delete(runId)) this.#onChange(runId)
  }

  #keep(run: Run, made: Kept): readonly SpatialColumn[] {
    const before = this.#kept.get(run.runId)
    this.#kept.delete(run.runId)
    this.#kept.set(run.runId, made)
    if (this.#kept.size > keptRuns) this.#kept.delete(this.#kept.keys().next().value!)
    if (before !== made) this.#onChange(run.runId)
    return made.columns
  }

  /** A number that is the same while all that is measured of a run is. */
  #stateOf(run: Run, asked: SpatialAsk): number {
    const { marks, endOfIds } = run.objects
    const known = this.#states.get(run)
    const isKnown = known?.marks === marks && known.endOfIds === endOfIds && isSame(known.asked, asked)
    if (isKnown) return known.number
    const number = (known?.number ?? 0) + 1
    this.#states.set(run, { marks, endOfIds, asked, number })
    return number
  }

  async #measured(run: Run, asked: SpatialAsk, signal: AbortSignal): Promise<Kept> {
    const { marks, endOfIds } = run.objects
    const { regions, measures } = asked
    const input = {
      ...(await gathered(run, asked.rule, signal)),
      ...{ measures, endOfIds, classes: objectClassesOf(run, asked).length },
      regions: measures.border ? regions.map(({ shapes }) => shapes) : [],
    }
    const told = (share: number): void => this.#onProgress(run.runId, share)
    const values = await aside('columns', input, (of) => regions[of]!.name, told, signal)
    return { asked, marks, endOfIds, values, columns: columnsOf(run, asked, values) }
  }

  /** What lies in bands along the border of each of the classes' regions, of a run that is over. Throws as `make`. */
  async bands(
    run: Run,
    limits: readonly number[],
    asked: Omit<SpatialAsk, 'measures'>,
    signal: AbortSignal,
  ): Promise<BandsOfRun> {
    const { regions } = asked
    const classes = objectClassesOf(run, asked)
    const { ids: _, ...objects } = await gathered(run, asked.rule, signal)
    const values = await aside(
      'bands',
      { ...objects, classes: classes.length, regions: regions.map(({ shapes }) => shapes), limits, ground: run.lookedAt.ground },
      (of) => regions[of]!.name,
      (share) => this.#onProgress(run.runId, share),
      signal,
    )
    const of = regions.map(({ id, name }, i) => ({ id, name, bands: bandsOf(limits, values[i]!, classes) }))
    return { unit: umPerPxOf(run) ? 'um' : 'px', of }
  }
}

function bandsOf(limits: readonly number[], { counts, areas, errors }: BandValues, classes: readonly Named[]): Band[] {
  // Classes that nothing is of anywhere, as one by hand may be, are not told.
  const isThere = classes.map((_, i) => counts.some((of) => of[i + 1]! > 0))
  return counts.map((of, band) => {
    const [area, objects] = [Math.max(0, areas[band]! / 1e6), of[0]!]
    return {
      from: limits[band - 1] ?? null,
      to: limits[band] ?? null,
      ...{ area, areaError: errors[band]! / 1e6, objects, density: area > 0 ? objects / area : null },
      classes: classes.flatMap(({ id, name }, i) => (isThere[i] ? [{ id, label: name, objects: of[i + 1]! }] : [])),
    }
  })
}

const columnsOf = (run: Run, asked: SpatialAsk, values: SpatialValues): SpatialColumn[] =>
  spatialColumns(values, asked.measures, objectClassesOf(run, asked), asked.regions, umPerPxOf(run) !== null)

const isOf = ({ marks, endOfIds }: Kept, { objects }: Run): boolean => marks === objects.marks && endOfIds === objects.endOfIds

/** Whether the values are the same, whatever classes are called. */
function isSame(a: SpatialAsk, b: SpatialAsk): boolean {
  const isAlike = JSON.stringify(a.measures) === JSON.stringify(b.measures) && JSON.stringify(a.rule) === JSON.stringify(b.rule)
  if (!isAlike || !a.measures.border) return isAlike
  return (
    a.regions.length === b.regions.length &&
    a.regions.every(({ id, shapes }, i) => {
      const other = b.regions[i]!
      return id === other.id && shapes.length === other.shapes.length && shapes.every((shape, k) => shape === other.shapes[k])
    })
  )
}
const isNamedAlike = (a: SpatialAsk, b: SpatialAsk): boolean =>
  !a.measures.border || a.regions.every(({ name }, i) => name === b.regions[i]?.name)
