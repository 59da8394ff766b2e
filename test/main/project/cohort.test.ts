// How long a recipe over many slides still takes, and what a list says of each slide.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { DocumentSlide, KeptRun, Recipe } from '../../../app/contract'
import { cutsOn, hScoreOf, positiveShareOf, stainSets, unfitWords } from '../../../app/contract'
import { etaOf } from '../../../main/project/slides/cohort'
import { emptyContent } from '../../../main/project/document'
import type { Content } from '../../../main/project/document'
import { openSpecs } from '../../../main/recipe/specs'
import { defaultRecipe } from '../../../main/recipe/validate'
import { noEdits } from '../../../main/project/objects/edits'
import { listedSlides, removable, ruleFor, runLike, slideList } from '../../../main/project/slides/standing'

describe('the time that is left', () => {
  const running = { state: 'running' as const, fraction: 0.5 }
  const queued = { state: 'queued' as const, fraction: 0 }
  it('goes by the pixels that are left, of slides that still will be run', () => {
    const done = { state: 'done' as const, fraction: 1 }
    const failed = { state: 'failed' as const, fraction: 0 }
    // 150 of 400 pixels in 3 s.
    expect(etaOf([done, failed, running, queued], [100, 1000, 100, 200], 3000)).toBeCloseTo((3000 * 250) / 150)
    expect(etaOf([done, failed], [1, 1], 3000)).toBe(0)
  })
  it('is not told before there is something to tell it from', () => {
    expect(etaOf([queued, queued], [1, 1], 5000)).toBeNull()
    expect(etaOf([running, queued], [1, 1], 200)).toBeNull()
  })
})

const recipe: Recipe = { format: 'morphoscope-recipe', version: 1, spec: 'a', name: 'A', params: { one: { two: 3 } } }
const slide = (key: string, name: string, more: Partial<DocumentSlide> = {}): DocumentSlide => ({
  ...{ key, name, path: `/x/${name}`, widthPx: 2000, heightPx: 1000, mppX: 1, mppY: 1 },
  ...more,
})
const run = (id: string, on: string, startedAt: string, more: Partial<KeptRun> = {}): KeptRun => ({
  ...{ id, slide: on, name: 'Whole slide', recipeName: 'A', startedAt, objects: 10, asked: { recipe, whole: true } },
  ...more,
})
const contentOf = (runs: readonly KeptRun[]) => ({ ...emptyContent, runs: new Map(runs.map((each) => [each.id, each])) })

describe('the list of slides', () => {
  it('is by name, and says of each what its newest run of all of it came to, deleted objects apart', () => {
    const runs = [
      run('k1', 'a', '2026-01-01', { objects: 99 }),
      run('k2', 'a', '2026-01-02', { tissueMm2: 0.5 }),
      run('k3', 'a', '2026-01-03', { asked: { recipe, whole: false } }),
      run('k4', 'b', '2026-01-01', { asked: undefined }),
    ]
    const edits = noEdits(runs[1]!)
    edits.deleted[3] = 1
    const content = { ...contentOf(runs), edits: new Map([['k2', edits]]) }
    const slides = [slide('b', 'Case 10.svs'), slide('a', 'Case 9.svs')]
    const list = slideList(content, slides, new Map([['a', '/elsewhere/Case 9.svs']]))
    expect(list).toMatchObject([
      {
        key: 'a',
        path: '/elsewhere/Case 9.svs',
        missing: false,
        state: 'done',
        objects: 9,
        perMm2: 4.5,
        perMm2Tissue: 18,
        recipeName: 'A',
      },
      { key: 'b', path: '/x/Case 10.svs', missing: true, state: 'not run', objects: null, perMm2: null },
    ])
  })
  it('has what failed last as failed, until it is done', () => {
    const failure = { at: '2026-01-02', recipeName: 'B', message: 'no disk' }
    const failed = [slide('a', 'a', { failure })]
    const state = (...runs: KeptRun[]) => slideList(contentOf(runs), failed, new Map())[0]!
    expect(state()).toMatchObject({ state: 'failed', why: 'no disk', recipeName: 'B' })
    expect(state(run('k1', 'a', '2026-01-01'))).toMatchObject({ state: 'failed', objects: 10 })
    expect(state(run('k1', 'a', '2026-01-03'))).toMatchObject({ state: 'done', why: null })
  })
  it('takes a slide for run where recipe and values are the same, whatever the recipe is called', () => {
    const content = contentOf([run('k1', 'a', '2026-01-01'), run('k2', 'b', '2026-01-01', { asked: { recipe, whole: false } })])
    const like = (key: string, params: Recipe['params']) =>
      runLike(content, { key }, { ...recipe, name: 'Mine', params }, { stages: [] })?.id ?? null
    expect(like('a', recipe.params)).toBe('k1')
    expect(like('a', { one: { two: 4 } })).toBeNull()
    expect(like('b', recipe.params)).toBeNull()
  })
  it('does not ask for a run where the cut-offs alone are others, or values that an earlier version did not have are the defaults', async () => {
    const spec = await openSpecs(join(import.meta.dirname, '../../../assets')).get('ihc-nuclei')
    const now = defaultRecipe(spec)
    const { reject: _, classes: __, ...earlier } = now.params
    const old = { ...now, params: { ...earlier, classes: { positiveAbove: 0.2 } } }
    const content = contentOf([run('k1', 'a', '2026-01-01', { asked: { recipe: old, whole: true } })])
    const graded = { ...now, params: { ...now.params, classes: { ...now.params['classes'], by: 'grades', positiveAbove: 0.3 } } }
    const otherMask = { ...now, params: { ...now.params, mask: { ...now.params['mask'], holeArea: 1 } } }
    expect([now, graded, otherMask].map((wanted) => runLike(content, { key: 'a' }, wanted, spec)?.id)).toEqual([
      'k1',
      'k1',
      undefined,
    ])
    const [before] = [...content.runs.values()]
    expect(ruleFor(content, before!, now, spec)).toBeUndefined()
    const rule = { column: 'stain2Mean', limits: [0.3, 0.4, 0.6] }
    expect(ruleFor(content, before!, graded, spec)).toEqual(rule)
    const ruled = { ...content, edits: new Map([['k1', { ...noEdits(before!), rule }]]) }
    expect(ruleFor(ruled, before!, graded, spec)).toBeUndefined()
    expect(ruleFor(ruled, before!, now, spec)).toBeNull()
  })
})

