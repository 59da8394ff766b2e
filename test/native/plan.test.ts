// Plans through the addon: one for the same values, and none of anybody else's making.
import { describe, expect, test } from 'vitest'
import * as native from '../../native/index'
import { bundledParams } from './bundledParams'

describe('planOf', () => {
  const { pipeline, params } = bundledParams('iwpp-nuclei.json')
  test('records the same values once', () => {
    const plan = native.planOf(pipeline, params)
    expect(native.planOf(pipeline, params)).toBe(plan)
    const again = native.planOf(pipeline, { ...params })
    expect(again).not.toBe(plan)
    expect(again.hash).toBe(plan.hash)
    expect(native.planOf(pipeline, { ...params, 'mask.minArea': 77 }).hash).not.toBe(plan.hash)
  })
  test('says what windows need to know', () => {
    const plan = native.planOf(pipeline, params)
    expect(plan).toMatchObject({ pipeline, haloPx: native.haloPx(pipeline, params), ground: null })
    expect(native.planOf(pipeline, { ...params, 'marker.reach': 0 }).ground).toContain('reconstruct')
  })
  test('is immutable', () => {
    const plan = native.planOf(pipeline, params)
    expect(() => Object.assign(plan, { haloPx: 1 })).toThrow(TypeError)
  })
})
