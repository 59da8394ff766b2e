// What the window says of its engine, from the first moment on: that it starts, why it is not there, and never that it is ready before it is.
import { notificationsStore } from '@mantine/notifications'
import { beforeEach, expect, it, vi } from 'vitest'
import type { AppError, AppEvent, Result } from '../../app/contract'
import { engineState, engineWords } from '../../renderer/store/engine/engineState'
import { listen } from '../../renderer/store/events'
import { previewNow } from '../../renderer/store/runs/previewActions'
import { setSpecs } from '../../renderer/store/slices/recipeSlice'
import { getState, patch, update } from '../../renderer/store/store'
import { spec } from './recipeFixture'
import { cpu, machine, settings, setUpWindow, slide } from './windowFixture'

const words = () => engineWords[engineState(getState())]
const message = 'There is no Node in PATH. Install Node, and start Morphoscope again.'
let why: AppError
const noEngine = (): Result<never> => ({ ok: false, error: why })
const lost = (restarted: boolean): AppEvent => ({
  type: 'engine:lost',
  message: restarted ? 'The engine was started again.' : 'The engine stopped 3 times in a row.',
  restarted,
  reopen: false,
  canRestart: !restarted,
})

let isThere = false
function begins(more: Parameters<typeof setUpWindow>[0] = {}) {
  const from =
    <T>(value: T) =>
    (): Result<T> =>
      isThere ? { ok: true, value } : noEngine()
  const window = setUpWindow({
    'app:info': from(machine([cpu])),
    'recipe:list': from([]),
    'settings:get': from(settings),
    'recent:list': from([]),
    'slide:open': from(slide),
    ...more,
  })
  const off = listen()
  return { ...window, off }
}

beforeEach(() => {
  isThere = false
  why = { code: 'NATIVE_UNAVAILABLE', message }
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
})

it('says that the engine starts until it has answered, and only then that it is ready', async () => {
  isThere = true
  const { connect, off } = begins()
  expect(words()).toBe('Engine connecting')
  connect('online')
  expect(words()).toBe('Engine starting')
  await vi.waitFor(() => expect(words()).toBe('Engine ready'))
  off()
})

it('says once that no engine could start, why, and what to do; one that starts later is begun with', async () => {
  const { connect, happens, off } = begins()
  connect('online')
  await vi.waitFor(() => expect(words()).toBe('Engine not started: what to do'))
  expect(getState().ui.banner).toMatchObject({ message: `The engine could not start. ${message}`, canRestart: true })
  expect(notificationsStore.getState().notifications).toEqual([])
  // Dismissed, it is no more there than before.
  patch('ui', { banner: null })
  expect(words()).toBe('Engine not started: what to do')
  isThere = true
  happens(lost(true))
  await vi.waitFor(() => expect(words()).toBe('Engine ready'))
  expect(getState().ui).toMatchObject({ banner: null, engineGone: null, settings })
  off()
})

it('offers a restart where the engine was given up before this page was there, and where it came back after that', async () => {
  const given = 'The engine stopped 3 times in a row and is not started again by itself.'
  why = { code: 'ENGINE_LOST', message: given }
  const { connect, off } = begins()
  connect('online')
  await vi.waitFor(() => expect(getState().ui.banner).toMatchObject({ message: given, canRestart: true }))
  off()
  isThere = true
  const again = begins()
  again.connect('online')
  await vi.waitFor(() => expect(words()).toBe('Engine ready'))
  patch('slide', { info: slide })
  again.connect('offline')
  isThere = false
  again.connect('online')
  await vi.waitFor(() => expect(words()).toBe('Engine stopped: what to do'))
  expect(getState().ui.banner).toMatchObject({ message: given, canRestart: true })
  again.off()
})

it('asks again for a preview whose answer went with the connection', async () => {
  isThere = true
  let lastAsked: unknown
  const { connect, off } = begins({
    'run:start': (arg) => {
      lastAsked = arg
      return { ok: false, error: { code: 'ENGINE_LOST', message: 'gone' } }
    },
    'slide:close': () => ({ ok: true, value: null }),
  })
  connect('online')
  await vi.waitFor(() => expect(words()).toBe('Engine ready'))
  patch('slide', { info: slide })
  patch('ui', { view: { center: { x: 500, y: 400 }, zoom: 1, rotation: 0, flipped: false, width: 800, height: 600 } })
  update('recipe', (recipe) => setSpecs(recipe, [spec], spec.id))
  previewNow()
  expect(lastAsked).toMatchObject({ purpose: 'preview' })
  connect('offline')
  lastAsked = null
  connect('online')
  await vi.waitFor(() => expect(lastAsked).toMatchObject({ purpose: 'preview' }), 2000)
  off()
})

it('does not call an engine ready that stopped for good, whose banner was dismissed', async () => {
  isThere = true
  const { connect, happens, off } = begins()
  connect('online')
  await vi.waitFor(() => expect(words()).toBe('Engine ready'))
  happens(lost(false))
  patch('ui', { banner: null })
  expect(words()).toBe('Engine stopped: what to do')
  happens(lost(true))
  expect(words()).toBe('Engine restarted')
  off()
})
