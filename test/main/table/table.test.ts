// The objects table: its filter's language, its order, its figures, and a view of a real run as a page gets it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  mostScatterPoints,
  packScatter,
  scatterBins,
  scatterSteps,
  tilePaths,
  unpackRows,
  unpackScatter,
} from '../../../app/contract'
import type { RunStatus, TableGroup } from '../../../app/contract'
import type { Engine } from '../../../main/engine'
import { linesOf } from '../../../main/table/text'
import { filterRows } from '../../../main/table/expression'
import { histogramOf, statisticsOf } from '../../../main/table/figures'
import { byClass, byRegion } from '../../../main/table/groups'
import { scatterOf } from '../../../main/table/scatter'
import { sortRanks } from '../../../main/table/sorting'
import { binAxis } from '../../../renderer/arithmetic/binAxis'
import { firstRecipe, realEngine, sample } from '../realEngine'

const columns = [
  { key: 'area', title: 'Area', unit: 'µm²' },
  { key: 'majorAxis', title: 'Major axis', unit: 'µm' },
  { key: 'stain2Mean', title: 'DAB mean', unit: 'OD' },
  { key: 'class', title: 'Class', unit: '' },
]
const values: Record<string, number[]> = {
  area: [10, 50, 40, 90],
  majorAxis: [3, 8, -1, 12],
  stain2Mean: [0.1, 0.3, 0.2, 0.05],
  class: [0, 1, 1, 0],
}
const table = {
  length: 4,
  columns,
  classes: [
    { id: 'negative', label: 'Negative', color: [0, 0, 255] as [number, number, number] },
    { id: 'positive', label: 'Positive', color: [255, 0, 0] as [number, number, number] },
  ],
  values: (key: string) => Float64Array.from(values[key]!),
}
const left = (text: string): number[] => [...filterRows(text, table)!]

describe('a plot', () => {
  it('has each measured point at its place, and of very many how many lie where, by class', () => {
    const random = (n: number, of: number): Float64Array => Float64Array.from({ length: n }, (_, i) => ((i * 7919) % 1009) * of)
    const check = (n: number): void => {
      const [xs, ys] = [random(n, 1), random(n, 0.5)]
      xs[3] = NaN
      ys[5] = -1
      const ranks = Uint32Array.from({ length: n }, (_, i) => i)
      const classAt = Float64Array.from({ length: n }, (_, i) => [0, 1, 255][i % 3]!)
      const x = { values: xs, low: 0, high: 1000, log: false }
      const y = { values: ys, low: 1, high: 500, log: true }
      const plot = unpackScatter(packScatter(scatterOf(ranks, x, y, classAt, 2)).buffer)
      expect(plot).toMatchObject({ x: { low: 0, high: 1000 }, y: { low: 1, high: 500 }, classes: 2 })
      if (plot.kind === 'points') {
        expect([n <= mostScatterPoints, plot.numbers.length, plot.numbers[3]]).toEqual([true, n - 1, 5])
        expect([plot.xs[0], plot.xs[1], plot.ys[4], [...plot.classAt.slice(0, 4)]]).toEqual([
          0,
          Math.floor(856 * 65.536),
          0,
          [0, 1, 2, 1],
        ])
        return
      }
      const { width, height } = scatterBins
      expect([n > mostScatterPoints, plot.points]).toEqual([true, n - 1])
      const plane = (c: number): number =>
        plot.counts.slice(c * width * height, (c + 1) * width * height).reduce((a, b) => a + b, 0)
      expect([plane(0) + 1, plane(1), plane(2)]).toEqual([0, 1, 2].map((c) => Math.ceil((n - c) / 3)))
    }
    check(1000)
    check(mostScatterPoints + 10)
    expect(() => unpackScatter(new ArrayBuffer(64))).toThrow('expected a plot')
  })
})

