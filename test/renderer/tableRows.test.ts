// What is done to all rows that the table lists, and its rows as a file.
import { afterEach, expect, it, vi } from 'vitest'
import type { TableView } from '../../app/contract'
import { askAmount, mergeRows, reshapeChosen } from '../../renderer/store/objects/reshapeActions'
import { getState, patch } from '../../renderer/store/store'
import { saveRows, stopSaving } from '../../renderer/store/selection/tableFile'
import { cpu, machine, setUpSlide } from './windowFixture'

const column = (key: string) => ({ key, title: key, unit: '' })
const view = (rows: number): TableView => ({
  ...{ view: 7, runId: 'r1', rows, of: 20_000, columns: [column('id'), column('area'), column('x')], classes: [] },
  ...{ statistics: null, perMm2: null, perMm2Tissue: null, histogram: { log: false, low: 0, high: 0, all: [], left: [] } },
})
const list = (rows: number) => patch('table', { open: true, view: view(rows), shown: ['area', 'id'] })
const refused = () => ({ ok: false as const, error: { code: 'INVALID_PARAMETER' as const, message: 'They lie apart.' } })

afterEach(() => vi.unstubAllGlobals())

it('rows are merged, filled and grown as what the view has, not as what is selected on the slide', async () => {
  const asked = setUpSlide(machine([cpu]), { 'object:merge': refused, 'object:reshape': refused })
  askAmount('grow', 'rows')
  expect(getState().ui.dialog).toBeNull()
  list(3)
  askAmount('grow', 'rows')
  expect(getState().ui).toMatchObject({ dialog: 'grow', reshapeOf: 'rows' })
  await reshapeChosen({ type: 'grow', by: 2, unit: 'um' }, 'rows')
  await reshapeChosen({ type: 'fill' })
  await mergeRows()
  expect(asked).toEqual([
    { name: 'object:reshape', arg: { runId: 'r1', choice: { view: 7 }, how: { type: 'grow', by: 2, unit: 'um' } } },
    { name: 'object:merge', arg: { runId: 'r1', choice: { view: 7 } } },
  ])
})

it('a file of the rows comes piece by piece, tells how far it is, and is stopped without one', async () => {
  setUpSlide(machine([cpu]), { 'slide:fileName': () => ({ ok: true, value: 'a' }) })
  const clicked = vi.fn()
  vi.stubGlobal('document', { createElement: () => ({ click: clicked }) })
  const seen: (number | null)[] = []
  const urls: string[] = []
  vi.stubGlobal('fetch', (url: string) => {
    urls.push(url)
    seen.push(getState().table.saving)
    return Promise.resolve(new Response('a,b'))
  })
  list(10_000)
  await saveRows()
  expect(urls).toEqual(['/tile/tabletext/r1/7/0/id.area', '/tile/tabletext/r1/7/8192/id.area'])
  expect(seen).toEqual([0, 0.8192])
  expect([clicked.mock.calls.length, getState().table.saving]).toEqual([1, null])

  vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => {
    stopSaving()
    return Promise.reject(signal.reason as Error)
  })
  await saveRows()
  expect([clicked.mock.calls.length, getState().table.saving]).toEqual([1, null])
})
