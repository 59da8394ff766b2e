// The summary of a project as cells: what is not known is a dash on the screen and nothing in a spreadsheet.
import { expect, it } from 'vitest'
import { cutsOn, cutWords, stainSets, type SummaryRow } from '../../app/contract'
import { columnsOf, summaryCells, summaryHeader, summaryTabs } from '../../renderer/store/cohort/summaryWords'

const row = (more: Partial<SummaryRow> = {}): SummaryRow => ({
  ...{ slide: 'a.svs', region: null, class: '', state: 'done', recipe: 'IHC nuclei', areaPx: 4e6, areaMm2: 1, tissueMm2: 0.5 },
  ...{ values: '0123abcd', result: 'Whole slide', analysedMm2: 1 },
  ...{ objects: 1234, perMm2: 1234, perMm2Tissue: 2468.4, positiveShare: 0.25, hScore: 110.4, why: null },
  cuts: cutsOn('stain2Mean', [0.2, 0.4, 0.6], { stainSet: 'h-dab', stainNames: stainSets['h-dab'].names, length: 'um' }),
  ...more,
})

it('a row has a cell a column', () => {
  expect(summaryCells(row())).toEqual([
    'a.svs',
    '',
    '',
    '',
    'IHC nuclei (Whole slide)',
    '1.000 mm²',
    '0.500 mm²',
    '1\u202f234',
    '–',
    '–',
    '1\u202f234',
    '2\u202f468',
    '25 %',
    '–',
    '110',
    'DAB mean: 1+ above 0.2, 2+ above 0.4, 3+ above 0.6 OD',
  ])
  expect(summaryCells(row())).toHaveLength(summaryHeader.length)
  const unknown = {
    areaMm2: null,
    tissueMm2: null,
    objects: null,
    perMm2: null,
    perMm2Tissue: null,
    positiveShare: null,
    hScore: null,
    cuts: undefined,
  }
  expect(summaryCells(row({ ...unknown, state: 'failed', why: 'The disk is full.' })).slice(4)).toEqual([
    'failed: The disk is full.',
    '4.000 Mpx',
    '–',
    '–',
    '–',
    '–',
    '–',
    '–',
    '–',
    '–',
    '–',
    '–',
  ])
})

it('a slide’s hot spot has its share and its objects, and a column that no row fills is left out', () => {
  const classes = [
    { id: 'negative', label: 'Negative', objects: 20 },
    { id: 'positive', label: 'Positive', objects: 60 },
  ]
  const hotSpot = { diameterUm: 500, leastObjects: 50, x: 700, y: 300, objects: 81, classes }
  const rows = [row({ hotSpot }), row({ region: 'Front' })].map(summaryCells)
  expect(rows.map((cells) => cells[13])).toEqual(['75 % of 81', '–'])
  expect(
    summaryTabs([row({ hotSpot })])
      .split('\n')[1]!
      .split('\t')[13],
  ).toBe('0.75')
  const titles = columnsOf(rows).map((at) => summaryHeader[at])
  expect(titles).toContain('Hot spot')
  expect(summaryHeader.filter((title) => !titles.includes(title))).toEqual(['Case', 'Points', 'Length'])
})

it('points have a count, and no area', () => {
  const points = row({ region: 'Points', state: 'counted', recipe: null, areaPx: 0, areaMm2: null, objects: null, points: 12 })
  expect(summaryCells(points).slice(4, 9)).toEqual(['counted', '–', '0.500 mm²', '–', '12'])
})

it('lines have a length, and no area', () => {
  const line = row({
    region: 'Line',
    state: 'measured',
    recipe: null,
    areaPx: 0,
    areaMm2: null,
    objects: null,
    lengthPx: 60,
    lengthUm: 30,
  })
  expect(summaryCells(line).slice(4, 10)).toEqual(['measured', '–', '0.500 mm²', '–', '–', '30.00 µm'])
  expect(summaryCells({ ...line, lengthUm: null })[9]).toBe('60.00 px')
})

it('the clipboard has plain numbers between tabs, and text with neither tabs nor breaks', () => {
  const [header, first, second] = summaryTabs([row(), row({ region: 'A\tB\nC', objects: null })]).split('\n')
  expect(header!.split('\t')).toEqual([...summaryHeader])
  expect(first!.split('\t')).toEqual([
    'a.svs',
    '',
    '',
    '',
    'done',
    '1',
    '0.5',
    '1234',
    '',
    '',
    '1234',
    '2468.4',
    '0.25',
    '',
    '110.4',
    cutWords(row().cuts!),
  ])
  expect(second!.split('\t').slice(0, 3)).toEqual(['a.svs', 'A B C', ''])
  expect(second!.split('\t')[7]).toBe('')
})

it('cores have their case, where there are any', () => {
  const core = { row: 0, column: 1, missing: false, label: 'case 7' }
  const cells = summaryCells(row({ region: 'A-2', core }))
  expect(cells[3]).toBe('case 7')
  expect(columnsOf([cells]).map((at) => summaryHeader[at])).toContain('Case')
})
