// What a window begins with: the slide that it was given, the sample for newcomers, else the start page; and the tour.
import { beforeEach, expect, it, vi } from 'vitest'
import type { AppInfo, StartItems } from '../../app/contract'
import { runCommand } from '../../renderer/store/commands/commands'
import { listen } from '../../renderer/store/events'
import { leaveTour, openProjectAtStart, startTour } from '../../renderer/store/commands/startActions'
import { tourSteps } from '../../renderer/store/slices/startSlice'
import { getState, patch } from '../../renderer/store/store'
import { cpu, machine, settings, setUpWindow, slide } from './windowFixture'

const entry = (path: string) => ({ path, name: path.slice(1), openedAt: '2026-01-01T00:00:00.000Z', missing: false })
const none: StartItems = { slides: [], projects: [], unnamed: [] }
const kept = new Map<string, string>()
beforeEach(() => {
  kept.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
})

/** What the window asked to open at its start. */
async function starts(app: Partial<AppInfo>, items: StartItems = none): Promise<{ opened: () => string[] }> {
  const { asked, connect } = setUpWindow({
    'app:info': () => ({ ok: true, value: { ...machine([cpu]), ...app } }),
    'recipe:list': () => ({ ok: true, value: [] }),
    'settings:get': () => ({ ok: true, value: settings }),
    'recent:list': () => ({ ok: true, value: [] }),
    'start:list': () => ({ ok: true, value: items }),
    'slide:open': (arg) => ({ ok: true, value: { ...slide, path: (arg as { path: string }).path } }),
    'slide:recognise': () => ({ ok: false, error: { code: 'CANCELLED', message: '' } }),
    'slide:close': () => ({ ok: true, value: null }),
    'project:open': () => ({ ok: true, value: null }),
    'project:slides': () => ({
      ok: true,
      value: [
        { key: 'k1', path: '', missing: true },
        { key: 'k2', path: '/second.svs', missing: false },
      ],
    }),
  })
  const off = listen()
  connect('online')
  await vi.waitFor(() => expect(asked.some(({ name }) => name === 'run:list')).toBe(true))
  await new Promise((resolve) => setTimeout(resolve))
  off()
  return { opened: () => asked.flatMap(({ name, arg }) => (name === 'slide:open' ? [(arg as { path: string }).path] : [])) }
}
const sampleSlide = '/sample.svs'

it('opens the slide that it was given, whatever was opened lately', async () => {
  const { opened } = await starts({ initialSlide: '/mine.svs', sampleSlide }, { ...none, slides: [entry('/a.svs')] })
  expect(opened()).toEqual(['/mine.svs'])
  expect(getState().start).toMatchObject({ shown: false, tour: null })
})

it('opens the sample for who has opened nothing yet, and offers the tour until it was seen', async () => {
  expect((await starts({ sampleSlide })).opened()).toEqual([sampleSlide])
  expect(getState().start).toMatchObject({ shown: false, tour: 'offered' })
  runCommand('cancel')
  expect(getState().start.tour).toBeNull()
  await starts({ sampleSlide })
  expect(getState().start.tour).toBeNull()
})

it('shows the start page where there is something to go on with, or no sample', async () => {
  const cases: [Partial<AppInfo>, StartItems][] = [
    [{ sampleSlide }, { ...none, slides: [entry('/a.svs')] }],
    [{ sampleSlide }, { ...none, projects: [entry('/p.morphoscope')] }],
    [{}, none],
  ]
  for (const [app, items] of cases) {
    expect((await starts(app, items)).opened()).toEqual([])
    expect(getState().start).toEqual({ shown: true, items, tour: null })
  }
})

it('stays without a slide, and goes for one, for Escape and for any command about the slide', async () => {
  await starts({ sampleSlide }, { ...none, slides: [entry('/a.svs')] })
  for (const command of ['cancel', 'start', 'leftPanel'] as const) runCommand(command)
  expect(getState().start.shown).toBe(true)
  expect(getState().ui.leftOpen).toBe(true)
  patch('slide', { info: slide })
  for (const command of ['cancel', 'start', 'leftPanel'] as const) {
    patch('start', { shown: true })
    runCommand(command)
    expect(getState().start.shown).toBe(false)
  }
  expect(getState().ui.leftOpen).toBe(false)
  runCommand('start')
  expect(getState().start.shown).toBe(true)
})

it('opens the first slide of a project that is there', async () => {
  const { opened } = await starts({ sampleSlide }, { ...none, projects: [entry('/p.morphoscope')] })
  await openProjectAtStart('/p.morphoscope')
  expect(opened()).toEqual(['/second.svs'])
  expect(getState().start.shown).toBe(false)
})

it('tours on the sample where nothing is open, and is seen when it is ended', async () => {
  const { opened } = await starts({ sampleSlide }, { ...none, slides: [entry('/a.svs')] })
  await startTour()
  expect(opened()).toEqual([sampleSlide])
  expect(getState().start).toMatchObject({ shown: false, tour: 0 })
  expect(kept.size).toBe(0)
  runCommand('cancel')
  expect([getState().start.tour, kept.size]).toEqual([null, 1])
  expect(leaveTour()).toBe(false)
  expect(tourSteps).toHaveLength(3)
})
