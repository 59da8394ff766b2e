// An array's places as regions: names, labels of a stranger's CSV, rows and columns more and less, each taken back by its inverse.
import { describe, expect, it } from 'vitest'
import {
  coreName,
  coresOf,
  deleteLine,
  insertLine,
  keepCores,
  labelCores,
  labelsIn,
  markCores,
  middleOf,
  namingOf,
  renameCores,
  RegionOfInterest,
  signOf,
  usualNaming,
} from '../../../app/contract'
import type { CoreNaming, DocumentCommand, FoundCores } from '../../../app/contract'
import { apply, emptyContent } from '../../../main/project/document'
import type { Content } from '../../../main/project/document'
import { regionsOf, geoJsonOf } from '../../../main/project/geojsonFile/geojson'

const slide = 'a'.repeat(32)
let next = 0
const newId = (): string => `00000000-0000-4000-8000-${String(++next).padStart(12, '0')}`
const createdAt = '2026-01-02T03:04:05.000Z'

/** Rows × columns of cores 100 px apart, 60 across; the third one is missing. */
const found = (rows: number, columns: number): FoundCores => ({
  ...{ rows, columns, diameterPx: 60, diameterUm: 600, rotation: 0, outside: [], unread: null },
  cores: Array.from({ length: rows * columns }, (_, i) => {
    const [row, column] = [Math.floor(i / columns), i % columns]
    return { row, column, x: 100 * (column + 1), y: 100 * (row + 1), missing: i === 2 }
  }),
})
const kept = (rows = 2, columns = 3, naming: CoreNaming = usualNaming): Content =>
  apply(
    emptyContent,
    keepCores(found(rows, columns), { naming, slide, classes: emptyContent.classes, regions: [], createdAt, newId }),
  ).next
const on = (content: Content) => coresOf([...content.regions.values()].map(({ region }) => region))
const namesOf = (content: Content): string =>
  on(content)
    .map(({ name }) => name)
    .join(' ')
/** Does it, and sees that its inverse makes of it what was there. */
function done(content: Content, command: DocumentCommand | null): Content {
  if (!command) throw new Error('there is no command')
  const { next: after, inverse } = apply(content, command)
  const back = apply(after, inverse, true).next
  expect(on(back)).toEqual(on(content))
  expect(back.classes).toEqual(content.classes)
  for (const each of on(after)) expect(RegionOfInterest.parse(JSON.parse(JSON.stringify(each)))).toEqual(each)
  return after
}

describe('names', () => {
  it('are letters and numbers from any corner', () => {
    expect([0, 25, 26, 701, 702].map((at) => signOf(at, 'letters'))).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA'])
    const size = { rows: 6, columns: 10 }
    expect(coreName({ row: 1, column: 2 }, size, usualNaming)).toBe('B-3')
    expect(coreName({ row: 1, column: 2 }, size, { rows: 'numbers', columns: 'letters', first: 'bottom-right' })).toBe('5-H')
    expect(coreName({ row: 5, column: 0 }, size, { ...usualNaming, first: 'top-right' })).toBe('F-10')
  })
})

