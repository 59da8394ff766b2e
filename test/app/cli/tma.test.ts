// `morphoscope tma` on a made array: what it lists, keeps and labels, and a table by core, against what was painted.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { madeCores, paintsArray, paintsDarkArray, tmaColumns, tmaDiameterPx, tmaMpp, tmaRows } from '../../tmaPicture'
import { cli } from './inProcess'

let folder = ''
const slide = (): string => join(folder, 'array.tif')
const project = (): string => join(folder, 'Array.morphoscope')
const nameOf = (row: number, column: number): string => `${String.fromCharCode(65 + row)}-${column + 1}`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tma-'))
  await paintsArray(slide())
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Listed {
  readonly rows: number
  readonly columns: number
  readonly diameterPx: number
  readonly diameterUm: number
  readonly rotation: number
  readonly cores: readonly { name: string; row: number; column: number; x: number; y: number; missing: boolean; label: string }[]
}

it('lists all cores as they were painted, also half of one and a torn one', async () => {
  const { code, out, err } = await cli('tma', slide(), '--json')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const found = JSON.parse(out) as Listed
  expect({ rows: found.rows, columns: found.columns }).toEqual({ rows: tmaRows, columns: tmaColumns })
  expect(Math.abs(found.diameterPx / tmaDiameterPx - 1)).toBeLessThan(0.06)
  expect(found.diameterUm).toBeCloseTo(found.diameterPx * tmaMpp, 0)
  expect(Math.abs(found.rotation - 2)).toBeLessThan(0.3)
  expect(found.cores.map(({ name, missing }) => [name, missing])).toEqual(
    madeCores.map(({ row, column, missing }) => [nameOf(row, column), missing]),
  )
  const far = found.cores.map(({ x, y }, i) => Math.hypot(x - madeCores[i]!.x, y - madeCores[i]!.y))
  expect(Math.max(...far.filter((_, i) => !madeCores[i]!.missing && i !== 22))).toBeLessThan(tmaDiameterPx / 28)
  // Of half a core the middle is where its place is expected, about.
  expect(far[22]).toBeLessThan(tmaDiameterPx / 8)
  expect(Math.max(...far)).toBeLessThan(tmaDiameterPx / 4)
})

it('finds the same array of scattered nuclei that shine on black', async () => {
  const dark = join(folder, 'dark.tif')
  await paintsDarkArray(dark)
  const { code, out } = await cli('tma', dark, '--json')
  expect(code).toBe(0)
  const { cores } = JSON.parse(out) as Listed
  expect(cores.map(({ missing }) => missing)).toEqual(madeCores.map(({ missing }) => missing))
  const far = cores.map(({ x, y }, i) => (madeCores[i]!.missing ? 0 : Math.hypot(x - madeCores[i]!.x, y - madeCores[i]!.y)))
  expect(Math.max(...far)).toBeLessThan(tmaDiameterPx / 14)
})

it('lists as CSV and as text, named from another corner, with rows and columns that are asked for', async () => {
  const { out } = await cli(
    'tma',
    slide(),
    '--csv',
    '--row-names',
    'numbers',
    '--column-names',
    'letters',
    '--first',
    'bottom-right',
  )
  const lines = out.split('\r\n')
  expect(lines[0]).toBe('core,row,column,x_px,y_px,diameter_px,state,case_label')
  expect(lines).toHaveLength(61)
  expect(lines[1]).toMatch(/^6-J,1,1,/)
  const text = await cli('tma', slide(), '--rows', '6', '--columns', '10', '--diameter', '140')
  expect(text.out).toContain('6 rows × 10 columns: 55 cores, 5 missing; 140 µm across')
})

it('refuses what it cannot use by name', async () => {
  expect(await cli('tma', slide(), '--diameter', '5')).toMatchObject({ code: 2 })
  expect((await cli('tma', slide(), '--labels', 'x.csv')).err).toContain('expected --project with --labels')
  const none = await cli('tma', slide(), '--diameter', '3000')
  expect(none.code).not.toBe(0)
  expect(none.err).toContain('No array of cores of 3000 µm was found')
  const odd = await cli('tma', slide(), '--project', project(), '--labels', join(folder, 'absent.csv'))
  expect(odd.err).toContain('absent.csv')
})

it('keeps cores with labels, and counts by core what was painted; missing ones count nowhere', async () => {
  const labels = join(folder, 'cases.csv')
  const cases = madeCores.map(({ row, column }, i) => `${nameOf(row, column)},case ${Math.floor(i / 3)}`)
  await writeFile(labels, `core,case\n${cases.join('\n')}\nZ-9,nobody\n`)
  const kept = await cli('tma', slide(), '--project', project(), '--labels', labels, '--csv')
  expect(kept.err).toContain('no core is called Z-9')
  expect(kept.err).toContain('60 of 60 cores have their label')
  expect(kept.out.split('\r\n')[60]).toMatch(/^F-10,6,10,.*,found,case 19$/)
  const run = await cli('project', 'run', project())
  expect(run.code).toBe(0)
  const { code, out } = await cli('project', 'summary', project(), '--by-core', '--csv')
  expect(code).toBe(0)
  const [head, ...rows] = out.split('\n').map((line) => line.trim().split(','))
  const at = (name: string): number => head!.indexOf(name)
  expect(rows).toHaveLength(60)
  rows.forEach((cells, i) => {
    const { row, column, missing, nuclei } = madeCores[i]!
    expect(cells.slice(1, 5)).toEqual([nameOf(row, column), `case ${Math.floor(i / 3)}`, String(row + 1), String(column + 1)])
    expect([cells[0], cells[at('state')], cells[at('objects')]]).toEqual([
      'array.tif',
      missing ? 'missing' : 'done',
      missing ? '' : String(nuclei.length),
    ])
    // Of a whole core nearly all is tissue.
    if (!missing && i !== 22 && i !== 35)
      expect(Number(cells[at('tissue_mm2')]) / Number(cells[at('area_mm2')])).toBeGreaterThan(0.85)
  })
  const nameless = await cli('project', 'summary', project(), '--by-core', '--csv', '--deidentify')
  expect(nameless.out).not.toContain('case 1')
  expect(nameless.out).toContain(',A-1,,1,1,')
  // Found again, labels stay with their places.
  const again = await cli('tma', slide(), '--project', project(), '--json')
  expect((JSON.parse(again.out) as Listed).cores[59]!.label).toBe('case 19')
})
