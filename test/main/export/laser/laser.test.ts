// Shapes for laser microdissection: read back through their three marks they lie on the outlines, in an order and of the objects that were asked for.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { marksIn, wellsIn } from '../../../../app/contract'
import type { LaserMarks, LaserRequest } from '../../../../app/contract'
import { exportRun } from '../../../../main/export/exportRun'
import type { ExportRunRequest } from '../../../../main/export/exportRun'
import { byNearest } from '../../../../main/export/laser/shapes'
import type { RunObject, RunResult } from '../../../../main/run/objects/result'
import { noClass } from '../../../../native/index'
import { drawn, madeRun, madeTools } from '../madeRun'

let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-laser-'))))
afterEach(async () => await rm(directory, { recursive: true, force: true }))

type Point = readonly [number, number]
const marks: LaserMarks = [[12, 7], [980.5, 40], [300, 790.25]] // oxfmt-ignore
const stageUm: LaserMarks = [[51_000, 22_000], [50_990, 22_484], [51_391, 22_140]] // oxfmt-ignore

async function exported(run: RunResult, laser: Partial<LaserRequest> = {}, request: Partial<ExportRunRequest> = {}) {
  const files = ['shapes.lmd.xml', 'shapes.palm.txt', 'objects.geojson', 'run.json'] as const
  const asked = { directory, files: [...files], overwrite: true, laser: { marks, tolerance: 0, ...laser }, ...request }
  const done = await exportRun(run, asked, madeTools, () => undefined, new AbortController().signal)
  const read = (name: string) => readFile(join(directory, name), 'utf8')
  const { features } = JSON.parse(await read('objects.geojson')) as {
    features: { geometry: { type: string; coordinates: unknown } }[]
  }
  const outlines = features.map(({ geometry: { type, coordinates } }) =>
    (type === 'Polygon' ? [coordinates] : (coordinates as unknown[])).map((rings) => (rings as Point[][])[0]!),
  )
  return {
    outlines,
    lmd: lmdOf(await read('shapes.lmd.xml')),
    palm: palmOf(await read('shapes.palm.txt')),
    record: JSON.parse(await read('run.json')) as { export: { laser?: unknown } },
    warnings: done.warnings,
  }
}

/** As the microscope does: by tags alone. */
function lmdOf(xml: string): { marks: Point[]; shapes: Point[][] } {
  const whole = (text: string, tag: string): number => {
    const found = new RegExp(`<${tag}>(-?\\d+)</${tag}>`).exec(text)
    if (!found) throw new Error(`expected ${tag}`)
    return Number(found[1])
  }
  const marks = [1, 2, 3].map((n): Point => [whole(xml, `X_CalibrationPoint_${n}`), whole(xml, `Y_CalibrationPoint_${n}`)])
  const shapes = Array.from({ length: whole(xml, 'ShapeCount') }, (_, i) => {
    const text = xml.slice(xml.indexOf(`<Shape_${i + 1}>`), xml.indexOf(`</Shape_${i + 1}>`))
    return Array.from({ length: whole(text, 'PointCount') }, (_, k): Point => [
      whole(text, `X_${k + 1}`),
      whole(text, `Y_${k + 1}`),
    ])
  })
  expect(xml.match(/<Shape_\d+>/g) ?? []).toHaveLength(shapes.length)
  return { marks, shapes }
}

function palmOf(text: string) {
  const [head, ...elements] = text.split('\r\n\r\n').filter((part) => part !== '')
  expect(head).toMatch(/^PALMRobo Elements\r\nVersion:\tV [\d.]+\r\nDate, Time :\t\d\d\.\d\d\.\d{4}\t\d\d:\d\d:\d\d$/)
  expect(elements[0]).toBe('MICROMETER\r\nElements :')
  expect(elements[1]).toBe('Type\tColor\tThickness\tNo\tCutShot\tArea\tComment\tCoordinates')
  return elements.slice(2).map((element) => {
    const [first, ...lines] = element.split('\r\n')
    const [type, , , no, , area, comment, ...more] = first!.split('\t')
    expect([type, more]).toEqual(['Freehand', []])
    const ring = lines.flatMap((line) => {
      const [dot, ...places] = line.split('\t')
      expect(dot).toBe('.')
      expect(places.length).toBeLessThanOrEqual(5)
      return places.map((place) => place.split(',').map(Number) as unknown as Point)
    })
    return { no: Number(no), area: Number(area), comment: comment!, ring }
  })
}