describe('steps', () => {
  it('keep what was found as circles with names and a class, in one step; found again, the first ones go and labels stay', () => {
    const content = done(
      emptyContent,
      keepCores(found(2, 3), { naming: usualNaming, slide, classes: emptyContent.classes, regions: [], createdAt, newId }),
    )
    expect(namesOf(content)).toBe('A-1 A-2 A-3 B-1 B-2 B-3')
    expect(on(content).map(({ core }) => core.missing)).toEqual([false, false, true, false, false, false])
    expect(content.classes.at(-1)!.name).toBe('TMA core')
    expect(new Set(on(content).map(({ classId }) => classId))).toEqual(new Set(['tma-core']))
    expect(on(content)[4]!.shape).toEqual({ kind: 'ellipse', x: 170, y: 170, width: 60, height: 60 })
    const labelled = done(content, labelCores(on(content), [{ at: null, name: 'b2', label: 'case 7' }]).command)
    const regions = on(labelled)
    const again = done(
      labelled,
      keepCores(found(2, 4), { naming: usualNaming, slide, classes: labelled.classes, regions, createdAt, newId }),
    )
    expect(again.regions.size).toBe(8)
    expect(
      on(again)
        .filter(({ core }) => core.label !== '')
        .map(({ name, core }) => `${name}: ${core.label}`),
    ).toEqual(['B-2: case 7'])
    expect(again.classes).toEqual(content.classes)
  })

  it('mark, rename, and change nothing where nothing is another', () => {
    const content = kept()
    const marked = done(content, markCores(on(content).slice(0, 3), true))
    expect(on(marked).map(({ core }) => core.missing)).toEqual([true, true, true, false, false, false])
    expect(markCores(on(marked).slice(0, 3), true)).toBeNull()
    const renamed = done(content, renameCores(on(content), { rows: 'numbers', columns: 'letters', first: 'bottom-left' }))
    expect(namesOf(renamed)).toBe('2-A 2-B 2-C 1-A 1-B 1-C')
    expect(renameCores(on(content), usualNaming)).toBeNull()
    const size = { rows: 2, columns: 3 }
    expect(namingOf(on(renamed), size)).toEqual({ rows: 'numbers', columns: 'letters', first: 'bottom-left' })
    expect([namingOf(on(content), size), namingOf([], size)]).toEqual([usualNaming, null])
    const own = on(content).map((core, i) => (i === 0 ? { ...core, name: 'control' } : core))
    expect(namingOf(own, size)).toBeNull()
    // What somebody named himself keeps that when a row comes before it.
    const named = done(content, { type: 'regions:change', changes: [{ id: on(content)[0]!.id, name: 'control' }] })
    const more = done(named, insertLine(on(named), 'row', 0, usualNaming, { createdAt, newId }))
    expect(namesOf(more)).toBe('A-1 A-2 A-3 control B-2 B-3 C-1 C-2 C-3')
  })

  it('insert and delete rows and columns: between, before and behind', () => {
    const content = kept()
    const tools = { createdAt, newId }
    const middle = done(content, insertLine(on(content), 'row', 1, usualNaming, tools))
    expect(namesOf(middle)).toBe('A-1 A-2 A-3 B-1 B-2 B-3 C-1 C-2 C-3')
    expect(on(middle).map(({ core }) => core.missing)).toEqual([false, false, true, true, true, true, false, false, false])
    expect(
      on(middle)
        .slice(3, 6)
        .map(({ shape }) => middleOf(shape)),
    ).toEqual([100, 200, 300].map((x) => ({ x, y: 150 })))
    expect(on(middle)[6]!.id).toBe(on(content)[3]!.id)
    const first = done(content, insertLine(on(content), 'column', 0, usualNaming, tools))
    expect(middleOf(on(first)[0]!.shape)).toEqual({ x: 0, y: 100 })
    const last = done(content, insertLine(on(content), 'column', 3, usualNaming, tools))
    expect(middleOf(on(last)[3]!.shape)).toEqual({ x: 400, y: 100 })
    expect(insertLine(on(content), 'column', 5, usualNaming, tools)).toBeNull()
    const less = done(middle, deleteLine(on(middle), 'row', 1, usualNaming))
    expect(on(less)).toEqual(on(content))
    const one = kept(1, 3)
    expect(deleteLine(on(one), 'row', 0, usualNaming)).toBeNull()
    expect(deleteLine(on(one), 'column', 7, usualNaming)).toBeNull()
  })
})

