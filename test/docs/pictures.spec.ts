// Walks each tutorial in the real window: what it shows stands on the page, and its pictures are the page's.
import { expect, test } from '@playwright/test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { objectCount, seesTissue, segmentsVisible, settled, viewerOf, zoomsToNuclei } from '../e2e/journey'
import { answered, patience } from '../e2e/patience'
import { launch, root, whyNot } from '../e2e/shells'
import type { Shell } from '../e2e/shells'
import { keeps, mostOthers, onPage, othersIn, window } from './pictures'
import { asks, chooses, key, morphoscope, opensSample, quiet, runsWhole } from './steps'

const pictures = (name: string): string => `tutorials/pictures/${name}`

async function shows(shell: Shell, name: string): Promise<void> {
  await quiet(shell)
  await settled(shell.page)
  await keeps(shell.page, pictures(name))
}

/** In a window of its own, as a reader's. */
function walk(page: string, steps: (shell: Shell) => Promise<void>): void {
  test(page, async () => {
    const reason = await whyNot('chromium')
    test.skip(reason !== null, reason ?? '')
    const shell = await launch('chromium', { colorScheme: 'light' })
    try {
      await shell.resize(window.width, window.height)
      await seesTissue(shell)
      await steps(shell)
    } finally {
      await shell.close()
    }
  })
}

walk('tutorials/count-nuclei.md', async (shell) => {
  const { page } = shell
  await opensSample(shell, 'he', 'skin.svs')
  await zoomsToNuclei(shell)
  await segmentsVisible(shell)
  await shows(shell, 'count-field')
  await key(shell, 'f')
  await runsWhole(shell)
  onPage('tutorials/count-nuclei.md', `**${await objectCount(shell)}** nuclei`)
  await key(shell, 'b')
  await shows(shell, 'count-table')
  await key(shell, 'b', 'Control+e')
  await expect(page.getByTestId('export-deidentify')).toBeVisible(patience)
  await shows(shell, 'count-export')
})

walk('tutorials/ki67.md', async (shell) => {
  const { page, folder } = shell
  const regions = join(folder, 'regions.geojson')
  await opensSample(shell, 'ki67', 'ki67.tif', '--regions', regions)
  await page.getByTestId('offer-recipe').click()
  await key(shell, 'f')
  await runsWhole(shell)
  const share = /[\d.]+ %/.exec((await page.getByTestId('positive-share').textContent())!)![0]
  onPage('tutorials/ki67.md', `**${share}** positive`)
  await shows(shell, 'ki67-whole')
  await page.getByTestId('region-import').setInputFiles(regions)
  const rows = page.getByTestId('region-row')
  await expect(rows).toHaveCount(2, patience)
  for (const [name, where] of [
    ['Tumor', 'in the tumour'],
    ['Stroma', 'in the stroma'],
  ] as const) {
    const row = rows.filter({ hasText: name })
    await expect(row).toContainText('% positive', patience)
    onPage('tutorials/ki67.md', `**${/([\d.]+ %) positive/.exec((await row.textContent())!)![1]}** ${where}`)
  }
  await rows.last().scrollIntoViewIfNeeded()
  await shows(shell, 'ki67-regions')
  await key(shell, 'Escape')
  await asks(shell, 'H-score')
  await expect(page.getByTestId('rule-limit-2')).toBeVisible(patience)
  for (const [i, limit] of ['0.2', '0.55', '0.78'].entries()) {
    await page.getByTestId(`rule-limit-${i}`).fill(limit)
    await page.getByTestId(`rule-limit-${i}`).press('Enter')
  }
  for (const counted of ['Weak 1+98', 'Moderate 2+104', 'Strong 3+129'])
    await expect(page.getByTestId('classes')).toContainText(counted, patience)
  onPage('tutorials/ki67.md', '98 weak, 104 moderate, 129 strong')
  await page.getByTestId('rule-limit-2').scrollIntoViewIfNeeded()
  await shows(shell, 'ki67-hscore')
})

walk('tutorials/membrane.md', async (shell) => {
  const { page } = shell
  await opensSample(shell, 'her2', 'her2.tif')
  await chooses(shell, 'recipe-select', 'IHC nuclei')
  await asks(shell, 'her2')
  const reach = page.getByTestId('param-cells-expansion')
  await reach.fill('4')
  await reach.press('Enter')
  await key(shell, 'f')
  await runsWhole(shell)
  expect(await objectCount(shell)).toBe(126)
  await asks(shell, 'her2')
  await expect(page.getByTestId('rule-shares')).toContainText('Strong 3+', patience)
  await shows(shell, 'membrane')
})

walk('tutorials/channels.md', async (shell) => {
  const { page } = shell
  await opensSample(shell, 'channels', 'channels.ome.tif')
  await chooses(shell, 'recipe-select', 'Fluorescence nuclei')
  await key(shell, 'f')
  await runsWhole(shell)
  expect(await objectCount(shell)).toBe(576)
  await key(shell, 'b')
  await chooses(shell, 'table-describe', 'CD8 mean')
  await page.getByTestId('class-rule').getByText('Negative, positive').click()
  await page.getByTestId('rule-limit-0').fill('600')
  await page.getByTestId('rule-limit-0').press('Enter')
  await chooses(shell, 'rule-also', 'PanCK mean')
  await page.getByTestId('rule-other-limit-0').fill('600')
  await page.getByTestId('rule-other-limit-0').press('Enter')
  await expect(page.getByTestId('classes')).toContainText('CD8+ PanCK+28', patience)
  onPage('tutorials/channels.md', '**28** are CD8+ PanCK+')
  await page.getByTestId('classes').scrollIntoViewIfNeeded()
  await shows(shell, 'channels')
})

