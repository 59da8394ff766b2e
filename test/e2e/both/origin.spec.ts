// A Leica slide, which QuPath crops: its objects are exported where QuPath has them, and from the slide's corner where that is not wanted.
import { expect, test } from '@playwright/test'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder } from '../../native/pixels'
import { keepScreenshot, objectCount, runEnds, seesTissue, segmentsVisible, zoomsToNuclei } from '../journey'
import { patience } from '../patience'
import { withShell } from '../shells'
import type { Shell } from '../shells'

const data = dataFolder()
const leica = data && join(data, 'slides', 'synthetic', 'leica-two-regions.scn')
test.skip(!leica || !existsSync(leica), 'needs ../shared/data (MORPHOSCOPE_DATA)')

let shell: Shell
withShell((started) => void (shell = started))

interface Exported {
  readonly morphoscope?: object
  readonly features: { readonly geometry: { readonly type: string; readonly coordinates: unknown } }[]
}
/** What the slide states. */
const bounds = [300, 2500] as const
const moved = (value: unknown): unknown =>
  Array.isArray(value) && typeof value[0] === 'number'
    ? value.map((each, i) => (each as number) + bounds[i]!)
    : (value as unknown[]).map(moved)

test('a slide that QuPath does not crop is not asked about', async () => {
  const { page } = shell
  await seesTissue(shell)
  await zoomsToNuclei(shell)
  await segmentsVisible(shell)
  await page.getByTestId('export-open').click()
  await expect(page.getByTestId('export-file-objects.geojson')).toBeChecked()
  await expect(page.getByTestId('export-coordinates')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('export-run')).toHaveCount(0)
})

test('objects of a cropped slide are exported where QuPath has them, unless that is not wanted', async () => {
  const { page, folder } = shell
  const box = page.getByTestId('export-coordinates')
  const slide = join(folder, 'two-regions.scn')
  copyFileSync(leica!, slide)
  await shell.chooseFile(slide, () => page.keyboard.press('ControlOrMeta+o'))
  await expect(page.getByTestId('slide-name')).toContainText('two-regions.scn', patience)
  await page.getByTestId('run-whole').click()
  await expect.poll(() => objectCount(shell), patience).toBeGreaterThan(3)
  await runEnds(shell)

  const exported = async (name: string): Promise<Exported> => {
    const target = join(folder, name)
    mkdirSync(target)
    await shell.chooseDirectory(target)
    await page.getByTestId('export-run').click()
    await expect(page.getByTestId('export-result')).toContainText(target, patience)
    await expect(page.getByTestId('export-result')).toContainText('run.json', patience)
    const [own] = readdirSync(target)
    return JSON.parse(readFileSync(join(target, own!, 'objects.geojson'), 'utf8')) as Exported
  }
  await page.getByTestId('export-open').click()
  await expect(box).toBeChecked()
  await box.scrollIntoViewIfNeeded()
  await keepScreenshot(shell, '75-coordinates-for-qupath')
  const inQuPath = await exported('in-qupath')
  expect(inQuPath.morphoscope).toEqual({ origin: 'bounds', x: bounds[0], y: bounds[1] })
  await box.uncheck()
  const onCanvas = await exported('on-canvas')
  expect(onCanvas.morphoscope).toBeUndefined()
  expect(onCanvas.features.length).toBeGreaterThan(3)
  expect(moved(inQuPath.features.map(({ geometry }) => geometry.coordinates))).toEqual(
    onCanvas.features.map(({ geometry }) => geometry.coordinates),
  )
  // Pictures and times have no coordinates of objects.
  for (const name of ['objects.geojson', 'objects.csv', 'labels.ome.tif']) await page.getByTestId(`export-file-${name}`).uncheck()
  await expect(box).toHaveCount(0)
})

test('regions of a cropped slide go to QuPath and come back, and a file that says nothing is read as the menu has it', async () => {
  const { page, folder } = shell
  const rows = page.getByTestId('region-row')
  const box = page.getByTestId('region-coordinates')
  const square = (x: number, y: number): [number, number][] => [
    [x, y],
    [x + 200, y],
    [x + 200, y + 100],
    [x, y + 100],
    [x, y],
  ]
  const file = join(folder, 'from-qupath.geojson')
  const geometry = { type: 'Polygon', coordinates: [square(1000, 2000)] }
  writeFileSync(
    file,
    JSON.stringify({
      type: 'FeatureCollection',
      features: [{ type: 'Feature', geometry, properties: { objectType: 'annotation' } }],
    }),
  )
  const firstCorner = async (): Promise<unknown> => {
    const { bytes } = await shell.saves(async () => {
      await page.getByTestId('region-more').click()
      await page.getByTestId('region-export').click()
    })
    const { morphoscope, features } = JSON.parse(bytes.toString()) as Exported
    return [morphoscope, (features[0]!.geometry.coordinates as number[][][])[0]![0]]
  }
  await page.keyboard.press('Escape')
  // As it was left in the export's dialog.
  await page.getByTestId('region-more').click()
  await expect(box).toHaveAttribute('aria-checked', 'false')
  await box.click()
  await expect(box).toHaveAttribute('aria-checked', 'true')
  await keepScreenshot(shell, '78-regions-for-qupath')
  await page.keyboard.press('Escape')
  await page.getByTestId('region-import').setInputFiles(file)
  await expect(rows).toHaveCount(1)
  expect(await firstCorner()).toEqual([{ origin: 'bounds', x: bounds[0], y: bounds[1] }, [1000, 2000]])
  await page.getByTestId('region-more').click()
  await box.click()
  await page.keyboard.press('Escape')
  expect(await firstCorner()).toEqual([{ origin: 'slide' }, [1000 + bounds[0], 2000 + bounds[1]]])
  await page.getByTestId('region-import').setInputFiles(file)
  await expect(rows).toHaveCount(2)
})
