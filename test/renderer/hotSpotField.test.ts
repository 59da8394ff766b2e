// The field of the hot spot: two values typed one after the other are both kept, though the first is not written yet.
import { expect, it } from 'vitest'
import type { Settings } from '../../app/contract'
import { setHotSpotField } from '../../renderer/store/objects/hotSpotActions'
import { getState } from '../../renderer/store/store'
import { cpu, machine, settings, setUpSlide } from './windowFixture'

it('keeps both values that were typed in haste', async () => {
  let kept: Settings = settings
  const asked = setUpSlide(machine([cpu]), {
    'settings:set': (change) => ({ ok: true, value: (kept = { ...kept, ...(change as Partial<Settings>) }) }),
  })
  await Promise.all([setHotSpotField({ diameterUm: 200 }), setHotSpotField({ leastObjects: 30 })])
  expect(asked.map(({ arg }) => arg)).toEqual([
    { hotSpot: { diameterUm: 200, leastObjects: 100 } },
    { hotSpot: { diameterUm: 200, leastObjects: 30 } },
  ])
  expect(getState().ui.settings?.hotSpot).toEqual({ diameterUm: 200, leastObjects: 30 })
})
