// report.html: what a reader finds on it, that nothing foreign gets out of its place, and that it needs and names nothing else.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ExportRunRequest } from '../../../main/export/exporter'
import { exportRun } from '../../../main/export/exportRun'
import type { ExportTools } from '../../../main/export/exportRun'
import { denseCell } from '../../../main/export/report/pictures'
import { barLength, escaped, html, numberText } from '../../../main/export/report/markup'
import type { RunResult } from '../../../main/run/objects/result'
import { drawn, madeRun, madeTools } from './madeRun'

let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-report-'))))
afterEach(async () => await rm(directory, { recursive: true, force: true }))

async function page(run: RunResult, more: Partial<ExportRunRequest> = {}, tools: ExportTools = madeTools): Promise<string> {
  const request = { directory, files: ['report.html' as const], overwrite: true, ...more }
  const { warnings } = await exportRun(run, request, tools, () => undefined, new AbortController().signal)
  expect(warnings.filter((each) => !each.includes('report'))).toEqual([])
  return readFile(join(directory, 'report.html'), 'utf8')
}
const words = (text: string): string => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

const squares = [drawn(['##', '##'], 5, 6), drawn(['###', '###'], 12, 6), drawn(['####'], 3, 14)]
const positive = { id: 'positive', label: 'Positive', color: [200, 80, 0] as [number, number, number] }
const negative = { id: 'negative', label: 'Negative', color: [0, 80, 200] as [number, number, number] }

it('has counts, density, positive share, a region a row, pictures with scale bars, histograms, the recipe and the timings', async () => {
  const run = madeRun({
    objects: squares,
    region: { x: 0, y: 0, width: 400, height: 300 },
    status: {
      tissue: { megapixels: 0.03, mm2: 0.002, glassTiles: 0 },
      classes: [
        { ...positive, objects: 1 },
        { ...negative, objects: 3 },
      ],
    },
  })
  const id = '00000000-0000-0000-0000-000000000001'
  const measure = {
    id,
    areaPx: 4000,
    areaMm2: 0.004,
    analysedMm2: 0.004,
    tissueMm2: 0.002,
    objects: 2,
    runId: 'r1',
    classes: [{ ...positive, objects: 2 }],
  }
  const counted = (points: number) => ({ id, areaPx: 0, areaMm2: null, objects: null, points, runId: null })
  const text = await page(run, {
    regions: [
      { name: 'Points', className: null, measure: counted(3) },
      {
        name: 'Front <b>',
        className: 'Tumor',
        color: '#d55e00',
        shape: { kind: 'rectangle', x: 40, y: 20, width: 100, height: 40 },
        measure,
        hotSpot: {
          ...{ diameterUm: 500, leastObjects: 2, x: 90, y: 40, objects: 4 },
          classes: [
            { id: 'positive', label: 'Positive', objects: 1 },
            { id: 'negative', label: 'Negative', objects: 3 },
          ],
        },
      },
      { name: 'Mitoses', className: 'Other', measure: counted(1) },
    ],
  })
  const seen = words(text)
  expect(seen).toContain('3 objects')
  // 400 × 300 px of 0.25 µm, and what of it is tissue.
  expect(seen).toContain('400 per mm² of area 1,500 per mm² of tissue')
  expect(seen).toContain('25.0 % (4.6 to 69.9 %) Positive (95 % interval)')
  expect(seen).toMatch(/Positive 1 25\.0 % 4\.6 to 69\.9 % Negative 3 75\.0 % 30\.1 to 95\.4 %/)
  expect(seen).toMatch(
    /Front &lt;b&gt; Tumor 0\.004 mm² 0\.002 mm² 2 500 1,000 Positive \(95 % interval\) 100\.0 % \(34\.2 to 100\.0 %\)/,
  )
  expect(seen).toMatch(/Points counted by hand Points Class Count Share Points .{0,2} ?3 75\.0 % Mitoses Other 1 25\.0 %/)
  expect(seen).toMatch(/Cut-offs Hot spot .* 25\.0 % \(4\.6 to 69\.9 %\) of 4 Hot spot: of the circles of 500 µm the one/)
  // What the share is of, and the cut-offs, stand with it.
  expect(seen).toContain(
    '25.0 % (4.6 to 69.9 %) Positive (95 % interval) of 4 classified objects: 1 Positive, 3 Negative Cut-offs: classes set by hand',
  )
  // The region of interest is drawn by its corners, 400 px of level 0 shown px by px; on the overview too.
  expect(text).toContain('M40 20L140 20L140 60L40 60Z')
  expect(text.match(/stroke="#d55e00"/g)).toHaveLength(2)
  expect(text.match(/>Front &lt;b&gt;<\/text\s*>/g)).toHaveLength(2)
  // A reader's order: the answer, its picture, the regions, how values are spread, then what it was made with.
  const order = [
    'Slide size',
    '<h2>Result',
    'The examined field',
    'By region',
    'Histogram',
    'Q1',
    'Recipe:',
    'How it was computed',
    'Versions',
  ]
  const places = order.map((each) => text.indexOf(each))
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(places).not.toContain(-1)
  // The slide with the region's frame, and the region; no larger one shows less.
  expect(text.match(/data:image\/jpeg;base64,/g)).toHaveLength(2)
  expect(text.match(/the scale bar is/g)).toHaveLength(2)
  expect(text.match(/class="histogram"/g)).toHaveLength(3)
  expect(seen).toContain('read cpu openslide 3')
  expect(seen).toMatch(/All values/)
})

