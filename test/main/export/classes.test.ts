// Classes of objects in every file: told from the same mean and limit, and nothing of them where a recipe has none.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { exportRun } from '../../../main/export/exportRun'
import { pixelParams } from '../../../main/run/analysis/analysis'
import { ClassCount, classOf, classesOf } from '../../../main/run/objects/objectClasses'
import type { Classes } from '../../../main/run/objects/objectClasses'
import type { RunObject } from '../../../main/run/objects/result'
import { drawn, madeRun, madeTools } from './madeRun'

const rule = {
  channel: 1,
  limit: 'classes.positiveAbove',
  below: { id: 'negative', label: 'Negative', color: [112, 112, 225] as [number, number, number] },
  above: { id: 'positive', label: 'Positive', color: [250, 62, 62] as [number, number, number] },
}
const classes: Classes = classesOf({ classes: rule }, { 'classes.positiveAbove': 0.2, 'mask.holeArea': 4 })!
/** What is exactly at the limit is not above it. */
const means = [0.05, 0.2, 0.2 + 2 ** -52, 1.4, -0.1]
const objects: RunObject[] = means.map((mean, n) => ({
  ...drawn(['###', '###'], 5 * n, 0),
  stain: (statistic, channel) => (statistic === 'mean' && channel === 1 ? mean : 0.3),
}))
const expected = ['negative', 'negative', 'positive', 'positive', 'negative']

let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-classes-'))))
afterEach(async () => await rm(directory, { recursive: true, force: true }))

async function exported(of: Classes | null) {
  const count = of && new ClassCount(of)
  count?.add({ count: means.length, value: (row) => means[row]! }, null)
  const result = madeRun({ objects, classes: of, ...(count && { status: { classes: count.counts() } }) })
  const files = ['objects.csv', 'objects.geojson', 'objects.parquet', 'run.json'] as const
  const tools = madeTools
  await exportRun(result, { directory, files: [...files] }, tools, () => undefined, new AbortController().signal)
  const text = (name: string) => readFile(join(directory, name), 'utf8')
  const bytes = await readFile(join(directory, 'objects.parquet'))
  return {
    csv: (await text('objects.csv'))
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',')),
    features: (JSON.parse(await text('objects.geojson')) as { features: { properties: Record<string, unknown> }[] }).features,
    rows: await parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) }),
    counts: (JSON.parse(await text('run.json')) as { counts: Record<string, unknown> }).counts,
  }
}

it('stand in every file', async () => {
  const { csv, features, rows, counts } = await exported(classes)
  const at = csv[0]!.indexOf('class')
  expect(csv.slice(1).map((row) => row[at])).toEqual(expected)
  expect(features.map(({ properties }) => properties['classification'])).toEqual(
    expected.map((id) => {
      const { label, color } = id === 'positive' ? rule.above : rule.below
      return { name: label, color }
    }),
  )
  expect(rows.map((row) => String(row['class']))).toEqual(expected)
  expect(counts['classes']).toEqual({
    positive: {
      label: 'Positive',
      objects: 2,
      share: 0.4,
      shareInterval95: [expect.closeTo(0.1176, 4), expect.closeTo(0.7693, 4)],
    },
    negative: {
      label: 'Negative',
      objects: 3,
      share: 0.6,
      shareInterval95: [expect.closeTo(0.2307, 4), expect.closeTo(0.8824, 4)],
    },
  })
  expect(objects.map((object) => classOf(classes, object)?.id)).toEqual(expected)
})

it('leave no trace where a recipe has none', async () => {
  const { csv, features, rows, counts } = await exported(null)
  expect(csv[0]).not.toContain('class')
  expect(features.every(({ properties }) => !('classification' in properties))).toBe(true)
  expect(rows.every((row) => !('class' in row))).toBe(true)
  expect(counts).not.toHaveProperty('classes')
  expect(classesOf({}, {})).toBeNull()
})

it('count what is kept, and are no reason to compute anew', () => {
  const count = new ClassCount(classes)
  count.add({ count: means.length, value: (row) => means[row]! }, (row) => row >= 3)
  expect(count.counts().map(({ id, objects: n }) => [id, n])).toEqual([
    ['negative', 1],
    ['positive', 1],
  ])
  const params = { 'classes.positiveAbove': 0.2, 'mask.holeArea': 4, 'tissue.margin': 200 }
  expect(pixelParams({ classes: rule }, params)).toEqual({ 'mask.holeArea': 4 })
  expect(pixelParams({}, params)).toEqual({ 'classes.positiveAbove': 0.2, 'mask.holeArea': 4 })
})
