// The device that the window computes on: what is chosen, kept and sent, and what the user is told where it is not there.
import { notificationsStore } from '@mantine/notifications'
import { describe, expect, it, vi } from 'vitest'
import type { AppInfo } from '../../app/contract'
import { runCommand } from '../../renderer/store/commands/commands'
import { chooseDevice, goOnWithCpu, runDevice } from '../../renderer/store/runs/deviceActions'
import { deviceInUse, deviceMenu, firstDevice } from '../../renderer/store/slices/deviceSlice'
import { listen } from '../../renderer/store/events'
import { previewNow } from '../../renderer/store/runs/previewActions'
import { segment } from '../../renderer/store/runs/runActions'
import { getState, patch } from '../../renderer/store/store'
import { cpu, gpu, machine, settings, setUpSlide, setUpWindow, status } from './windowFixture'

const noGpu = machine([cpu])
const twoGpus = machine([cpu, gpu(0), gpu(1)])
const chosen = (id: string) => ({ ...firstDevice, chosen: id })
const saved = () => ({ ok: true as const, value: settings })

describe('the device that computes', () => {
  it('is the chosen one where it is there, else the CPU, and the choice stays', () => {
    expect(deviceInUse(firstDevice, twoGpus)).toBe('cpu')
    expect(deviceInUse(chosen('gpu1'), twoGpus)).toBe('gpu1')
    expect(deviceInUse(chosen('gpu1'), machine([cpu, gpu(0)]))).toBe('cpu')
    expect(deviceInUse(chosen('gpu1'), null)).toBe('cpu')
    expect(deviceInUse({ ...chosen('gpu1'), cpuForNow: true }, twoGpus)).toBe('cpu')
  })

  it('is kept in the settings when it is chosen, and not written again when nothing changes', async () => {
    const asked = setUpSlide(twoGpus, { 'settings:set': saved })
    await chooseDevice('gpu1')
    await chooseDevice('gpu1')
    expect(asked).toEqual([{ name: 'settings:set', arg: { device: 'gpu1' } }])
    expect(runDevice()).toBe('gpu1')
    goOnWithCpu()
    expect([runDevice(), getState().device.chosen]).toEqual(['cpu', 'gpu1'])
    // Choosing the same again ends the stay on the CPU.
    await chooseDevice('gpu1')
    expect(runDevice()).toBe('gpu1')
    expect(asked).toHaveLength(1)
  })

  it('holds although it could not be written, which is told', async () => {
    setUpSlide(twoGpus, { 'settings:set': () => ({ ok: false, error: { code: 'OUTPUT_FAILED', message: 'disk full' } }) })
    await chooseDevice('gpu0')
    expect(runDevice()).toBe('gpu0')
    expect(notificationsStore.getState().notifications[0]?.message).toContain('disk full')
  })

  it('is named by runs and previews', async () => {
    const started = () => ({ ok: true as const, value: status({}) })
    const asked = setUpSlide(twoGpus, { 'run:start': started, 'settings:set': saved })
    await chooseDevice('gpu1')
    segment({ x: 0, y: 0, width: 500, height: 500 })
    previewNow()
    await chooseDevice('cpu')
    segment({ x: 0, y: 0, width: 500, height: 500 })
    const runs = asked.filter(({ name }) => name === 'run:start').map(({ arg }) => arg)
    expect(runs).toMatchObject([
      { purpose: 'run', device: 'gpu1' },
      // Whose preview it is, so that it ends no other page's.
      { purpose: 'preview', device: 'gpu1', page: expect.stringMatching(/^[0-9a-f]{16}$/) as string },
      { purpose: 'run', device: 'cpu' },
    ])
  })

  it('takes no result from the screen when it changes', async () => {
    const done = { ok: true as const, value: status({ state: 'done', tilesDone: 4 }) }
    const asked = setUpSlide(twoGpus, { 'run:start': () => done, 'settings:set': saved })
    segment({ x: 0, y: 0, width: 4000, height: 3000 })
    await vi.waitFor(() => expect(getState().runs.stack).toEqual(['r1']))
    const before = getState().runs
    await chooseDevice('gpu0')
    expect(getState().runs).toBe(before)
    expect(asked.filter(({ name }) => name === 'run:start')).toHaveLength(1)
  })
})

