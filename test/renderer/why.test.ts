// What the window says of a rule, and of a value that it offers.
import { describe, expect, it } from 'vitest'
import { RecipeSpec, type Explanation, type Rule } from '../../app/contract'
import { failedRules, offerWords, ruleWords } from '../../renderer/store/whySlice'
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
    expect(ruleWords(spec, rule({})).said).toBe('0.71 < 0.80')
    expect(ruleWords(spec, rule({ measured: 1.2, kept: true })).said).toBe('1.20 ≥ 0.80')
    expect(ruleWords(spec, rule({ param: 'minArea', kind: 'minArea', measured: 4.4, limit: 6 })).said).toBe('4 < 6 µm²')
    expect(ruleWords(spec, rule({ param: 'maxArea', kind: 'endArea', measured: 700, limit: 600 })).said).toBe('700 ≥ 600 µm²')
  })
  it('never says that a number is less than itself', () => {
    expect(ruleWords(spec, rule({ measured: 0.7999 })).said).toBe('0.7999 < 0.8000')
    expect(ruleWords(spec, rule({ param: 'minArea', kind: 'minArea', measured: 5.94, limit: 6 })).said).toBe('5.9 < 6.0 µm²')
  })
  it('has words where there is no number', () => {
    const opened = rule({ stage: 'mask', param: 'openRadius', kind: 'opened', measured: null, limit: 0.65 })
    expect(ruleWords(spec, opened).said).toBe('the opening rubs it out')
    expect(ruleWords(spec, { ...opened, kept: true }).said).toBe('the opening leaves it')
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
