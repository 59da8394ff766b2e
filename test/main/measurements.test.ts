// The one table of measurements against what the engine computes, and against those that show it.
import { describe, expect, it } from 'vitest'
import {
  measurementKeys,
  measurementOrder,
  measurements,
  optionalKeys,
  requiredKeys,
  scoreKeys,
  stainStatisticKeys,
} from '../../app/contract'
import { MEASUREMENT_FIELDS, PACKED_COLUMNS, scoreTable, status } from '../../native/index'

/** What of an object is its name or its place, and no measurement. */
const places = ['firstX', 'firstY', 'minX', 'minY', 'maxX', 'maxY', 'centroidX', 'centroidY']

describe('the table of measurements', () => {
  it('has what the native engine computes, no more and no less', () => {
    // The addon is refused unless its own list is PACKED_COLUMNS.
    expect(status().threads).toBeGreaterThan(0)
    expect([...PACKED_COLUMNS.map(({ field }) => field), 'minY'].sort()).toEqual([...MEASUREMENT_FIELDS].sort())
    const stains = stainStatisticKeys.flatMap((key) => [1, 2, 3].map((n) => `stain${n}${key[0]!.toUpperCase()}${key.slice(1)}`))
    expect([...places, ...measurementKeys, ...stains].sort()).toEqual([...MEASUREMENT_FIELDS].sort())
  })

  it('says alike everywhere which of them some recipes give none of', () => {
    const flagged = Object.entries(measurements).filter(([, each]) => 'optional' in each)
    expect(flagged.map(([key]) => key)).toEqual([...optionalKeys])
    expect(PACKED_COLUMNS.filter(({ optional }) => optional).map(({ field }) => field)).toEqual([...optionalKeys])
    expect([...requiredKeys, ...optionalKeys].sort()).toEqual([...measurementKeys].sort())
    expect(scoreTable().parts.map(({ of }) => of)).toEqual([...scoreKeys])
  })

  it.each(Object.entries(measurementOrder))('is shown whole, each measurement once: %s', (_, order) => {
    expect([...order].sort()).toEqual([...measurementKeys].sort())
  })
})
