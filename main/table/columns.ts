// The columns of a run's objects as arrays, in the units that a user reads: taken from the packed batches once, and kept while they are used.
import {
  cellFigures,
  cellFiguresOf,
  channelColumnOf,
  groupKind,
  inUnits,
  isOptional,
  measurementOrder,
  measurements,
  partsAreStains,
  stainSets,
  stainStatisticKeys,
  stainStatistics,
  stainTitle,
  unitsOf,
} from '../../app/contract'
import type { ObjectClass, OptionalKey, TableColumn } from '../../app/contract'
import { CHANNEL_FIGURES } from '../../native/index'
import type { ObjectField } from '../../native/index'
import { gradeOf } from '../run/objects/objectClasses'
import type { Place } from '../run/point/objectDetails'
import { batchRows } from '../run/objects/packedObjects'
import type { ObjectList } from '../run/objects/objectList'
import { channelField, stainField } from '../run/objects/packedObjects'

/** A column whose values no object of a run holds: by id, NaN where there is none. */
export interface ExtraColumn extends TableColumn {
  readonly values: Float64Array
}

interface Source extends TableColumn {
  /** null: the object's number, or what `own` has. */
  readonly field: ObjectField | null
  /** By id. */
  readonly own?: Float64Array
  readonly value: (measured: number) => number
}

const same = (value: number): number => value

export class Columns {
  readonly columns: readonly Source[]
  readonly classes: readonly ObjectClass[]
  private readonly objects: ObjectList
  private readonly marks: Place['marks']
  /** Values by rank, the last used last. 8 bytes an object each. */
  private readonly kept = new Map<string, Float64Array>()

  constructor(objects: ObjectList, place: Place, extras: readonly ExtraColumn[] = []) {
    this.objects = objects
    this.marks = place.marks
    this.classes = place.marks?.classAt ? place.marks.classes : (place.classes?.classes ?? [])
    this.columns = [
      ...sourcesOf(place, (key) => objects.batches.some((batch) => batch.has(key))),
      ...extras.map(({ key, title, unit, values }): Source => ({ key, title, unit, field: null, own: values, value: same })),
    ]
  }

  get length(): number {
    return this.objects.length
  }

  find(key: string): TableColumn | undefined {
    return this.columns.find((column) => column.key === key)
  }

  /** By rank, 0-based. Throws on a key that `find` does not know. Cost: a look at every object the first time. */
  values(key: string): Float64Array {
    const kept = this.kept.get(key)
    if (kept) {
      this.kept.delete(key)
      this.kept.set(key, kept)
      return kept
    }
    const source = this.columns.find((column) => column.key === key)
    if (!source) throw new RangeError(`expected a column but received ${key}`)
    const values = this.isMeasured(source) ? this.measuredOf(source) : this.eachOf(source)
    this.kept.set(key, values)
    if (this.kept.size > keptColumns) this.kept.delete(this.kept.keys().next().value!)
    return values
  }

  /** Of the objects of these ranks, a row of all columns, or of those with these keys, after the other. */
  rows(ranks: Uint32Array, keys?: readonly string[]): Float64Array {
    const sources = keys ? this.columns.filter(({ key }) => keys.includes(key)) : this.columns
    const width = sources.length
    const values = new Float64Array(ranks.length * width)
    ranks.forEach((rank, row) => sources.forEach((source, at) => (values[row * width + at] = this.valueOf(source, rank))))
    return values
  }

  /** Whether the object of a rank is still there. */
  stands(rank: number): boolean {
    return this.marks?.deleted?.[this.objects.ids[rank]!] !== 1
  }

  private isMeasured(source: Source): source is Source & { field: ObjectField } {
    return source.field !== null && !(source.key === 'class' && this.marks?.classAt)
  }

  /** Batch by batch, which is many times faster than object by object. */
  private measuredOf({ field, value }: Source & { field: ObjectField }): Float64Array {
    const { batches, ids } = this.objects
    const byId = new Float64Array(batches.length * batchRows)
    batches.forEach((batch, place) => batch.copyValues(field, byId, place * batchRows))
    const values = new Float64Array(ids.length)
    for (let rank = 0; rank < ids.length; rank++) values[rank] = value(byId[ids[rank]!]!)
    return values
  }

  private eachOf(source: Source): Float64Array {
    const values = new Float64Array(this.objects.ids.length)
    for (let rank = 0; rank < values.length; rank++) values[rank] = this.valueOf(source, rank)
    return values
  }

  private valueOf({ key, field, own, value }: Source, rank: number): number {
    const { batches, ids } = this.objects
    const id = ids[rank]!
    if (own) return own[id]!
    if (key === 'class' && this.marks?.classAt) return this.marks.classAt[id]!
    if (field === null) return rank + 1
    return value(batches[Math.floor(id / batchRows)]!.value(id % batchRows, field))
  }
}

const keptColumns = 6

/** `has`: what is optional has a column where some object has it. */
function sourcesOf(
  { scale, analysedMpp, stainNames, stainSet, channels, cellsAt, membranes, classes, marks }: Place,
  has: (key: OptionalKey | ObjectField) => boolean,
): Source[] {
  const { factor, unit } = stainSets[stainSet]
  const length = analysedMpp ?? scale
  const lengthUnit = analysedMpp === null ? 'px' : 'um'
  const source = (key: string, title: string, unitText: string, field: Source['field'], value = same): Source => ({
    key,
    title,
    unit: unitText,
    field,
    value,
  })
  return [
    source('id', 'Object', '', null),
    ...(marks?.classAt
      ? [source('class', 'Class', '', null)]
      : classes
        ? [source('class', 'Class', '', classes.field, (mean) => gradeOf(classes.limits, mean))]
        : []),
    ...measurementOrder.screen.flatMap((key) => {
      if (isOptional(key) && !has(key)) return []
      const { title, dimension } = measurements[key]
      return source(key, title, unitsOf(dimension, lengthUnit).screen, key, (value) => inUnits(value, dimension, length))
    }),
    ...stainStatisticKeys.flatMap((statistic) =>
      stainNames.map((name, channel) =>
        source(
          stainField(statistic, channel),
          `${stainTitle(name)} ${stainStatistics[statistic].title}`,
          unit,
          stainField(statistic, channel),
          (value) => factor * value,
        ),
      ),
    ),
    ...channels.flatMap((name, channel) =>
      (channel === cellsAt ? cellFiguresOf({ membranes }) : CHANNEL_FIGURES).flatMap((figure) => {
        const field = channelField(channel, figure)
        if (!has(field)) return []
        if (channel === cellsAt) {
          const { title, dimension, ...of } = cellFigures[figure]
          const unitText = 'unit' in of ? of.unit : unitsOf(dimension, lengthUnit).screen
          return source(field, title, unitText, field, (value) => inUnits(value, dimension, length))
        }
        const isOfStain = groupKind(channel, { cellsAt }) === 'part' && partsAreStains({ cellsAt })
        const title = `${name} ${channelColumnOf(field)!.figure}`
        return source(field, title, isOfStain ? unit : '', field, isOfStain ? (value) => factor * value : same)
      }),
    ),
    source('x', 'Centre x', 'px', 'centroidX', (value) => value * scale),
    source('y', 'Centre y', 'px', 'centroidY', (value) => value * scale),
  ]
}