describe('labels', () => {
  const content = kept()
  const names = new Set(on(content).map(({ name }) => name))
  const read = (text: string) => labelsIn(text, { rows: 2, columns: 3 }, names)
  const labelled = (text: string): string => {
    const labels = read(text)
    if (typeof labels === 'string') return labels
    const { command, labelled: count, unknown } = labelCores(on(content), labels)
    const after = command ? done(content, command) : content
    return `${on(after)
      .map(({ core }) => core.label)
      .join(' ')} | ${count} | ${unknown.join(' ')}`
  }

  it('are rows with a head, rows without, or a matrix, with signs at its edges or not', () => {
    expect(labelled('core,case\nA-1,17\nb3,"18, left"\n')).toBe('17     18, left | 2 | ')
    expect(labelled('\uFEFFCore;grade;Case ID\r\nA 1;3;x\r\n\r\nC-9;3;y\r\n')).toBe('x      | 1 | C-9')
    expect(labelled('A-1\t1\nA-2\t2')).toBe('1 2     | 2 | ')
    expect(labelled('a,b,c\nd,e,f\n')).toBe('a b c d e f | 6 | ')
    expect(labelled(',1,2,3\nA,a,b,c\nB,d,,f\n')).toBe('a b c d  f | 6 | ')
    expect(labelled('core,label\nA-1,"two ""words"""\n')).toBe('two "words"      | 1 | ')
  })

  it('are refused with the line and the value', () => {
    expect(read('')).toBe('it is empty')
    expect(read('a,b\nc,d\n')).toContain('it has 2 × 2 cells, and the array has 2 × 3 cores')
    expect(read('core,label\nA-1,1\na1,2\n')).toBe('line 3 names the core a1 again, after line 2')
    expect(read('core,label\nA-1\n')).toBe('line 2 has one cell, and no label in cell 2')
    expect(read('core,label\nA-1,"open\n')).toBe('the quotation mark of line 2 is not closed')
    expect(read(`core,label\nA-1,${'x'.repeat(201)}\n`)).toContain('line 2 has a text of 201 characters')
    expect(read('core,label\nA-1,a\u0007b\n')).toBe('line 2 has a control character')
    expect(read('x'.repeat(2 ** 20 + 1))).toContain('it is larger than')
    expect(read(','.repeat(50_000))).toContain('it has more than 40,000 cells')
  })
})

describe('GeoJSON', () => {
  it('has cores as QuPath writes them, and reads them back as they were', () => {
    const content = kept()
    const cores = on(done(content, labelCores(on(content), [{ at: null, name: 'A-1', label: 'case 1' }]).command))
    const text = geoJsonOf(cores, content.classes)
    const { features } = JSON.parse(text) as { features: { properties: Record<string, unknown> }[] }
    expect(features[0]!.properties).toMatchObject({
      objectType: 'tmaCore',
      isMissing: false,
      name: 'A-1',
      metadata: { 'Case ID': 'case 1' },
    })
    expect(features[2]!.properties).toMatchObject({ isMissing: true })
    const back = regionsOf(text, slide, { ...emptyContent, classes: content.classes })
    expect(back.leftOut).toEqual([])
    expect(back.regions.map(({ name, core, classId }) => ({ name, core, classId }))).toEqual(
      cores.map(({ name, core, classId }) => ({ name, core, classId })),
    )
    expect(geoJsonOf(cores, content.classes, true)).not.toContain('Case ID')
  })

  it('of QuPath itself, without rows and columns, has cores in their order by name', () => {
    const core = (name: string, isMissing: boolean) => ({
      type: 'Feature',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [10, 0],
            [10, 10],
            [0, 10],
            [0, 0],
          ],
        ],
      },
      properties: { objectType: 'tma_core', name, isMissing, metadata: { 'Unique ID': 'p1', __proto__: 3 } },
    })
    const text = JSON.stringify({ type: 'FeatureCollection', features: [core('B-12', true), core('mark', false)] })
    const { regions } = regionsOf(text, slide, emptyContent)
    expect(regions.map((each) => each.core)).toEqual([{ row: 1, column: 11, missing: true, label: 'p1' }, undefined])
  })
})