describe('the filter', () => {
  it('compares, joins and turns round, with names as they are read or as they are written in code', () => {
    expect(left('area > 40')).toEqual([0, 1, 0, 1])
    expect(left('AREA >= 40 and class = positive')).toEqual([0, 1, 1, 0])
    expect(left('class != Positive')).toEqual([1, 0, 0, 1])
    expect(left('Major axis > -2 and "DAB mean" <= .2')).toEqual([1, 0, 1, 1])
    expect(left('major_axis = 8 or area < 2e1')).toEqual([1, 1, 0, 0])
    // "and" binds tighter than "or".
    expect(left('area = 10 or area > 40 and class = positive')).toEqual([1, 1, 0, 0])
    expect(left('(area = 10 or area > 40) and class = positive')).toEqual([0, 1, 0, 0])
    expect(left('not (area > 40) and not class = positive')).toEqual([1, 0, 0, 0])
    expect(filterRows('  ', table)).toBeNull()
  })

  it('says what is wrong with it, and where', () => {
    const said = (text: string): string => {
      try {
        filterRows(text, table)
      } catch (error) {
        return (error as Error).message
      }
      return 'nothing'
    }
    expect(said('aria > 4')).toBe('Filter, character 1: there is no column "aria". There are: area, major axis, dab mean, class.')
    expect(said('area >')).toBe('Filter, character 7: expected a number.')
    expect(said('area > 4 5')).toContain('character 10: expected "and", "or" or the end but received "5"')
    expect(said('area 4')).toContain('character 6: expected <, <=')
    expect(said('(area > 4')).toContain('character 10: expected ")"')
    expect(said('area > 4 and')).toContain('character 13: expected a column')
    expect(said('class > positive')).toContain('character 7: classes are compared by = or !=')
    expect(said('class = brown')).toContain('there is no class "brown". There are: negative, positive.')
    expect(said('area > 4; drop')).toContain('character 9: ";" has no meaning here')
    expect(said('('.repeat(2000))).toContain('too deep')
    expect(said('not '.repeat(500))).toContain('too deep')
    expect(said('area > 1e999')).toContain('too large')
  })
})

describe('the order', () => {
  it('is that of comparisons, stable both ways, with NaN last', () => {
    const double = fc.oneof(fc.double(), fc.constantFrom(0, -0, 1, -1, NaN))
    fc.assert(
      fc.property(fc.array(double, { maxLength: 60 }), fc.boolean(), (list, descending) => {
        const ranks = Uint32Array.from(list.keys()).filter((rank) => rank % 3 !== 1)
        const expected = [...ranks].sort((a, b) => {
          const [x, y] = [list[a]!, list[b]!]
          if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b
          return (x < y ? -1 : x > y ? 1 : 0) * (descending ? -1 : 1) || a - b
        })
        expect([...sortRanks(ranks, Float64Array.from(list), descending)]).toEqual(expected)
      }),
    )
  })
})

describe('the figures', () => {
  it('are those of a textbook', () => {
    const four = Float64Array.of(2, 4, 4, 10)
    expect(statisticsOf(four)).toMatchObject({ mean: 5, min: 2, lowerQuartile: 3.5, median: 4, upperQuartile: 5.5, max: 10 })
    expect(statisticsOf(four)!.sd).toBeCloseTo(Math.sqrt(12), 12)
    expect(statisticsOf(Float64Array.of(7))).toMatchObject({ mean: 7, sd: 0, median: 7 })
    expect(statisticsOf(Float64Array.of())).toBeNull()
  })

  it('put each value into one bin, also what lies beyond the ends', () => {
    const all = Float64Array.from({ length: 5000 }, (_, i) => i)
    all[4999] = 1e6
    const { low, high, all: bins, left: none } = histogramOf(all, Float64Array.of())
    expect([low < 10, high < 5000]).toEqual([true, true])
    expect(bins.reduce((sum, n) => sum + n, 0)).toBe(5000)
    expect(Math.max(...bins)).toBeLessThan(90)
    expect(none.every((n) => n === 0)).toBe(true)
    expect(histogramOf(Float64Array.of(3, 3), Float64Array.of(3)).left.reduce((sum, n) => sum + n, 0)).toBe(1)
  })

  it('have equal bins by the logarithm where that is asked: what is not above 0 is in the first', () => {
    // 64 bins from 1 to 2^64, and as many values in each.
    const all = Float64Array.from({ length: 6400 }, (_, i) => 2 ** (i / 100))
    const { log, low, high, all: bins } = histogramOf(all, all, true)
    expect(log).toBe(true)
    expect([low, high].map(Math.log2)).toEqual([expect.closeTo(0.064, 2), expect.closeTo(63.93, 1)])
    // A tenth of a percent beyond each end is in the first and the last.
    expect(Math.max(...bins)).toBeLessThan(110)
    expect(Math.min(...bins)).toBeGreaterThan(98)
    const some = histogramOf(Float64Array.of(-5, 0, 1, 10, 100), Float64Array.of(-5, 10), true)
    expect([some.low, some.high]).toEqual([expect.closeTo(1.018, 3), expect.closeTo(99.82, 2)])
    expect([some.all[0], some.left[0]]).toEqual([3, 1])
    expect(histogramOf(Float64Array.of(-5, 0), Float64Array.of(), true)).toMatchObject({ low: 0, high: 0 })
  })

  it('name by the page the values that the engine counts in the same bins', () => {
    for (const log of [false, true]) {
      const all = Float64Array.from({ length: 500 }, (_, i) => (i + 1) ** 2)
      const histogram = histogramOf(all, all, log)
      const { valueOf, binOf } = binAxis(histogram)
      expect([valueOf(0), valueOf(64)]).toEqual([expect.closeTo(histogram.low, 6), expect.closeTo(histogram.high, 6)])
      const inside = all.filter((value) => value >= valueOf(9) && value < valueOf(11)).length
      expect(inside).toBe(histogram.all[9]! + histogram.all[10]!)
      expect(binOf(valueOf(17.25))).toBeCloseTo(17.25, 9)
    }
  })
})