async function draws(shell: Shell, corners: readonly (readonly [number, number])[]): Promise<void> {
  const box = (await viewerOf(shell.page).boundingBox())!
  for (const [i, [x, y]] of corners.entries()) {
    await shell.page.mouse.move(box.x + x, box.y + y, { steps: 4 })
    if (i === 0) await shell.page.mouse.down()
  }
  await shell.page.mouse.up()
}

walk('tutorials/correct.md', async (shell) => {
  const { page } = shell
  await opensSample(shell, 'he', 'first.svs')
  await zoomsToNuclei(shell)
  await segmentsVisible(shell)
  await key(shell, 'l')
  await draws(shell, [
    [200, 300],
    [300, 240],
    [390, 320],
    [360, 430],
    [240, 430],
    [200, 300],
  ])
  await expect(page.getByTestId('lasso-shape')).toBeVisible(patience)
  await shows(shell, 'correct-lasso')
  const before = await objectCount(shell)
  await key(shell, 'Delete')
  await expect.poll(() => objectCount(shell), patience).toBeLessThan(before)
  await key(shell, 'Escape', 'Escape')
  const least = page.getByTestId('param-objects-minArea')
  await least.fill('12')
  await least.press('Enter')
  await segmentsVisible(shell)
  await expect(page.getByTestId('carry-offer')).toContainText('deleted', patience)
  await key(shell, 'Shift+K')
  await expect(page.getByTestId('carry-counts')).toContainText('Deleted', patience)
  await shows(shell, 'correct-carried')
})

walk('tutorials/imported.md', async (shell) => {
  const { page, folder } = shell
  const slide = await opensSample(shell, 'he', 'skin.svs')
  const found = join(folder, 'found')
  morphoscope(folder, 'run', slide, '--recipe', 'cell-detection', '--out', found, '--files', 'objects.geojson,run.json')
  const { features } = JSON.parse(readFileSync(join(found, 'objects.geojson'), 'utf8')) as { features: { geometry: object }[] }
  const cells = features.map(({ geometry }) => ({ type: 'Feature', geometry, properties: { objectType: 'detection' } }))
  const file = join(folder, 'cells.geojson')
  writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features: cells }))
  await zoomsToNuclei(shell)
  await page.getByTestId('region-import').setInputFiles(file)
  await expect(page.getByTestId('run-row')).toHaveCount(1, patience)
  onPage('tutorials/imported.md', `${await objectCount(shell)} objects, as the result cells.geojson`)
  await shows(shell, 'imported')
})

walk('tutorials/cohort.md', async (shell) => {
  const { page, folder } = shell
  const cli = (...args: string[]): string => morphoscope(folder, ...args)
  cli('sample', 'he', '--out', 'case-1.svs')
  cli('sample', 'section', '--out', 'case-2.tif')
  cli('project', 'add', 'study.morphoscope', 'case-1.svs', 'case-2.tif')
  cli('project', 'run', 'study.morphoscope', '--recipe', 'he-nuclei')
  await asks(shell, 'Open a project')
  await page.getByTestId('path-input').fill(join(folder, 'study.morphoscope'))
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('slide-name')).toContainText('case-1.svs', patience)
  for (const [name, objects] of [
    ['case-1.svs', '3003'],
    ['case-2.tif', '3124'],
  ] as const) {
    const row = page.getByText(name, { exact: true }).last().locator('..').locator('..')
    await expect.poll(async () => (await row.textContent())!.replaceAll('\u202f', ''), answered).toContain(objects)
    onPage('tutorials/cohort.md', `${name}  done  ${objects} objects`)
  }
  await shows(shell, 'cohort')
})

walk('tutorials/analyse.md', async (shell) => {
  const { page, folder } = shell
  const regions = join(folder, 'regions.geojson')
  await opensSample(shell, 'ki67', 'ki67.tif', '--regions', regions)
  await page.getByTestId('offer-recipe').click()
  await page.getByTestId('region-import').setInputFiles(regions)
  await expect(page.getByTestId('region-row')).toHaveCount(2, patience)
  await key(shell, 'Escape', 'f')
  await runsWhole(shell)
  await asks(shell, 'Distances')
  await shows(shell, 'analyse')
})

test('a picture that lacks a button’s size of it is another', async () => {
  const picture = readFileSync(join(root, 'docs', 'tutorials', 'pictures', 'count-field.webp'))
  const patch = { create: { width: 110, height: 45, channels: 3 as const, background: '#c33' } }
  const changed = await sharp(picture)
    .composite([{ input: patch, left: 760, top: 300 }])
    .webp({ quality: 72 })
    .toBuffer()
  expect(await othersIn(picture, await sharp(picture).webp({ quality: 72 }).toBuffer())).toBeLessThan(mostOthers)
  expect(await othersIn(picture, changed)).toBeGreaterThan(mostOthers)
})
