// The limit of memory that the window's runs have: what the menu offers, what is kept, and what is said where it cannot be.
import { notificationsStore } from '@mantine/notifications'
import { describe, expect, it } from 'vitest'
import { Settings } from '../../app/contract'
import { chooseMemory, memoryMenu } from '../../renderer/store/base/memoryChoice'
import { getState } from '../../renderer/store/store'
import { cpu, machine, settings, setUpSlide } from './windowFixture'

describe('the memory of runs', () => {
  it('is offered in steps that the settings take, the kept one ticked', () => {
    const { title, lines } = memoryMenu({ memoryMiB: 2048 }, machine([cpu]))
    expect(title).toBe('Memory for runs')
    expect(lines.filter(({ ticked }) => ticked).map(({ label }) => label)).toEqual(['Up to 2 GiB'])
    expect(lines[0]).toMatchObject({ mib: 0, label: 'Automatic' })
    for (const { mib } of lines) expect(Settings.shape.memoryMiB.safeParse(mib).success).toBe(true)
    expect(memoryMenu({ memoryMiB: 700 }, null).lines.map(({ label }) => label)[1]).toBe('Up to 0.68 GiB')
    expect(memoryMenu(null, machine([cpu], 'serve'))).toMatchObject({ title: expect.stringContaining('server') as string })
  })

  it('is kept in the settings, and shown as it was kept', async () => {
    const asked = setUpSlide(machine([cpu]), {
      'settings:set': (change) => ({ ok: true, value: { ...settings, ...(change as object) } }),
    })
    await chooseMemory(4096)
    expect(asked).toEqual([{ name: 'settings:set', arg: { memoryMiB: 4096 } }])
    expect(memoryMenu(getState().ui.settings, null).lines.find(({ ticked }) => ticked)?.mib).toBe(4096)
  })

  it('stays what it was where it could not be written, which is told', async () => {
    setUpSlide(machine([cpu]), { 'settings:set': () => ({ ok: false, error: { code: 'OUTPUT_FAILED', message: 'disk full' } }) })
    await chooseMemory(1024)
    expect(memoryMenu(getState().ui.settings, null).lines.find(({ ticked }) => ticked)?.mib).toBe(0)
    expect(notificationsStore.getState().notifications[0]?.message).toContain('disk full')
  })
})
