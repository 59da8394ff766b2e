// A run that a GPU fails: the notice's one button starts it on the CPU. And the menu of devices as the page draws it.
import { MantineProvider } from '@mantine/core'
import { notificationsStore, type NotificationData } from '@mantine/notifications'
import { isValidElement, type ReactElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../app/contract'
import { DeviceMenuView } from '../../renderer/panels/DeviceMenu'
import { deviceMenu, firstDevice } from '../../renderer/store/slices/deviceSlice'
import { memoryMenu } from '../../renderer/store/base/memoryChoice'
import { chooseDevice, runDevice } from '../../renderer/store/runs/deviceActions'
import '../../renderer/store/engine/engineActions'
import type { Remedy } from '../../renderer/store/base/notify'
import { previewNow } from '../../renderer/store/runs/previewActions'
import { segment } from '../../renderer/store/runs/runActions'
import { ended } from '../../renderer/store/runs/runEnds'
import { answer } from '../../renderer/store/base/questions'
import { upsertStatus } from '../../renderer/store/slices/runSlice'
import { getState, patch, update } from '../../renderer/store/store'
import { cpu, gpu, machine, settings, setUpSlide, slide, status, type SentCall } from './windowFixture'

const withGpu = machine([cpu, gpu(0)])
const markup = (node: ReactNode): string => renderToStaticMarkup(<MantineProvider>{node}</MantineProvider>)
const notices = (): NotificationData[] => notificationsStore.getState().notifications
const answered = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** Presses a button of the one notice. A lost GPU has two: its engine can be replaced. */
function press(button = 'run-on-cpu'): void {
  expect(notices()).toHaveLength(1)
  const message = notices()[0]!.message
  if (!isValidElement(message)) throw new Error('the notice has no button')
  const { remedies } = (message as ReactElement<{ remedies: Remedy[] }>).props
  expect(remedies.map(({ testId }) => testId)).toEqual(
    gpuFails === 'GPU_LOST' || wasLost ? ['run-on-cpu', 'restart-and-run'] : ['run-on-cpu'],
  )
  expect(markup(message).match(/<button/g)).toHaveLength(remedies.length)
  expect(markup(message)).toContain('Run on the CPU')
  remedies.find(({ testId }) => testId === button)!.act()
}

let asked: SentCall[]
/** How the engine answers the next runs on a GPU. */
let gpuFails: ErrorCode | null
/** A run was lost underway. */
let wasLost = false
const runs = () => asked.filter(({ name }) => name === 'run:start').map(({ arg }) => arg)

beforeEach(async () => {
  gpuFails = null
  wasLost = false
  let count = 0
  asked = setUpSlide(withGpu, {
    'settings:set': () => ({ ok: true, value: settings }),
    'engine:restart': () => ({ ok: true, value: null }),
    'run:start': (arg) => {
      const { device, purpose } = arg as { device: string; purpose: 'run' | 'preview' }
      if (gpuFails && device !== 'cpu') return { ok: false, error: { code: gpuFails, message: `${device} failed.` } }
      return { ok: true, value: status({ runId: `r${++count}`, purpose }) }
    },
  })
  await chooseDevice('gpu0')
})

describe('a run that a GPU fails', () => {
  it.each(['GPU_UNAVAILABLE', 'GPU_LOST', 'GPU_OUT_OF_MEMORY'] as const)(
    'is started on the CPU by one button: %s',
    async (code) => {
      gpuFails = code
      segment('whole', true)
      await answered()
      press()
      await answered()
      expect(runs()).toMatchObject([
        { region: 'whole', purpose: 'run', device: 'gpu0' },
        { region: 'whole', purpose: 'run', device: 'cpu' },
      ])
      expect(notices()).toEqual([])
      // The window stays on the CPU, and the choice is kept.
      expect([runDevice(), getState().device.chosen]).toEqual(['cpu', 'gpu0'])
      expect(asked.filter(({ name }) => name === 'settings:set')).toHaveLength(1)
    },
  )

  it('offers it too where it failed underway, for the very region that was asked for', async () => {
    const region = { x: 10, y: 20, width: 301, height: 303 }
    segment(region)
    await answered()
    wasLost = true
    const cut = { x: 10, y: 20, width: 302, height: 304 }
    ended(
      status({ runId: 'r1', state: 'failed', tilesDone: 1, region: cut, error: { code: 'GPU_LOST', message: 'gpu0 is lost.' } }),
    )
    press()
    await answered()
    expect(runs()[1]).toMatchObject({ region, purpose: 'run', device: 'cpu' })
  })

  it('offers to replace the engine whose GPU is lost, and runs again on the GPU', async () => {
    gpuFails = 'GPU_LOST'
    segment('whole', true)
    await answered()
    press('restart-and-run')
    gpuFails = null
    await answered()
    await answered()
    expect(asked.map(({ name }) => name).filter((name) => name === 'engine:restart')).toHaveLength(1)
    expect(runs()).toMatchObject([
      { region: 'whole', purpose: 'run', device: 'gpu0' },
      { region: 'whole', purpose: 'run', device: 'gpu0' },
    ])
  })

  it('asks before it replaces an engine that holds results', async () => {
    segment({ x: 0, y: 0, width: 100, height: 100 })
    await answered()
    update('runs', (state) => upsertStatus(state, status({ runId: 'r1', state: 'done', tilesDone: 4, objects: 7 })))
    gpuFails = 'GPU_LOST'
    segment('whole', true)
    await answered()
    press('restart-and-run')
    expect(asked.some(({ name }) => name === 'engine:restart')).toBe(false)
    expect(getState().ui.question?.text).toContain('7 objects')
    answer(true)
    await answered()
    expect(asked.some(({ name }) => name === 'engine:restart')).toBe(true)
  })

  it('previews on the CPU again what was a preview', async () => {
    gpuFails = 'GPU_OUT_OF_MEMORY'
    previewNow()
    await answered()
    press()
    await answered()
    expect(runs()).toMatchObject([
      { purpose: 'preview', device: 'gpu0' },
      { purpose: 'preview', device: 'cpu' },
    ])
  })

  it('has one notice, whose button means the newest failure', async () => {
    gpuFails = 'GPU_LOST'
    const newest = { x: 5, y: 5, width: 50, height: 60 }
    segment({ x: 0, y: 0, width: 100, height: 100 })
    await answered()
    segment(newest)
    await answered()
    press()
    await answered()
    expect(runs().at(-1)).toMatchObject({ region: newest, device: 'cpu' })
  })

  it('starts nothing on another slide', async () => {
    gpuFails = 'GPU_LOST'
    segment('whole', true)
    await answered()
    patch('slide', { info: { ...slide, slideId: 's2', path: '/b.svs' } })
    press()
    await answered()
    expect(runs()).toHaveLength(1)
    expect(runDevice()).toBe('cpu')
  })

  it('leaves its notice when a device is chosen', async () => {
    gpuFails = 'GPU_LOST'
    segment('whole', true)
    await answered()
    expect(notices()).toHaveLength(1)
    await chooseDevice('cpu')
    expect(notices()).toEqual([])
  })

  it('has no such button where a GPU is not the reason', async () => {
    gpuFails = 'OUT_OF_MEMORY'
    segment('whole', true)
    await answered()
    expect(notices()).toHaveLength(1)
    expect(markup(notices()[0]!.message)).not.toContain('<button')
  })
})

describe('the drawn menu', () => {
  const drawn = (app: typeof withGpu, chosen = 'cpu', memoryMiB = 0): string =>
    markup(
      <DeviceMenuView
        menu={deviceMenu({ ...firstDevice, chosen }, app)}
        memory={memoryMenu({ memoryMiB }, app)}
        opened
        onOpened={() => undefined}
        onChoose={() => undefined}
        onChooseMemory={() => undefined}
        withinPortal={false}
      />,
    )
  const radios = (html: string, of: 'device' | 'memory' = 'device'): string[] =>
    [...html.matchAll(/<button[^>]*role="menuitemradio"[^>]*>/g)]
      .filter(([tag]) => tag.includes(`data-testid="${of}-`))
      .map(([tag]) => /aria-checked="(\w+)"/.exec(tag)?.[1] ?? '')

  it('has an item for each device and one for all together, the computing one ticked', () => {
    const html = drawn(withGpu, 'gpu0')
    expect(radios(html)).toEqual(['false', 'true', 'false'])
    expect(html).toContain('gpu0 + cpu')
    expect(html).toContain('Test CPU, 8 threads')
    expect(html).toContain('gpu0, 24.0 GiB')
    expect(html).not.toContain('No GPU')
    expect(html).toMatch(/aria-label="Test GPU A computes\. Choose what computes"/)
  })

  it('has an item for each limit of memory, what is kept ticked, one that was set elsewhere too', () => {
    expect(radios(drawn(withGpu), 'memory')).toEqual(['true', 'false', 'false', 'false', 'false', 'false'])
    expect(radios(drawn(withGpu, 'cpu', 4096), 'memory')).toEqual(['false', 'false', 'false', 'true', 'false', 'false'])
    const html = drawn(withGpu, 'cpu', 1536)
    expect(radios(html, 'memory')).toEqual(['false', 'false', 'true', 'false', 'false', 'false', 'false'])
    expect(html).toContain('Up to 1.5 GiB')
  })

  it('tells in a disabled line why there is no GPU', () => {
    const html = drawn(machine([cpu]))
    expect(radios(html)).toEqual(['true'])
    expect(html).toMatch(/<button[^>]*disabled=""[^>]*>.*No GPU.*this machine has no NVIDIA driver/)
  })
})
