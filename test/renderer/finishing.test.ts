// What Enter and Delete mean while something is selected or drawn, and how a control that was clicked leaves its keys to the page.
import { beforeEach, expect, it, vi } from 'vitest'
import type { DocumentState, ObjectDetails } from '../../app/contract'
import { runCommand } from '../../renderer/store/commands/commands'
import { canFinish } from '../../renderer/store/commands/finishing'
import { isClicked, watchFocus } from '../../renderer/store/base/focusBy'
import { leftOver, type JournalEntry } from '../../renderer/store/slices/interruptedSlice'
import { adviceForNone, deletedWords } from '../../renderer/store/runs/noObjects'
import { answer } from '../../renderer/store/base/questions'
import { getState, patch, update } from '../../renderer/store/store'
import { noSelection } from '../../renderer/store/slices/uiSlice'
import { cpu, machine, setUpSlide, slide, status, type SentCall } from './windowFixture'

const key = '0123456789abcdef0123456789abcdef'
const regionId = '00000000-0000-4000-8000-000000000001'
const region = { id: regionId, slide: key, name: '', classId: null, locked: false, shape: { kind: 'rectangle', x: 0, y: 0, width: 9, height: 9 } } // oxfmt-ignore
const doc = { path: null, name: null, revision: 1, undo: null, redo: null, classes: [], slides: [], runs: [], slide: key, regions: [region], places: [1], recovered: false, trouble: null } as unknown as DocumentState // oxfmt-ignore
const done = { ok: true as const, value: { name: 'Delete 1 object', revision: 2 } }
let asked: SentCall[]
const sent = (name: string): unknown[] => asked.filter((each) => each.name === name).map(({ arg }) => arg)
/** As a click does: the place first, then what is there. */
const selects = (id: number, runId: string | null = 'r1') => {
  const at = { x: id, y: id }
  patch('selection', { at, state: 'busy' })
  update('selection', () => ({
    ...noSelection,
    at,
    object: { id } as ObjectDetails,
    state: 'found',
    source: runId === null ? 'click' : 'run',
    runId,
  }))
}

beforeEach(() => {
  asked = setUpSlide(machine([cpu]), {
    'object:edit': () => done,
    'project:do': () => done,
    'project:state': () => ({ ok: true, value: doc }),
    'project:measure': () => ({ ok: true, value: [] }),
    'project:measureAll': () => ({ ok: true, value: { measures: [] } }),
    'object:count': () => ({ ok: true, value: { objects: 5 } }),
    'run:start': () => ({ ok: true, value: status({ runId: 'r2' }) }),
  })
  patch('project', { doc })
  const run = status({ runId: 'r1', state: 'done', objects: 5, tilesDone: 4 })
  patch('runs', { byId: { r1: run }, stack: ['r1'], activeId: 'r1' })
})

it('deletes what was selected last, and after that nothing that was selected before', async () => {
  patch('project', { selected: [regionId] })
  selects(3)
  runCommand('deleteRegions')
  await vi.waitFor(() => expect(getState().selection.object).toBeNull())
  expect(sent('object:edit')).toEqual([{ runId: 'r1', choice: { ids: [3] }, edit: { type: 'delete' } }])
  runCommand('deleteRegions')
  expect(sent('project:do')).toEqual([])
  // Chosen again, the region is meant.
  patch('project', { selected: [] })
  patch('project', { selected: [regionId] })
  runCommand('deleteRegions')
  await vi.waitFor(() => expect(sent('project:do')).toMatchObject([{ command: { type: 'regions:delete', ids: [regionId] } }]))
  // One that was found at a click is of no result.
  selects(4, null)
  runCommand('deleteRegions')
  expect(sent('object:edit')).toHaveLength(1)
})

it('deletes the last point of what is being drawn before anything that is selected', () => {
  selects(3)
  const points = [0, 1, 2, 3].map((x) => ({ x, y: 0 }))
  patch('project', { tool: 'polygon', drawing: { tool: 'polygon', points, how: 'new' } })
  runCommand('deleteRegions')
  expect(getState().project.drawing?.points.map(({ x }) => x)).toEqual([0, 1, 3])
  // A stroke under way is its pointer's.
  for (const tool of ['brush', 'lasso', 'freehand', 'cut'] as const) {
    patch('project', { tool, drawing: { tool, points, how: 'new' } })
    runCommand('deleteRegions')
    expect(getState().project.drawing?.points).toEqual(points)
  }
  expect(sent('object:edit')).toEqual([])
})

