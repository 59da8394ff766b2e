// Exports as the window drives them: an answer frees the dialog, a cancel always does, and what was chosen is remembered.
import { notificationsStore } from '@mantine/notifications'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AppInfo, ExportRequest, ExportResult, Result } from '../../app/contract'
import {
  cancelExport,
  cancelPatienceMs,
  closeExport,
  filesInTheWay,
  replaceFiles,
  startExport,
  stepsAfter,
} from '../../renderer/store/runs/exportActions'
import { getState, patch } from '../../renderer/store/store'
import { exportProgressed, noExport } from '../../renderer/store/slices/uiSlice'
import { machine, settings, setUpSlide, type SentCall } from './windowFixture'

const request: ExportRequest = { runId: 'r1-abcdef', directory: '/out', files: ['run.json'], ownFolder: true }
const written: ExportResult = {
  cancelled: false,
  directory: '/out/a_plain_2026-11-22',
  files: [{ name: 'run.json', path: '/out/a_plain_2026-11-22/run.json', bytes: 10, sha256: '' }],
  warnings: ['the slide is gone: no checksum'],
  slideName: 'a.svs',
}

let asked: SentCall[]
/** Answers the export that waits. */
let answer: (result: Result<ExportResult>) => void
const notices = (): unknown[] => notificationsStore.getState().notifications.map(({ message }) => message)
const exportsAsked = () => asked.filter(({ name }) => name === 'export:start').map(({ arg }) => arg)

beforeEach(() => {
  vi.useFakeTimers()
  asked = setUpSlide(machine([]), {
    'export:start': () => new Promise<Result<ExportResult>>((resolve) => (answer = resolve)) as never,
    'export:open': () => ({ ok: true, value: null }),
    'export:show': () => ({ ok: true, value: null }),
    'export:cancel': () => ({ ok: true, value: null }),
    'settings:set': (arg) => ({ ok: true, value: { ...settings, ...(arg as object) } }),
  })
  patch('ui', { settings, dialog: 'export' })
})
afterEach(() => void vi.useRealTimers())

describe('an export', () => {
  it('says what is left of the file that is written, once somebody can say', () => {
    const first = exportProgressed(noExport, 'objects.csv', 0, 5000)
    expect(first).toMatchObject({ file: 'objects.csv', fraction: 0, fileLeftMs: null })
    const soon = exportProgressed(first, 'objects.csv', 0.5, 5900)
    expect(soon.fileLeftMs).toBeNull()
    const later = exportProgressed(soon, 'objects.csv', 0.75, 8000)
    expect(later.fileLeftMs).toBeCloseTo(1000)
    expect(exportProgressed(later, 'run.json', 0.9, 8100).fileLeftMs).toBeNull()
  })

  it('shows what was written, and keeps its folder for this session and the next start', async () => {
    const done = startExport(request)
    expect(getState().exporting).toMatchObject({ running: true, runId: 'r1-abcdef' })
    answer({ ok: true, value: written })
    await done
    await vi.runAllTimersAsync()
    expect(getState().exporting).toMatchObject({ running: false, result: written, error: null })
    expect(getState().ui.settings?.exportDirectory).toBe('/out')
    expect(asked).toContainEqual({ name: 'settings:set', arg: { exportDirectory: '/out' } })
    closeExport()
    expect(getState().exporting).toEqual(noExport)
  })

  it('that cannot start says why and frees the dialog; its folder is not remembered', async () => {
    const error = { code: 'OUTPUT_FAILED', message: 'The folder /proc/x cannot be made.' } as const
    const done = startExport(request)
    answer({ ok: false, error })
    await done
    expect(getState().exporting).toMatchObject({ running: false, error, result: null })
    expect(asked.some(({ name }) => name === 'settings:set')).toBe(false)
    const again = startExport({ ...request, directory: '/other' })
    answer({ ok: true, value: written })
    await again
    expect(getState().exporting).toMatchObject({ result: written, error: null })
  })

  it('is free after a cancel even where the engine never answers; what came of it is told when it does', async () => {
    const done = startExport(request)
    await cancelExport()
    expect(getState().exporting).toMatchObject({ running: true, cancelling: true })
    await vi.advanceTimersByTimeAsync(cancelPatienceMs)
    expect(getState().exporting).toMatchObject({ running: false, cancelling: false })
    expect(getState().exporting.error?.message).toContain('not answered')
    const late = answer
    // Another export does not wait for it.
    const other = startExport({ ...request, directory: '/other' })
    late({ ok: true, value: written })
    await done
    expect(getState().exporting).toMatchObject({ running: true, asked: { directory: '/other' } })
    expect(notices()).toEqual([`Written to ${written.directory}. ${written.warnings[0]}`])
    answer({ ok: true, value: { ...written, cancelled: true, files: [] } })
    await other
    expect(getState().exporting.result?.cancelled).toBe(true)
  })

  it('asks which files may be replaced, and replaces them when told to', async () => {
    const done = startExport(request)
    answer({
      ok: false,
      error: {
        code: 'OUTPUT_EXISTS',
        message:
          "objects.csv and overlay.png are in /out/run.json already, and no earlier export's run.json names them as written there and unchanged.",
        files: ['objects.csv', 'overlay.png'],
      },
    })
    await done
    expect(filesInTheWay(getState().exporting.error)).toEqual(['objects.csv', 'overlay.png'])
    replaceFiles()
    expect(exportsAsked()).toEqual([request, { ...request, overwrite: true }])
  })

  it('that ends while its dialog is closed is told by a notice', async () => {
    const done = startExport(request)
    closeExport()
    expect(getState().exporting.running).toBe(true)
    answer({ ok: true, value: written })
    await done
    expect(notices()).toEqual([`Written to ${written.directory}. ${written.warnings[0]}`])
  })

  it('is followed by its report, opened, and its folder on the desktop; in a browser by the report’s path', () => {
    const report = { ...written.files[0]!, name: 'report.html', path: '/out/a_plain_2026-11-22/report.html' }
    const withReport = { ...written, files: [written.files[0]!, report] }
    const labels = (result: ExportResult) => stepsAfter(result).map(({ label }) => label)
    patch('ui', { app: { dialogs: true } as AppInfo })
    expect(labels(written)).toEqual(['Show in folder'])
    expect(labels(withReport)).toEqual(['Open report', 'Show in folder'])
    for (const { act } of stepsAfter(withReport)) act()
    expect(asked.filter(({ name }) => name.startsWith('export:'))).toEqual([
      { name: 'export:open', arg: { path: report.path } },
      { name: 'export:show', arg: { path: report.path } },
    ])
    patch('ui', { app: { dialogs: false } as AppInfo })
    expect(labels(written)).toEqual([])
    expect(labels(withReport)).toEqual(['Copy the report’s path'])
  })
})