describe('a slide', () => {
  const slides = new Map(['a', 'b', 'c'].map((key) => [key, slide(key, key, key === 'c' ? { removed: true } : {})]))
  const runs = [run('k1', 'a', '2026-01-01'), run('k2', 'a', '2026-01-02'), run('k3', 'b', '2026-01-01')]
  const content: Content = { ...contentOf(runs), edits: new Map([['k3', noEdits(runs[2]!)]]) }
  it('is taken out with its results, but not where one was corrected', () => {
    expect(removable(content, slides, 'a')).toEqual({ slide: slides.get('a'), runs: ['k1', 'k2'] })
    expect(() => removable(content, slides, 'b')).toThrow('b has a corrected result: delete that first')
    expect(() => removable(content, slides, 'c')).toThrow('does not hold that slide')
  })
  it('that was taken out is shown again when there is something on it', () => {
    const keys = (shown: Content) => listedSlides(shown, slides).map(({ key }) => key)
    expect(keys(content)).toEqual(['a', 'b'])
    expect(keys({ ...content, ...contentOf([run('k4', 'c', '2026-01-01')]) })).toEqual(['a', 'b', 'c'])
  })
})

it('shares are of what is positive or negative alone', () => {
  const counts = (given: Record<string, number>) => Object.entries(given).map(([id, objects]) => ({ id, objects }))
  expect(positiveShareOf(counts({ positive: 3, negative: 1, tumour: 9 }))).toBe(0.75)
  expect(positiveShareOf(counts({ negative: 5, weak: 1, moderate: 2, strong: 2 }))).toBe(0.5)
  const onDab = (limits: number[]) =>
    cutsOn('stain2Mean', limits, { stainSet: 'h-dab', stainNames: stainSets['h-dab'].names, length: 'um' })
  expect(hScoreOf(counts({ negative: 5, weak: 1, moderate: 2, strong: 2 }), onDab([0.2, 0.4, 0.6]))).toBe(110)
  expect([positiveShareOf(counts({ tumour: 4 })), positiveShareOf([])]).toEqual([null, null])
})

it('a slide is marked where its stains are not the recipe’s, and where somebody is sure of them', () => {
  const ihc = { stain: 'h-dab', percent: 99 } as const
  const [he, dab] = [
    { name: 'H&E nuclei', stainSet: 'h-e' },
    { name: 'IHC nuclei', stainSet: 'h-dab' },
  ] as const
  expect(unfitWords(ihc, he)).toBe('looks like H-DAB (99 %), and H&E nuclei is made for H&E')
  expect([unfitWords(ihc, dab), unfitWords({ ...ihc, percent: 69 }, he), unfitWords(undefined, he)]).toEqual([null, null, null])
  expect(unfitWords({ stain: 'unknown', percent: 0 }, he)).toBeNull()
})
