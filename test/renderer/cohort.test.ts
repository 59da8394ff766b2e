// The list of a project's slides: what a row says, which slides are meant, what a run over them came to.
import { describe, expect, it } from 'vitest'
import type { CohortSlide, CohortState, ProjectSlide } from '../../app/contract'
import { cohortWords, meantSlides, noCohort, slideWords, withSlides } from '../../renderer/store/cohortSlice'

const key = (letter: string): string => letter.repeat(32)
const slide = (letter: string, more: Partial<ProjectSlide> = {}): ProjectSlide => ({
  ...{ key: key(letter), name: `${letter}.svs`, path: `/x/${letter}.svs`, widthPx: 10, heightPx: 10, mppX: 1, mppY: 1 },
  ...{ missing: false, regions: 0, state: 'not run', why: null, objects: null, perMm2: null, recipeName: null },
  ...more,
})
const live = (letter: string, state: CohortSlide['state'], more: Partial<CohortSlide> = {}): CohortSlide => ({
  ...{ key: key(letter), state, fraction: 0, objects: null, why: null },
  ...more,
})
const cohort = (going: boolean, ...slides: CohortSlide[]): CohortState => ({
  ...{ going, recipeName: 'H&E nuclei', slides, elapsedMs: 1000, etaMs: going ? 65_000 : 0 },
})

describe('a row', () => {
  const done = slide('a', { state: 'done', objects: 1234, perMm2: 2500.4, recipeName: 'H&E nuclei' })
  it('says the state, with the objects and their density where it is done', () => {
    expect(slideWords(slide('a'), undefined)).toEqual({ look: 'idle', words: 'not run', objects: null })
    expect(slideWords(done, undefined)).toEqual({ look: 'done', words: 'H&E nuclei · 2\u202f500/mm²', objects: 1234 })
    expect(slideWords(slide('a', { state: 'failed', why: 'The disk is full.' }), undefined)).toMatchObject({
      look: 'failed',
      words: 'failed: The disk is full.',
    })
    expect(slideWords({ ...done, missing: true }, undefined)).toMatchObject({ look: 'failed', objects: 1234 })
  })
  it('says what goes on before what was', () => {
    expect(slideWords(done, live('a', 'queued'))).toMatchObject({ look: 'busy', words: 'queued', objects: 1234 })
    expect(slideWords(done, live('a', 'running', { fraction: 0.42, objects: 7 }))).toEqual({
      ...{ look: 'busy', words: 'running, 42 %', objects: 7 },
    })
  })
})

it('the chosen slides are meant, or all, and of them those that are there', () => {
  const slides = [slide('a'), slide('b', { missing: true }), slide('c')]
  const keys = (chosen: string[]) => meantSlides({ ...noCohort, slides, chosen }).map(({ name }) => name)
  expect(keys([])).toEqual(['a.svs', 'c.svs'])
  expect(keys([key('c'), key('b')])).toEqual(['c.svs'])
})

it('another list takes what is gone out of the choice, and news of other slides out of sight', () => {
  const before = { slides: [slide('a')], chosen: [key('a'), key('b')], cohort: cohort(false, live('a', 'done')) }
  expect(withSlides(before, [slide('a')])).toMatchObject({ chosen: [key('a')], cohort: before.cohort })
  expect(withSlides(before, [slide('c')])).toMatchObject({ chosen: [], cohort: null })
  const going = { ...before, cohort: cohort(true, live('a', 'running')) }
  expect(withSlides(going, [slide('c')]).cohort).toBe(going.cohort)
})

it('a run over slides says how many are done and how long it takes, and at its end what became of them', () => {
  expect(cohortWords(cohort(true, live('a', 'done'), live('b', 'running'), live('c', 'queued')))).toBe(
    '1 of 3 slides · 1 min 05 s left',
  )
  const ended = cohort(false, live('a', 'done'), live('b', 'there'), live('c', 'failed'), live('d', 'cancelled'))
  expect(cohortWords(ended)).toBe('1 done, 1 done before, 1 failed, 1 left')
})