describe('a start of the window', () => {
  async function starts(app: AppInfo, device: string): Promise<{ notices: string[]; again: () => Promise<string[]> }> {
    const { connect } = setUpWindow({
      'app:info': () => ({ ok: true, value: app }),
      'recipe:list': () => ({ ok: true, value: [] }),
      'settings:get': () => ({ ok: true, value: { ...settings, device } }),
      'recent:list': () => ({ ok: true, value: [] }),
    })
    const off = listen()
    const notices = async () => {
      await new Promise((resolve) => setTimeout(resolve))
      return notificationsStore.getState().notifications.map(({ message }) => (typeof message === 'string' ? message : ''))
    }
    connect('online')
    return {
      notices: await notices(),
      again: async () => {
        notificationsStore.setState({ ...notificationsStore.getState(), notifications: [] })
        connect('offline')
        connect('online')
        const told = await notices()
        off()
        return told
      },
    }
  }

  it('takes the choice from the settings and says nothing where it is there', async () => {
    const { notices } = await starts(twoGpus, 'gpu1')
    expect(runDevice()).toBe('gpu1')
    expect(notices).toEqual([])
  })

  it('goes on with the CPU where the choice is not there, says so once, and keeps the choice', async () => {
    const { notices, again } = await starts(noGpu, 'gpu1')
    expect(notices).toHaveLength(1)
    expect(notices[0]).toMatch(/This machine does not have gpu1 now \(this machine has no NVIDIA driver\)\. The CPU computes/)
    expect([runDevice(), getState().device.chosen]).toEqual(['cpu', 'gpu1'])
    expect(await again()).toEqual([])
  })

  it('calls the machine of a browser’s window the server', async () => {
    const { notices } = await starts(machine([cpu], 'serve'), 'gpu0')
    expect(notices[0]).toMatch(/^The server does not have gpu0/)
  })
})

describe('the menu of devices', () => {
  it('lists the CPU with its threads and each GPU with its memory, and ticks what computes', () => {
    const { lines, absent, now, hints } = deviceMenu(chosen('gpu1'), twoGpus)
    expect(lines).toEqual([
      { id: 'cpu', label: 'CPU × 8', detail: 'Test CPU, 8 threads', ticked: false },
      { id: 'gpu0', label: 'Test GPU A', detail: 'gpu0, 24.0 GiB', ticked: false },
      { id: 'gpu1', label: 'Test GPU B', detail: 'gpu1, 24.0 GiB', ticked: true },
      { id: 'gpu0,gpu1,cpu', label: 'All together', detail: 'gpu0 + gpu1 + cpu', ticked: false },
    ])
    expect(absent).toEqual([])
    expect(now).toBe('Test GPU B')
    expect(hints.join()).toMatch(/same results.*click on a single object/)
  })

  it('gives the reason where there is no GPU, and the choice that is not there', () => {
    expect(deviceMenu(firstDevice, noGpu)).toMatchObject({
      now: 'CPU × 8',
      lines: [{ id: 'cpu', ticked: true }],
      absent: [{ label: 'No GPU', detail: 'this machine has no NVIDIA driver' }],
      hints: [],
    })
    expect(deviceMenu(chosen('gpu0'), machine([cpu], 'serve'))).toMatchObject({
      title: expect.stringContaining('server') as string,
      lines: [{ id: 'cpu', ticked: true }],
      absent: [
        { label: 'gpu0', detail: expect.stringContaining('the server does not have it now') as string },
        { label: 'No GPU' },
      ],
    })
  })

  it('ticks several that compute together, and goes back to the CPU where one of them is not there', () => {
    const all = deviceMenu(chosen('gpu0,gpu1,cpu'), twoGpus)
    expect([all.now, all.lines.filter(({ ticked }) => ticked).map(({ id }) => id)]).toEqual(['All together', ['gpu0,gpu1,cpu']])
    const some = deviceMenu(chosen('gpu0,gpu1'), twoGpus)
    expect(some.lines.at(-1)).toEqual({ id: 'gpu0,gpu1', label: 'Several together', detail: 'gpu0 + gpu1', ticked: true })
    expect(deviceMenu(chosen('gpu0,gpu7'), twoGpus)).toMatchObject({ now: 'CPU × 8', absent: [{ label: 'gpu0,gpu7' }] })
  })

  it('says why the CPU computes after a GPU failed', () => {
    const menu = deviceMenu({ ...chosen('gpu0'), cpuForNow: true }, twoGpus)
    expect(menu.lines.filter(({ ticked }) => ticked).map(({ id }) => id)).toEqual(['cpu'])
    expect(menu.hints[0]).toMatch(/^gpu0 failed, so the CPU computes until/)
  })

  it('knows no device before the engine has answered', () => {
    expect(deviceMenu(chosen('gpu0'), null)).toMatchObject({ now: 'No device', lines: [], absent: [] })
  })

  it('opens and closes by its command', () => {
    setUpSlide(noGpu, {})
    runCommand('device')
    expect(getState().ui.deviceMenu).toBe(true)
    runCommand('device')
    expect(getState().ui.deviceMenu).toBe(false)
    patch('ui', { deviceMenu: false })
  })
})
