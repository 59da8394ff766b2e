// What one edit costs: the document is asked for once, whichever comes first, the answer or the event, and files of slides are not looked for again.
import { expect, it, vi } from 'vitest'
import type { DocumentState, PutRecord, RegionMeasure, RegionOfInterest } from '../../app/contract'
import { listen } from '../../renderer/store/events'
import { refreshProject } from '../../renderer/store/document/documentActions'
import { act } from '../../renderer/store/document/projectActions'
import { getState, patch } from '../../renderer/store/store'
import { machine, setUpWindow, slide } from './windowFixture'

const key = 'a'.repeat(32)
const document = (revision: number): DocumentState => ({
  ...{ path: null, name: null, revision, undo: null, redo: null, classes: [], slides: [], runs: [] },
  ...{ slide: key, regions: [], places: [], recovered: false, trouble: null },
})

it.each(['before the answer', 'after the answer'])('an edit whose event comes %s', async (when) => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  let revision = 6
  const window = setUpWindow({
    'project:do': () => {
      revision += 1
      const event = { type: 'document:changed' as const, revision }
      if (when === 'before the answer') window.happens(event)
      else setTimeout(() => window.happens(event), 20)
      return { ok: true, value: { revision, name: '' } }
    },
    'project:state': () => ({ ok: true, value: document(revision) }),
  })
  const off = listen()
  patch('slide', { info: slide })
  patch('ui', { app: machine([]), connection: 'online' })
  await refreshProject()
  const edit = async (): Promise<Record<string, number>> => {
    window.asked.length = 0
    await act({ type: 'classes:set', classes: [] })
    // The page has it when the edit resolves.
    expect(getState().project.doc?.revision).toBe(revision)
    await new Promise((resolve) => setTimeout(resolve, 40))
    return Object.fromEntries(
      [...new Set(window.asked.map(({ name }) => name))].map((name) => [
        name,
        window.asked.filter((each) => each.name === name).length,
      ]),
    )
  }
  const once = { 'project:do': 1, 'project:state': 1, 'project:slides': 1 }
  expect([await edit(), await edit()]).toEqual([once, once])
  expect(window.asked.find(({ name }) => name === 'project:slides')?.arg).toEqual({ seen: true })
  // What this page has not made is asked for too, and an event that comes late of what it has is not.
  window.asked.length = 0
  revision += 1
  window.happens({ type: 'document:changed', revision })
  window.happens({ type: 'document:changed', revision: revision - 1 })
  await vi.waitFor(() => expect(getState().project.doc?.revision).toBe(revision))
  window.happens({ type: 'document:changed', revision })
  expect(window.asked.filter(({ name }) => name === 'project:state')).toHaveLength(1)
  off()
})

it('an edit that is told with what it changed asks for nothing of the document, and for the rows of its slides alone', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  let revision = 6
  const put: PutRecord[] = [
    { kind: 'classes', records: [{ id: 'c-1', name: 'One', color: '#00ff7f' }] },
    { kind: 'slide', key, regions: 0 },
  ]
  const window = setUpWindow({
    'project:do': () => {
      revision += 1
      window.happens({ type: 'document:changed', revision, change: { put, removed: [], undo: null, redo: null } })
      return { ok: true, value: { revision, name: '' } }
    },
    'project:state': () => ({ ok: true, value: document(revision) }),
  })
  const off = listen()
  patch('slide', { info: slide })
  patch('ui', { app: machine([]), connection: 'online' })
  await refreshProject()
  // Files are looked for with the first.
  await act({ type: 'classes:set', classes: [] })
  window.asked.length = 0
  await act({ type: 'classes:set', classes: [] })
  expect(getState().project.doc).toMatchObject({ revision, classes: [{ id: 'c-1' }] })
  expect(window.asked.map(({ name }) => name).sort()).toEqual(['project:do', 'project:slides'])
  expect(window.asked.find(({ name }) => name === 'project:slides')?.arg).toEqual({ seen: true, keys: [key] })
  off()
})

it('a picture that is made is asked for with the row of its slide alone', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  const window = setUpWindow({})
  const off = listen()
  // Files are looked for with the first.
  window.happens({ type: 'slides:pictured', key })
  await vi.waitFor(() => expect(window.asked.map(({ name }) => name)).toContain('project:slides'))
  window.asked.length = 0
  window.happens({ type: 'slides:pictured', key })
  await vi.waitFor(() => expect(window.asked).toEqual([{ name: 'project:slides', arg: { seen: true, keys: [key] } }]))
  off()
})

it('very many regions and measures come in parts, and are there at once', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  const region = (n: number): RegionOfInterest => ({
    ...{ id: `r${n}`, slide: key, name: '', classId: null, locked: false, madeBy: 'hand' as const, createdAt: '' },
    shape: { kind: 'rectangle', x: n, y: 0, width: 1, height: 1 },
  })
  const measure = (n: number): RegionMeasure => ({ id: `r${n}`, areaPx: n, areaMm2: null, objects: null, runId: null })
  let isGone = true
  const window = setUpWindow({
    'project:state': () => ({ ok: true, value: { ...document(7), regions: [region(0)], places: [0], more: 1 } }),
    'project:measureAll': () => ({ ok: true, value: { measures: [measure(0)], more: 2 } }),
    'project:more': (arg) => {
      const { more, from } = arg as { more: number; from: number }
      if (isGone) {
        // The engine has let go of it: all is asked for anew.
        isGone = false
        return { ok: false, error: { code: 'NOT_FOUND', message: '' } }
      }
      const isLast = from === 2
      if (more === 1) return { ok: true, value: { regions: [{ record: region(from), place: from }], measures: [], isLast } }
      return { ok: true, value: { regions: [], measures: [measure(from)], isLast } }
    },
  })
  patch('slide', { info: slide })
  await refreshProject()
  expect(getState().project.doc?.regions.map(({ id }) => id)).toEqual(['r0', 'r1', 'r2'])
  expect(getState().project.doc?.places).toEqual([0, 1, 2])
  await vi.waitFor(() => expect(getState().project.measures.get('r2')?.areaPx).toBe(2))
  expect(window.asked.filter(({ name }) => name === 'project:state')).toHaveLength(2)
})
