// report.pdf: the report's page printed by the shell, all or nothing with the other files, and refused where nothing prints.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ExportRequest, exportFiles, usualExportFiles, writableExportFiles } from '../../../app/contract'
import type { ExportFile } from '../../../app/contract'
import { exportRun } from '../../../main/export/exportRun'
import type { ExportTools } from '../../../main/export/exportRun'
import { drawn, madeRun, madeTools } from './madeRun'

let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-pdf-'))))
afterEach(async () => await rm(directory, { recursive: true, force: true }))

const run = madeRun({ objects: [drawn(['##', '##'], 5, 6)], name: 'Jane Doe.svs' })
const exporting = (
  print: ExportTools['print'],
  files: ExportFile[] = ['report.pdf'],
  signal: AbortSignal = new AbortController().signal,
) => exportRun(run, { directory, files }, { ...madeTools, print }, () => undefined, signal)

it('is asked for by name, is not among the usual files, and is offered only where the shell prints', () => {
  expect(ExportRequest.safeParse({ runId: 'r1-0a9f3c', directory: '/d', files: [...exportFiles] }).success).toBe(true)
  expect(usualExportFiles).not.toContain('report.pdf')
  expect(writableExportFiles(true)).toEqual(exportFiles)
  expect(writableExportFiles(false)).toEqual(exportFiles.filter((name) => name !== 'report.pdf'))
})

it('is what the shell makes of report.html, which names the slide by a pseudonym', async () => {
  const pages: string[] = []
  const print = async (page: string) => {
    pages.push(page)
    return Buffer.from('%PDF-1.7 made')
  }
  const { files } = await exporting(print, ['report.html', 'report.pdf', 'run.json'])
  expect(files.map(({ name }) => name)).toEqual(['report.html', 'report.pdf', 'run.json'])
  expect(await readFile(join(directory, 'report.pdf'), 'utf8')).toBe('%PDF-1.7 made')
  expect(pages).toEqual([await readFile(join(directory, 'report.html'), 'utf8')])
  expect(pages[0]).toMatch(/<title>slide-[0-9a-f]{16}: H&amp;E<\/title>/)
  expect(pages[0]).not.toContain('Jane')
  const record = JSON.parse(await readFile(join(directory, 'run.json'), 'utf8')) as { files: object }
  expect(JSON.stringify(record)).toContain('report.pdf')
})

it('is refused before anything is written where nothing prints', async () => {
  await expect(exporting(undefined, ['objects.csv', 'report.pdf'])).rejects.toMatchObject({
    code: 'INVALID_PARAMETER',
    message: expect.stringMatching(/desktop app.*Export report\.html/) as string,
  })
  expect(await readdir(directory)).toEqual([])
})

it('takes the whole export with it where it cannot be printed, or is no PDF', async () => {
  const broken = () => Promise.reject(new Error('printing took longer than a minute'))
  await expect(exporting(broken, ['objects.csv', 'report.pdf'])).rejects.toMatchObject({
    code: 'OUTPUT_FAILED',
    message: 'report.pdf could not be printed: printing took longer than a minute.',
  })
  await expect(exporting(async () => Buffer.from('<html>'))).rejects.toMatchObject({ code: 'OUTPUT_FAILED' })
  expect(await readdir(directory)).toEqual([])
  const stop = new AbortController()
  const cancelled = exporting(
    (_page, signal) => {
      stop.abort(new Error('cancelled'))
      return Promise.reject(signal.reason as Error)
    },
    ['report.pdf'],
    stop.signal,
  )
  await expect(cancelled).rejects.toThrow('cancelled')
})