describe('groups', () => {
  const values: Record<string, number[]> = {
    area: [10, 30, 20, 90, 50],
    class: [0, 1, 0, 255, 1],
    x: [1, 5, 9, 15, 5],
    y: [1, 5, 9, 5, 6],
  }
  const table = {
    classes: ['Negative', 'Positive', 'Other'].map((label) => ({
      id: label,
      label,
      color: [0, 0, 0] as [number, number, number],
    })),
    find: (key: string) => (key in values ? { key, title: key, unit: '' } : undefined),
    values: (key: string) => Float64Array.from(values[key]!),
  }
  const ranks = Uint32Array.of(4, 3, 2, 1, 0)
  const unknown = { mm2: null, tissueMm2: null }
  const square = (side: number) => ({ kind: 'rectangle' as const, x: 0, y: 0, width: side, height: side })
  const told = (groups: TableGroup[]) =>
    groups.map(({ name, rows, perMm2, perMm2Tissue, statistics }) => [name, rows, perMm2, perMm2Tissue, statistics?.mean])
  it('are the classes, also those of which there is none, and what has no class', () => {
    expect(told(byClass(table, ranks, 'area', { mm2: 0.5, tissueMm2: 0.25 }))).toEqual([
      ['Negative', 2, 4, 8, 15],
      ['Positive', 2, 4, 8, 40],
      ['Other', 0, 0, 0, undefined],
      ['', 1, 2, 4, 90],
    ])
    expect(told(byClass(table, ranks.subarray(3), 'area', unknown)).map(([name]) => name)).toEqual([
      'Negative',
      'Positive',
      'Other',
    ])
    expect(byClass({ ...table, find: () => undefined }, ranks, 'area', unknown)).toEqual([])
  })
  it('are the regions, each with all that it holds', () => {
    const areas = [
      { name: 'small', shape: square(6), mm2: 0.1, tissueMm2: 0.05, isLookedAt: true },
      { name: 'large', shape: square(20), ...unknown, isLookedAt: true },
      { name: 'elsewhere', shape: square(6), mm2: 0.1, tissueMm2: null, isLookedAt: false },
    ]
    expect(told(byRegion(table, ranks, 'area', areas))).toEqual([
      ['small', 2, 20, 40, 20],
      ['large', 5, null, null, 40],
      // Nothing is known of it, which is not nothing.
      ['elsewhere', null, null, null, undefined],
    ])
  })
})

describe('rows as text', () => {
  it('are safe to open in a spreadsheet, and say nothing of what was not measured', () => {
    const classes = [{ id: 'x', label: '=cmd|"a"', color: [0, 0, 0] as [number, number, number] }]
    const asked = [columns[3]!, columns[0]!]
    const table = { classes, rows: () => Float64Array.of(0, 1.25, 255, NaN) }
    expect(linesOf(table, asked, Uint32Array.of(0, 1))).toBe(`"'=cmd|""a""",1.25\r\n,\r\n`)
    expect(linesOf({ ...table, rows: () => Float64Array.of() }, asked, Uint32Array.of())).toBe('')
  })
})