it('ends with Enter what each tool has in hand, and starts no run, whichever tool it is', () => {
  expect(canFinish()).toBe(false)
  const tools = ['rectangle', 'ellipse', 'polygon', 'freehand', 'brush', 'points', 'line', 'polyline', 'lasso', 'cut', 'add', 'redraw', 'ruler'] as const // oxfmt-ignore
  for (const tool of tools) {
    selects(3)
    patch('project', { tool, drawing: null })
    expect(canFinish(), tool).toBe(true)
    runCommand('finish')
    expect(getState().project.tool, tool).toBeNull()
    // What was worked on stays selected.
    expect(getState().selection.object?.id).toBe(3)
  }
  patch('ui', { tool: 'rectangle' })
  runCommand('finish')
  expect(getState().ui.tool).toBe('pan')
  expect(sent('run:start')).toEqual([])
})

it('asks before all objects of a result go, by lasso, and says afterwards that they were deleted', async () => {
  const shape = { kind: 'polygon', parts: [[[[0, 0], [9, 0], [0, 9]]]] } as const // oxfmt-ignore
  const lassoes = (objects: number) => patch('project', { lasso: { runId: 'r1', shape: shape as never, objects } })
  lassoes(5)
  runCommand('deleteRegions')
  expect(getState().ui).toMatchObject({ dialog: 'question', question: { title: 'Delete all 5 objects?' } })
  answer(false)
  expect(sent('object:edit')).toEqual([])
  runCommand('deleteRegions')
  answer(true)
  await vi.waitFor(() => expect(sent('object:edit')).toHaveLength(1))
  // Some of them go unasked.
  lassoes(4)
  runCommand('deleteRegions')
  expect(getState().ui.dialog).toBeNull()
  await vi.waitFor(() => expect(sent('object:edit')).toHaveLength(2))

  const gone = status({ state: 'done', objects: 0, deleted: 3805, tilesDone: 4 })
  expect(deletedWords(gone)).toBe('All 3\u202f805 objects of this result were deleted by hand.')
  expect(adviceForNone(gone, null, false)).toBeNull()
  const none = status({ state: 'done', objects: 0, tilesDone: 4 })
  expect(deletedWords(none)).toBeNull()
  expect(adviceForNone(none, null, false)?.text).toMatch(/^Nothing was found/)
})

it('puts runs of before under a heading that is true of each', () => {
  const entry = (journalId: string, slidePath: string, tilesDone: number) =>
    ({ journalId, slidePath, tilesDone, tilesTotal: 4 }) as JournalEntry
  const entries = [entry('a', slide.path, 4), entry('b', '/b.svs', 2), entry('c', slide.path, 1), entry('d', '/b.svs', 4)]
  expect(leftOver(entries, slide.path).map(({ title, entries: own }) => [title, own.map(({ journalId }) => journalId)])).toEqual([
    ['Done, not exported', ['a']],
    ['Interrupted', ['c']],
    ['Done on other slides, not exported', ['d']],
    ['Interrupted on other slides', ['b']],
  ])
})

it('knows a control that a pointer pressed from one that keys went to', async () => {
  const page = new EventTarget()
  const off = watchFocus(page)
  const button = {}
  const tells = (type: string, target: object = page) => {
    const event = new Event(type)
    Object.defineProperty(event, 'target', { value: target })
    page.dispatchEvent(event)
  }
  const turn = () => new Promise((resolve) => setTimeout(resolve, 5))
  // A reader that is asked for by no key and no pointer counts as keys.
  tells('focusin', button)
  expect(isClicked(button as EventTarget)).toBe(false)
  tells('pointerdown')
  tells('focusin', button)
  tells('pointerup')
  await turn()
  expect(isClicked(button as EventTarget)).toBe(true)
  // A menu that closes gives it back: it is as it was.
  tells('focusin', button)
  expect(isClicked(button as EventTarget)).toBe(true)
  tells('keydown')
  tells('focusin', button)
  expect(isClicked(button as EventTarget)).toBe(false)
  off()
})
