// Every title of app/contract that the window shows has a German one.
import { expect, test } from 'vitest'
import * as contract from '../../../app/contract'
import { germanTitle } from '../../../app/german/titles'

const place: contract.ColumnPlace = { stainSet: 'h-dab', stainNames: ['hematoxylin', 'dab', 'residual'], length: 'um' }
const stains = Object.values(contract.stainSets).flatMap(({ names, title }) => [
  title,
  ...names,
  ...names.map(contract.stainTitle),
])
const known = [
  ...Object.values(contract.measurements).map(({ title }) => title),
  ...Object.values(contract.stainStatistics).map(({ title }) => title),
  ...Object.values(contract.densityTitles),
  ...Object.values(contract.stainMethodTitles).flatMap(({ label, help }) => [label, help]),
  ...contract.measurementKeys.map((key) => contract.cutsOn(key, [1], place).title),
  ...['x', 'y', 'stain1Mean', 'stain2Std', 'stain3Max', 'channel1Sum'].map((key) => contract.cutsOn(key, [1], place).title),
  ...contract.classesOfCuts({ title: 'DAB mean', limits: [1] }).map(({ label }) => label),
  ...contract.classesOfCuts({ title: 'DAB mean', limits: [1, 2, 3] }).map(({ label }) => label),
  ...stains,
  // The first and the last of the table's own (main/table/columns.ts).
  ...['Object', 'Class', 'Centre x', 'Centre y'],
]

/** Names that are the same. */
const alike = ['DAB', 'dab']

test('titles of measurements, statistics, stains, columns and classes are German', () => {
  expect(known.length).toBeGreaterThan(50)
  expect([...new Set(known)].filter((title) => !alike.includes(title) && germanTitle(title) === null)).toEqual([])
})