describe('a view of a run', () => {
  let dir: string
  let engine: Engine
  let run: RunStatus
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'table-'))
    engine = realEngine(dir, { shell: 'serve' })
    const { slideId } = await engine.invoke('slide:open', { path: sample })
    const recipe = await firstRecipe(engine)
    const region = { x: 600, y: 1200, width: 700, height: 700 }
    const ended = new Promise<RunStatus>((resolve) =>
      engine.onEvent((event) => event.type === 'run:end' && resolve(event.status)),
    )
    await engine.invoke('run:start', { slideId, region, recipe, purpose: 'run' })
    run = await ended
  })
  afterAll(async () => {
    await engine.close()
    await rm(dir, { recursive: true, force: true })
  })

  it('has the rows in order at its addresses, and they are the objects that a click finds', async () => {
    const { runId } = run
    const request = { runId, filter: 'area > 20', brush: null, sort: { column: 'area', descending: true }, describe: 'area' }
    const view = await engine.invoke('table:view', request)
    expect(view.of).toBe(run.objects)
    expect(view.rows).toBeGreaterThan(10)
    expect(view.rows).toBeLessThan(view.of)
    const rows: Float64Array[] = []
    for (let first = 0; first < view.rows; first += 128) {
      const answer = await engine.tile(tilePaths.table(runId, view.view, first))
      expect(answer.status).toBe(200)
      rows.push(...unpackRows(answer.body.buffer, view.columns.length))
    }
    expect(rows.length).toBe(view.rows)
    const at = (key: string) => view.columns.findIndex((column) => column.key === key)
    const areas = rows.map((row) => row[at('area')]!)
    expect(areas).toEqual([...areas].sort((a, b) => b - a))
    expect(Math.min(...areas)).toBeGreaterThan(20)
    expect(view.statistics!.max).toBe(areas[0])
    expect(view.statistics!.mean).toBeCloseTo(areas.reduce((sum, area) => sum + area, 0) / areas.length, 9)
    expect(view.histogram.left.reduce((sum, n) => sum + n, 0)).toBe(view.rows)
    expect(view.histogram.all.reduce((sum, n) => sum + n, 0)).toBe(view.of)
    // Per row: its object, by its number, has these figures.
    const row = rows[3]!
    const object = await engine.invoke('object:numbered', { runId, id: row[at('id')]! })
    expect(row[at('area')]).toBe(object.area)
    expect(row[at('circularity')]).toBe(object.circularity)
    expect(row[at('stain1Mean')]).toBe(object.stains[0]!.mean)
    expect([row[at('x')], row[at('y')]]).toEqual([object.centroid.x, object.centroid.y])
    expect(await engine.invoke('table:row', { runId, view: view.view, id: object.id })).toBe(3)
    // The same rows as text, with some of the columns, in the table's order whatever was asked for.
    const text = await engine.tile(tilePaths.tableText(runId, view.view, 0, ['area', 'id', 'circularity', 'nothing']))
    const lines = Buffer.from(text.body).toString().split('\r\n')
    expect(lines[0]).toBe('Object,Area (µm²),Circularity')
    expect(lines.slice(1, -1).map((line) => line.split(',').map(Number))).toEqual(
      rows.map((each) => [each[at('id')], each[at('area')], each[at('circularity')]]),
    )
    expect(lines.at(-1)).toBe('')
    expect((await engine.tile(tilePaths.tableText(runId, view.view, 8192, ['id']))).body.length).toBe(0)
    expect((await engine.tile(tilePaths.tableText(runId, view.view + 1, 0, ['id']))).status).toBe(404)
    // And as Parquet, whole, in the table's order, not rounded.
    const { body } = await engine.tile(tilePaths.tableParquet(runId, view.view, ['area', 'id', 'circularity', 'nothing']))
    const read = await parquetReadObjects({ file: body.buffer })
    expect(read).toEqual(
      rows.map((each) => ({ Object: each[at('id')], 'Area (µm²)': each[at('area')], Circularity: each[at('circularity')] })),
    )
    // Two columns against each other: what the filter left, and a box in it that the rows are of.
    const plotOf = async (of: number, log = false) =>
      unpackScatter((await engine.tile(tilePaths.scatter(runId, of, 'area', 'circularity', log, false))).body.buffer)
    const plot = await plotOf(view.view)
    if (plot.kind !== 'points') throw new Error('no points')
    expect(plot.numbers).toEqual(Uint32Array.from(rows.map((each) => each[at('id')]!)).sort())
    rows.slice(10, 20).forEach((each) => {
      const place = plot.numbers.indexOf(each[at('id')]!)
      const share = (each[at('area')]! - plot.x.low) / (plot.x.high - plot.x.low)
      expect(plot.xs[place]! / scatterSteps).toBeCloseTo(Math.min(1, Math.max(0, share)), 3)
    })
    expect((await plotOf(view.view, true)).x.low).toBeGreaterThan(0)
    const box = { x: 'area', xLow: 30, xHigh: null, y: 'circularity', yLow: null, yHigh: 0.8 }
    const inBox = await engine.invoke('table:view', { ...request, box })
    expect(inBox.rows).toBe(rows.filter((each) => each[at('area')]! >= 30 && each[at('circularity')]! <= 0.8).length)
    expect(await plotOf(inBox.view)).toEqual(plot)
    expect((await engine.tile(tilePaths.scatter(runId, view.view, 'area', 'nothing', false, false))).status).toBe(400)
    const small = await engine.invoke('table:view', { ...request, filter: 'area <= 20', sort: null })
    expect(small.rows + view.rows).toBe(view.of)
    expect(await engine.invoke('table:row', { runId, view: small.view, id: object.id })).toBeNull()
    // A brush leaves its ends in.
    const brush = { low: areas.at(-1)!, high: areas[5]! }
    expect((await engine.invoke('table:view', { ...request, brush })).rows).toBe(view.rows - 5)
  })

  it('tells a column in each region of interest', async () => {
    const { runId, slideId } = run
    const { view, rows } = await engine.invoke('table:view', { runId, filter: '', brush: null, sort: null, describe: 'area' })
    const shape = { kind: 'rectangle' as const, x: 600, y: 1200, width: 350, height: 700 }
    const region = {
      id: '0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a',
      slide: '',
      name: 'left',
      classId: null,
      locked: false,
      shape,
      madeBy: 'hand' as const,
    }
    const key = (await engine.invoke('project:add', { slideId })).key
    const createdAt = '2026-11-23T10:00:00.000Z'
    const command = { type: 'regions:add' as const, regions: [{ ...region, slide: key, createdAt }] }
    await engine.invoke('project:do', { slideId, command })
    const [left, ...more] = await engine.invoke('table:groups', { runId, view, column: 'area', regionsOf: key })
    expect([left!.name, more]).toEqual(['left', []])
    expect([left!.rows! > 10, left!.rows! < rows]).toEqual([true, true])
    const [measured] = await engine.invoke('project:measure', { key, runIds: [runId] })
    expect(left!.rows).toBe(measured!.objects)
    expect(left!.perMm2).toBeCloseTo(measured!.objects! / measured!.areaMm2!, 6)
    expect(left!.perMm2Tissue).toBeCloseTo(measured!.objects! / measured!.tissueMm2!, 6)
    const asked = { runId, view, column: 'id', regionsOf: null }
    expect(await engine.call('table:groups', asked)).toMatchObject({ ok: false, error: { code: 'INVALID_PARAMETER' } })
    expect(await engine.call('table:groups', { ...asked, column: 'area', view: 1e6 })).toMatchObject({
      error: { code: 'NOT_FOUND' },
    })
  })

  it('refuses what it does not know, and forgets old views', async () => {
    const { runId } = run
    const request = { runId, filter: '', brush: null, sort: null, describe: 'area' }
    const said = (arg: Partial<typeof request> | object) => engine.call('table:view', { ...request, ...arg })
    expect(await said({ filter: 'size > 4' })).toMatchObject({ ok: false, error: { code: 'INVALID_PARAMETER' } })
    expect(await said({ describe: 'constructor' })).toMatchObject({ ok: false, error: { code: 'INVALID_PARAMETER' } })
    expect(await said({ sort: { column: 'size', descending: false } })).toMatchObject({ ok: false })
    const { view } = await engine.invoke('table:view', request)
    expect((await engine.tile(tilePaths.table(runId, view, 1e9))).status).toBe(200)
    for (let n = 0; n < 8; n++) await engine.invoke('table:view', request)
    expect((await engine.tile(tilePaths.table(runId, view, 0))).status).toBe(404)
    expect(await engine.call('object:numbered', { runId, id: 1e6 })).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
  })
})