/** Solved by Cramer's rule, as no code of the program does. */
function through(from: readonly Point[], to: readonly Point[]): (point: Point) => Point {
  const det = (m: readonly (readonly number[])[]): number =>
    m[0]![0]! * (m[1]![1]! * m[2]![2]! - m[1]![2]! * m[2]![1]!) -
    m[0]![1]! * (m[1]![0]! * m[2]![2]! - m[1]![2]! * m[2]![0]!) +
    m[0]![2]! * (m[1]![0]! * m[2]![1]! - m[1]![1]! * m[2]![0]!)
  const rows = from.map(([x, y]) => [x, y, 1])
  const solved = [0, 1].map((axis) =>
    [0, 1, 2].map((column) => det(rows.map((row, r) => row.map((v, c) => (c === column ? to[r]![axis]! : v)))) / det(rows)),
  )
  return ([x, y]) => solved.map(([a, b, c]) => a! * x + b! * y + c!) as unknown as Point
}

const far = ([x, y]: Point, [u, v]: Point): number => Math.hypot(x - u, y - v)
function toSegment(p: Point, a: Point, b: Point): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
  const t = Math.max(0, Math.min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy || 1)))
  return far(p, [a[0] + t * dx, a[1] + t * dy])
}
const toRing = (p: Point, ring: readonly Point[]): number =>
  Math.min(...ring.slice(1).map((end, i) => toSegment(p, ring[i]!, end)))

/** Discs of several sizes, off any grid. */
const discs = (count: number): RunObject[] =>
  Array.from({ length: count }, (_, i) => {
    const r = 3 + (i % 5)
    const rows = Array.from({ length: 2 * r + 1 }, (_, y) =>
      Array.from({ length: 2 * r + 1 }, (_, x) => ((x - r) ** 2 + (y - r) ** 2 <= r * r + 1 ? '#' : '.')).join(''),
    )
    return drawn(rows, (i * 37) % 400, (i * 53) % 300)
  })

/** The ring that begins anywhere. */
const sameRing = (ring: readonly Point[], outline: readonly Point[], within: number): boolean =>
  ring.length === outline.length && outline.every((p) => ring.some((q) => far(p, q) <= within))

