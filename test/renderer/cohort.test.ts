// The list of a project's slides: what a row says, which slides are meant, what a run over them came to.
import { describe, expect, it } from 'vitest'
import type { CohortSlide, CohortState, ProjectSlide } from '../../app/contract'
import { notificationsStore } from '@mantine/notifications'
import { addFiles, removeSlide } from '../../renderer/store/cohort/addingActions'
import { addedWords } from '../../renderer/store/cohort/addingWords'
import { getState } from '../../renderer/store/store'
import { machine, setUpSlide } from './windowFixture'
import { cohortWords, meantSlides, noCohort, slideWords, withSlides } from '../../renderer/store/slices/cohortSlice'

const key = (letter: string): string => letter.repeat(32)
const slide = (letter: string, more: Partial<ProjectSlide> = {}): ProjectSlide => ({
  ...{ key: key(letter), name: `${letter}.svs`, path: `/x/${letter}.svs`, widthPx: 10, heightPx: 10, mppX: 1, mppY: 1 },
  ...{
    missing: false,
    regions: 0,
    segmentedRegions: 0,
    state: 'not run',
    why: null,
    objects: null,
    perMm2: null,
    perMm2Tissue: null,
    recipeName: null,
  },
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
  const done = slide('a', { state: 'done', objects: 1234, perMm2: 2000, perMm2Tissue: 2500.4, recipeName: 'H&E nuclei' })
  it('says the state, with the objects and their density where it is done', () => {
    expect(slideWords(slide('a'), undefined)).toEqual({ look: 'idle', words: 'not run', objects: null })
    expect(slideWords(done, undefined)).toEqual({ look: 'done', words: 'H&E nuclei · 2\u202f500/mm² of tissue', objects: 1234 })
    expect(slideWords({ ...done, perMm2Tissue: null }, undefined).words).toBe('H&E nuclei · 2\u202f000/mm² of area')
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
  const before = { ...noCohort, slides: [slide('a')], chosen: [key('a'), key('b')], cohort: cohort(false, live('a', 'done')) }
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

it('a run over slides tells what became of corrections on the results before', () => {
  const done = (carried: number | null, objects: number, unfit: number): CohortSlide =>
    live('a', 'done', { corrections: { from: 'Whole slide', objects, carried, unfit } })
  expect(cohortWords(cohort(false, done(9, 12, 3), done(1, 1, 0), live('b', 'done')))).toBe(
    '3 done, 10 corrections carried over, 3 do not fit',
  )
  expect(cohortWords(cohort(false, done(null, 4, 0)))).toBe('1 done, 4 corrections stay on the results before')
})

it('what was added is counted, and what could not be opened is named with why', () => {
  const file = (name: string, isNew: boolean, why: string | null = null) => ({ path: `/x/${name}`, name, isNew, why })
  expect(addedWords([file('a', true)], 1)).toBe('1 slide added.')
  expect(addedWords([file('a', true), file('b', true), file('c', false)], 5)).toBe(
    '2 slides added, 1 was there already, 2 left out.',
  )
  const twice = [file('a.svs', true), { ...file('link.svs', false), knownAs: 'a.svs' }]
  expect(addedWords(twice, 2)).toBe('1 slide added, 1 was there already. link.svs is the same slide as a.svs.')
  const broken = [file('a', true), file('notes.txt', false, 'It is no slide.'), file('b', true)]
  expect(addedWords(broken, 3)).toBe('2 slides added. Could not be opened: notes.txt (It is no slide).')
  const many = Array.from({ length: 7 }, (_, i) => file(`${i}`, false, 'no'))
  expect(addedWords(many, 7)).toMatch(/^No slide added\. .*4 \(no\) and 2 more\.$/)
})

describe('adding files', () => {
  it('goes on after one that fails, and ends where no other would do better', async () => {
    const answers: Record<string, unknown> = {
      '/x/a.svs': { ok: true, value: { key: key('a'), isNew: true, name: 'a.svs' } },
      '/x/b.txt': { ok: false, error: { code: 'SLIDE_UNREADABLE', message: 'no slide' } },
      '/x/c.svs': { ok: false, error: { code: 'OUTPUT_FAILED', message: 'The disk is full.' } },
    }
    const asked = setUpSlide(machine([]), {
      'project:addFile': (arg) => answers[(arg as { path: string }).path] as never,
    })
    await addFiles(['/x/a.svs', '/x/b.txt', '/x/c.svs', '/x/d.svs'])
    expect(asked.flatMap(({ name, arg }) => (name === 'project:addFile' ? [arg] : []))).toEqual([
      { path: '/x/a.svs' },
      { path: '/x/b.txt' },
      { path: '/x/c.svs' },
    ])
    expect(getState().cohort.adding).toBeNull()
    const [notice] = notificationsStore.getState().notifications
    expect(notice?.message).toBe('1 slide added, 1 left out. Could not be opened: b.txt (no slide); c.svs (The disk is full).')
  })
  it('by itself takes no slide out that has results: it asks', async () => {
    const asked = setUpSlide(machine([]), { 'project:remove': () => ({ ok: true, value: null }) })
    removeSlide(slide('a', { state: 'done', objects: 12 }))
    expect(asked).toEqual([])
    expect(getState().ui.question?.text).toContain('12 objects')
    removeSlide(slide('b'))
    await expect.poll(() => asked.map(({ name }) => name)).toEqual(['project:remove', 'project:slides'])
  })
})