it('names the slide only where that is asked for, and no folder ever', async () => {
  const run = madeRun({
    objects: squares,
    name: 'Jane Doe.svs',
    status: { warnings: ['/home/patients/Jane Doe 1970/Jane Doe.svs is odd'] },
  })
  const without = await page(run)
  expect(without).not.toContain('Jane')
  expect(without).toMatch(/slide-[0-9a-f]{16}/)
  const named = await page(run, { named: true })
  expect(named).toContain('Jane Doe.svs')
  expect(named).not.toContain('patients')
  // Who de-identifies all of an export means this page too.
  expect(await page(run, { named: true, deidentify: true })).not.toContain('Jane')
})

it('holds hostile names as text, and asks no network and no script for anything', async () => {
  const name = `"><script>alert(1)</script><img src=x onerror='alert(2)'>\u202e.svs`
  const label = `<img src="https://evil.example/x">`
  const run = madeRun({
    objects: squares,
    name,
    status: { name: `</title><script>alert(3)</script>`, classes: [{ ...positive, label, objects: 3 }], warnings: ['<b>&'] },
    slide: { vendor: '<svg onload=alert(4)>' },
  })
  const text = await page(run, { named: true })
  expect(text).not.toMatch(/<script|<img|<b>&|<svg onload|\u202e/)
  expect(text).not.toMatch(/(?:src|href)="(?!data:image\/jpeg;base64,)/)
  expect(text).toContain('&lt;script&gt;')
  expect(text).toContain(`default-src 'none'`)
})

it('goes without pictures where the slide is not what was opened, and says so; without objects it says that', async () => {
  const text = await page(madeRun(), {}, { ...madeTools, slideState: async () => 'changed' })
  expect(text).not.toContain('data:image')
  expect(words(text)).toContain('has no pictures')
  expect(words(text)).toContain('No object was found.')
})

it('writes numbers as people read them, and bars of round length', () => {
  expect([0.012345, 12.345, 1234.5, 7, NaN, null].map((value) => numberText(value))).toEqual([
    '0.0123',
    '12.3',
    '1,235',
    '7',
    '–',
    '–',
  ])
  expect([100, 43, 900].map(barLength)).toEqual([20, 10, 200])
  expect(escaped(`<a href="x">'&`)).toBe('&lt;a href=&quot;x&quot;&gt;&#39;&amp;')
  expect(html`<i>${'<'}${html`<b>${1}</b>`}</i>`.text).toBe('<i>&lt;<b>1</b></i>')
})

it('shows a dense field, and not the densest, which debris would be', () => {
  const cells = (counts: readonly number[]) =>
    counts.flatMap((count, column) => Array.from({ length: count }, () => ({ column, row: 2 })))
  expect(denseCell(cells([1, 2, 3, 4, 5, 6, 7, 8, 9, 400]))).toEqual({ column: 8, row: 2 })
  expect(denseCell(cells([0, 0, 3]))).toEqual({ column: 2, row: 2 })
  expect(denseCell(cells([5, 1]))).toEqual({ column: 0, row: 2 })
  expect(denseCell([{ column: -1, row: -3 }])).toEqual({ column: -1, row: -3 })
})
