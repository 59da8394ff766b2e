// What the window says of a rule, and of a value that it offers.
import { describe, expect, it } from 'vitest'
import { RecipeSpec, type Explanation, type Rule } from '../../app/contract'
import { failedRules, offerWords, ruleWords } from '../../renderer/store/slices/whySlice'
import heNuclei from '../../assets/recipes/he-nuclei.json'

const spec = RecipeSpec.parse(heNuclei)
const rule = (part: Partial<Rule>): Rule => ({
  stage: 'objects',
  param: 'minContrast',
  kind: 'contrast',
  measured: 0.713,
  limit: 0.8,
  kept: false,
  ...part,
})

describe('a rule in words', () => {
  it('compares what was measured with the limit, in the unit of the slider', () => {
    expect(ruleWords(spec, rule({})).said).toBe('0.71 is below 0.80')
    expect(ruleWords(spec, rule({ measured: 1.2, kept: true })).said).toBe('1.20 is above 0.80')
    expect(ruleWords(spec, rule({ param: 'minArea', kind: 'minArea', measured: 4.4, limit: 6 })).said).toBe('4 is below 6 µm²')
    expect(ruleWords(spec, rule({ param: 'maxArea', kind: 'endArea', measured: 700, limit: 600 })).said).toBe(
      '700 is above 600 µm²',
    )
  })
  it('never says that a number is less than itself', () => {
    expect(ruleWords(spec, rule({ measured: 0.7999 })).said).toBe('0.7999 is below 0.8000')
    expect(ruleWords(spec, rule({ param: 'minArea', kind: 'minArea', measured: 5.94, limit: 6 })).said).toBe(
      '5.9 is below 6.0 µm²',
    )
  })
  it('is a sentence of its own in the verdict', () => {
    expect(ruleWords(spec, rule({})).sentence).toBe('contrast 0.71 is below the smallest contrast 0.80')
    const level = rule({ stage: 'threshold', param: 'level', kind: 'above', measured: -0.11, limit: 1 })
    expect(ruleWords(spec, level).sentence).toBe('level −0.11 is below the threshold 1.00')
    expect(ruleWords(spec, { ...level, measured: 1 }).sentence).toBe('level 1.00 equals the threshold 1.00')
  })
  it('has words where there is no number', () => {
    const opened = rule({ stage: 'mask', param: 'openRadius', kind: 'opened', measured: null, limit: 0.65 })
    expect(ruleWords(spec, opened).said).toBe('too narrow: the opening removes it')
    expect(ruleWords(spec, { ...opened, kept: true }).said).toBe('wide enough for the opening')
  })
})

describe('an offer in words', () => {
  it('names the slider and its value', () => {
    const one = { changes: [{ stage: 'objects', param: 'minContrast', value: 0.7 }] }
    expect(offerWords(spec, one)).toMatch(/^Set .+ to 0\.70$/)
    const two = { changes: [...one.changes, { stage: 'objects', param: 'minArea', value: 4 }] }
    expect(offerWords(spec, two)).toMatch(/^Set .+ to 0\.70, and set .+ to 4 µm²$/)
    expect(offerWords(spec, { changes: [{ stage: 'tissue', param: 'only', value: false }] })).toMatch(/^Turn off /)
  })
})

it('counts no rule against a point that is in an object after all', () => {
  const found: Explanation = { inside: true, certain: true, values: [], rules: [rule({})], outline: [], offers: [], elapsedMs: 1 }
  expect(failedRules(found)).toEqual([])
  expect(failedRules({ ...found, inside: false })).toHaveLength(1)
})
