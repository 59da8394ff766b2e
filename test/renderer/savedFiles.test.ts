// Files that the page makes by itself: what they are called is the engine's to say, so that a pseudonym holds here too.
import { notificationsStore } from '@mantine/notifications'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Result } from '../../app/contract'
import { saveText } from '../../renderer/store/base/saveText'
import { machine, setUpSlide, type SentCall } from './windowFixture'

let downloads: string[]
let asked: SentCall[]
let answer: Result<string>

beforeEach(() => {
  downloads = []
  answer = { ok: true, value: 'slide-0123456789abcdef' }
  asked = setUpSlide(machine([]), { 'slide:fileName': () => answer })
  const link = { href: '', download: '', click: () => void downloads.push(link.download) }
  vi.stubGlobal('document', { createElement: () => link })
  vi.stubGlobal('URL', { createObjectURL: () => 'blob:a', revokeObjectURL: () => undefined })
})
afterEach(() => void vi.unstubAllGlobals())

it('has the name that the engine gives, and never the slide’s own', async () => {
  await saveText('regions.geojson', 'application/geo+json', '{}')
  expect(downloads).toEqual(['slide-0123456789abcdef-regions.geojson'])
  expect(asked.find(({ name }) => name === 'slide:fileName')?.arg).toEqual({ slideId: 's1' })
})
it('has the name that was given, where the file is no slide’s', async () => {
  await saveText('summary.csv', 'text/csv', 'a\n', 'Study')
  expect(downloads).toEqual(['Study-summary.csv'])
})
it('is not saved under a guess where the engine does not say', async () => {
  answer = { ok: false, error: { code: 'ENGINE_LOST', message: 'The engine ended.' } }
  await saveText('timeline.csv', 'text/csv', 'a\n')
  expect(downloads).toEqual([])
  expect(notificationsStore.getState().notifications.map(({ title }) => title)).toHaveLength(1)
})