describe('the laser’s shapes', () => {
  it.each([
    ['square pixels', {}],
    ['oblong pixels', { mppX: 0.25, mppY: 0.5 }],
    ['no pixel size', null],
  ] as const)('are each outline to a hundredth of a pixel: %s', async (_, mpp) => {
    const size = mpp === null ? { analysedMpp: null } : 'mppX' in mpp ? { slide: mpp, analysedMpp: 1.3 * Math.sqrt(0.125) } : {}
    const { lmd, palm, outlines } = await exported(madeRun({ objects: discs(40), scale: 1.3, ...size }), { stageUm })
    const [lmdBack, palmBack] = [through(lmd.marks, marks), through(stageUm, marks)]
    expect([lmd.shapes.length, palm.length]).toEqual([40, 40])
    palm.forEach(({ ring, comment }, i) => {
      const outline = outlines[Number(/^Object (\d+)$/.exec(comment)![1]) - 1]![0]!
      for (const each of [ring, lmd.shapes[i]!]) expect(each.at(-1)).toEqual(each[0])
      expect(sameRing(lmd.shapes[i]!.map(lmdBack), outline, 0.01)).toBe(true)
      expect(sameRing(ring.map(palmBack), outline, 0.01)).toBe(true)
    })
  })

  it('leave their outlines by no more than the tolerance, with fewer points', async () => {
    const run = madeRun({ objects: discs(40), scale: 1 })
    const all = await exported(run)
    // At 0.5 µm a px.
    const { lmd, palm } = await exported(run, { tolerance: 0.6 })
    const back = through(lmd.marks, marks)
    const points = (shapes: readonly (readonly Point[])[]): number => shapes.reduce((sum, { length }) => sum + length, 0)
    expect(points(lmd.shapes)).toBeLessThan(0.7 * points(all.lmd.shapes))
    palm.forEach(({ comment }, i) => {
      const outline = all.outlines[Number(comment.slice(7)) - 1]![0]!
      const ring = lmd.shapes[i]!.map(back)
      for (const point of outline) expect(toRing(point, ring)).toBeLessThanOrEqual(1.2 + 0.02)
      for (const point of ring) expect(toRing(point, outline)).toBeLessThanOrEqual(0.02)
    })
  })

  it('have the slide’s own µm, and their area, where nobody says where the stage is', async () => {
    const { palm } = await exported(madeRun({ objects: [drawn(['####', '####'], 10, 20)], scale: 2, analysedMpp: 1 }))
    // 4 × 2 analysed px of 1 µm, from (10, 20).
    expect(palm).toHaveLength(1)
    expect([palm[0]!.area, palm[0]!.no]).toEqual([8, 1])
    const [xs, ys] = [0, 1].map((axis) => palm[0]!.ring.map((point) => point[axis]!)) as [number[], number[]]
    expect([Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]).toEqual([10, 14, 20, 22])
  })

  it('are those that filter and region leave, with the numbers that all files have', async () => {
    const named = ['腫瘍 "x"\t', 'B'].map((label, i) => ({ id: `c${i}`, label, color: [0, 0, i] as [number, number, number] }))
    const objects = discs(6)
    const classAt = Uint8Array.from([0, 1, 0, 1, noClass, 0])
    const marksOf = { deleted: null, replaced: 0, classes: named, always: 0, classAt, byHand: 0, deletedCount: 0, counts: [] }
    const run = madeRun({ objects, marks: marksOf })
    const numbered = { ...run, objects: run.objects.only(Uint32Array.from([0, 2, 3, 5])) }
    const area = {
      title: 'Tumor',
      box: { minX: 0, minY: 0, maxX: 1, maxY: 1 },
      shape: { kind: 'rectangle' as const, x: 0, y: 0, width: 1, height: 1 },
    }
    const objectRegions = { names: [[], ['Tumor']], holders: [[], [0]], areas: [area], at: Uint32Array.from([0, 0, 1, 1, 0, 0]) }
    const comments = async (laser: Partial<LaserRequest>) =>
      (await exported(numbered, laser, { objectRegions })).palm.map(({ comment }) => comment).sort()
    const [first, third, sixth] = [1, 3, 6].map((n) => `Object ${n} 腫瘍 "x"\\u0009`)
    expect(await comments({})).toEqual([first, third, 'Object 4 B', sixth])
    expect(await comments({ filter: 'class = c0' })).toEqual([first, third, sixth])
    expect(await comments({ filter: 'id > 3' })).toEqual(['Object 4 B', sixth])
    expect(await comments({ region: 'Tumor' })).toEqual([third, 'Object 4 B'])
    expect(await comments({ region: 'Tumor', filter: 'class = B' })).toEqual(['Object 4 B'])
    await expect(comments({ region: 'Stroma' })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      message: /one of the regions Tumor but received Stroma/,
    })
    await expect(comments({ filter: 'nothing > 3' })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
  })

  it('name the well of their class, and only wells of classes that are there', async () => {
    const named = ['Positive', 'Negative', 'Other'].map((label, i) => ({
      id: `c${i}`,
      label,
      color: [0, 0, i] as [number, number, number],
    }))
    const classAt = Uint8Array.from([0, 1, 0, 2, noClass, 1])
    const marksOf = { deleted: null, replaced: 0, classes: named, always: 0, classAt, byHand: 0, deletedCount: 0, counts: [] }
    const run = madeRun({ objects: discs(6), marks: marksOf })
    const wells = wellsIn('Positive = A1, c1=h12')!
    const { palm, warnings, record } = await exported(run, { wells })
    const xml = await readFile(join(directory, 'shapes.lmd.xml'), 'utf8')
    const caps = [...xml.matchAll(/<Shape_\d+>\n {4}<PointCount>\d+<\/PointCount>\n(?: {4}<CapID>(\w+)<\/CapID>\n)?/g)].map(
      ([, cap]) => cap,
    )
    const wellOf = [undefined, 'A1', 'H12', 'A1', undefined, undefined, 'H12']
    expect(caps).toEqual(palm.map(({ comment }) => wellOf[Number(/\d+/.exec(comment)![0])]))
    expect(warnings).toEqual(['2 shapes have no well: no well is given for their class.'])
    expect(record.export.laser).toMatchObject({ wells })
    expect((await exported(run)).warnings).toEqual([])
    expect(await readFile(join(directory, 'shapes.lmd.xml'), 'utf8')).not.toContain('CapID')
    const unknown = { wells: wellsIn('Tumour=A1')! }
    await expect(exported(run, unknown)).rejects.toMatchObject({
      message: /classes Positive, Negative, Other but received Tumour/,
    })
    await expect(exported(madeRun({ objects: discs(1) }), unknown)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    await expect(exported(run, { cells: true })).rejects.toMatchObject({ message: /has no cells to cut/ })
  })

  it.each(['', 'Positive', 'a=Z1', 'a=A25', 'a=A0', 'a=A1,a=A2', 'a=<A1>', '=A1', 'a=A1,'])('takes %j for no wells', (text) => {
    expect(wellsIn(text)).toBeNull()
  })

  it('say so where there are none, and what of them is not cut', async () => {
    const none = await exported(madeRun({ objects: [] }))
    expect([none.lmd.shapes, none.palm, none.warnings]).toEqual([[], [], [expect.stringContaining('No object is chosen')]])
    expect(none.lmd.marks).toEqual([[1200, 700], [98_050, 4000], [30_000, 79_025]]) // oxfmt-ignore
    const ring = await exported(madeRun({ objects: [drawn(['###', '#.#', '###']), drawn(['#.', '.#'], 9, 9)] }))
    // Two pixels that touch at a corner are two shapes of one object.
    expect(ring.palm.map(({ comment }) => comment)).toEqual(['Object 1', 'Object 2', 'Object 2'])
    expect(ring.warnings).toEqual([expect.stringMatching(/^1 hole is not cut/)])
    expect(ring.record.export.laser).toEqual({ marks, tolerance: 0, filter: '' })
  })

  it('are refused before anything is written: without marks, with marks on a line, without a pixel size, too many', async () => {
    const wrong = (run: RunResult, request: Partial<ExportRunRequest>) =>
      expect(exported(run, {}, request)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    const run = madeRun({ objects: discs(3) })
    await wrong(run, { laser: undefined })
    const line: LaserMarks = [[0, 0], [10, 10], [2000, 2001]] // oxfmt-ignore
    await wrong(run, { laser: { marks: line, tolerance: 0 } })
    await wrong(run, { laser: { marks, stageUm: line, tolerance: 0 } })
    await wrong(run, { laser: { marks: [[1, 1], [1, 1], [1, 1]], tolerance: 0 } }) // oxfmt-ignore
    await wrong(madeRun({ objects: discs(3), analysedMpp: null }), {})
    const many = Array.from({ length: 10_001 }, (_, i) => drawn(['#'], (i % 100) * 2, Math.floor(i / 100) * 2))
    await wrong(madeRun({ objects: many }), {})
    expect(await readdir(directory)).toEqual([])
  })

  it('come nearest after nearest', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 })), { maxLength: 30 }),
        (places) => {
          const shapes = places.map((point, i) => ({ number: i + 1, className: '', well: '', ring: [point] }))
          const order = byNearest(shapes, [5, 5])
          expect(order.map(({ number }) => number).sort((a, b) => a - b)).toEqual(shapes.map(({ number }) => number))
          let [from, left] = [[5, 5] as Point, shapes]
          for (const next of order) {
            const d = far(next.ring[0]!, from)
            for (const other of left) expect(far(other.ring[0]!, from)).toBeGreaterThanOrEqual(d)
            left = left.filter((each) => each !== next)
            from = next.ring[0]!
          }
        },
      ),
      { seed: 43 },
    )
  })

  it('reads marks as they are typed', () => {
    expect(marksIn('1,2;3.5,-4; 5 , 6')).toEqual([[1, 2], [3.5, -4], [5, 6]]) // oxfmt-ignore
    for (const text of [
      '',
      '1,2;3,4',
      '1,2;3,4;5',
      '1,2;3,4;5,x',
      '1,2;3,4;5,',
      '1,2;3,4;5,6;7,8',
      '1,2;3,4;5,1e9',
      'NaN,1;2,3;4,5',
    ])
      expect(marksIn(text)).toBeNull()
  })
})
