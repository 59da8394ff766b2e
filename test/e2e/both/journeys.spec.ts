// The main job from end to end, by the same steps in both shells: open, look, segment, tune, measure, cancel, survive, export.
import { expect, test } from '@playwright/test'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { usualExportFiles } from '../../../app/contract'
import { axeFindings } from '../axe'
import { checkExport, checkPdf } from '../exported'
import {
  clicksNucleus,
  endsWhenAsked,
  hasFocus,
  takesFocusTo,
  keepScreenshot,
  movesSlider,
  objectCount,
  readsMeasurements,
  runEnds,
  seesOtherOverlay,
  seesOutlines,
  seesTissue,
  segmentsVisible,
  settled,
  startsLongRun,
  viewerOf,
  zoomsToNuclei,
} from '../journey'
import { patience } from '../patience'
import { darkestNucleus, isGrey, isTissue, overlay, picture, share } from '../pixels'
import { drags, viewOf } from '../regionSteps'
import { root, sample, withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell

withShell((started) => void (shell = started))
test.afterEach(async ({ browserName: _ }, { title, status }) => {
  if (status === 'failed' || status === 'timedOut') await keepScreenshot(shell, `failed-${title.replace(/\W+/g, '-')}`)
})

/** A state that most steps start from: the sample on screen, single nuclei plain to see, and a result over them. */
async function segmented(): Promise<void> {
  await seesTissue(shell)
  await shell.page.keyboard.press('Escape')
  await zoomsToNuclei(shell)
  if ((await overlay(shell.page)).coloured < 500) await segmentsVisible(shell)
}

test('the sample slide is on the screen, with its scale and position', async () => {
  await seesTissue(shell)
  await viewerOf(shell.page).hover()
  await expect(shell.page.getByText(/\d+ µm/).first()).toBeVisible()
  await keepScreenshot(shell, '1-opened')
})

test('a click on tissue shows the object under it, before any run', async () => {
  await seesTissue(shell)
  await zoomsToNuclei(shell)
  const place = darkestNucleus(await picture(viewerOf(shell.page)))
  await viewerOf(shell.page).click({ position: place })
  await readsMeasurements(shell)
  await keepScreenshot(shell, '2-click-to-segment')
  await shell.page.keyboard.press('Escape')
})

test('the visible field is segmented: coloured outlines over the tissue', async () => {
  await seesTissue(shell)
  await zoomsToNuclei(shell)
  const look = await segmentsVisible(shell)
  // Outlines, not a film over everything.
  expect(look.covered / (look.width * look.height)).toBeLessThan(0.5)
  expect(look.coloured / look.covered).toBeGreaterThan(0.2)
  await keepScreenshot(shell, '3-segmented')
})

test('a slider changes the overlay; the same value gives the same pixels again', async () => {
  await segmented()
  await settled(shell.page)
  const before = await overlay(shell.page)
  await movesSlider(shell, 'threshold-level', 'ArrowRight', 6)
  await seesOtherOverlay(shell, before)
  await runEnds(shell)
  await settled(shell.page)
  const moved = await overlay(shell.page)
  await keepScreenshot(shell, '4-slider-moved')
  await shell.page.getByTestId('reset-all').click()
  await seesOtherOverlay(shell, moved)
  await runEnds(shell)
  await settled(shell.page)
  await movesSlider(shell, 'threshold-level', 'ArrowRight', 6)
  await expect.poll(async () => (await overlay(shell.page)).hash).toBe(moved.hash)
  await shell.page.getByTestId('reset-all').click()
})

test('a click inside an outline shows the measurements of that nucleus', async () => {
  await segmented()
  await clicksNucleus(shell)
  await readsMeasurements(shell)
  await keepScreenshot(shell, '5-measured')
})

test('the layers show stains and the steps of the recipe', async () => {
  await segmented()
  const { page } = shell
  const names: string[] = []
  const choose = page.getByTestId('layer-select')
  await choose.click()
  for (const option of await page.getByRole('option').all()) names.push((await option.textContent()) ?? '')
  await page.keyboard.press('Escape')
  expect(names.length).toBeGreaterThanOrEqual(8)
  // Stains and masks are grey; what has levels is seen in colours, and is seen: its legend says what they mean, and where the pointer is.
  for (const [wanted, isGreyed] of [
    [/hematoxylin/i, true],
    [/^mask/i, true],
    [/^lower envelope/i, false],
    [/^depth/i, false],
  ] as const) {
    const name = names.find((each) => wanted.test(each))!
    await choose.click()
    await page.getByRole('option', { name, exact: true }).click()
    const greyShare = async () => share(await picture(viewerOf(page)), isGrey)
    if (isGreyed) await expect.poll(greyShare, { message: `${name} is grey` }).toBeGreaterThan(0.4)
    else {
      await expect.poll(greyShare, { message: `${name} is coloured` }).toBeLessThan(0.2)
      const legend = page.getByTestId('layer-legend')
      await expect(legend).toContainText(name)
      const box = (await viewerOf(page).boundingBox())!
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
      await expect(page.getByTestId('layer-value')).toHaveText(/Under the pointer: \d+/)
      await legend.getByRole('button', { name: '0 to 255' }).click()
      await expect(legend).toContainText('255')
      await legend.getByRole('button', { name: 'Fit to view' }).click()
    }
    await keepScreenshot(shell, `6-layer-${name.replace(/\W+/g, '-').toLowerCase()}`)
  }
  await choose.click()
  await page.getByRole('option', { name: names[0]!, exact: true }).click()
  await expect.poll(async () => share(await picture(viewerOf(page)), isTissue)).toBeGreaterThan(0.1)
})

test('the keyboard alone: fit, zoom, segment, select, help, overlay off and on', async () => {
  await seesTissue(shell)
  const { page } = shell
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('f')
  await settled(page)
  const fitted = (await picture(viewerOf(page))).data
  for (let n = 0; n < 6; n++) await page.keyboard.press('+')
  await settled(page)
  expect(fitted.equals((await picture(viewerOf(page))).data)).toBe(false)
  await page.keyboard.press('Space')
  await seesOutlines(shell)
  await page.keyboard.press('o')
  await expect(page.getByTestId('overlay-canvas')).toBeHidden()
  await page.keyboard.press('o')
  await expect(page.getByTestId('overlay-canvas')).toBeVisible()
  // Every control can be reached, and says what it is.
  for (let n = 0; n < 12; n++) {
    await page.keyboard.press('Tab')
    const named = await page.evaluate(() => {
      const element = document.activeElement
      return Boolean(
        element?.getAttribute('aria-label') || element?.textContent?.trim() || element?.getAttribute('title') || element?.id,
      )
    })
    expect(named, `control ${n + 1} has a name`).toBe(true)
  }
})

test('the menu of devices: the CPU computes, and where there is no GPU it says why', async () => {
  await seesTissue(shell)
  const { page } = shell
  const menu = page.getByTestId('device-menu')
  await page.keyboard.press('Escape')
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('g')
  await expect(menu).toBeVisible()
  await expect(page.getByTestId('device-cpu')).toHaveAttribute('aria-checked', 'true')
  await expect(page.getByTestId('device-cpu')).toContainText(/\d+ threads/)
  const devices = await menu
    .getByRole('menuitemradio')
    .and(menu.getByTestId(/^device-/))
    .count()
  if (devices === 1) {
    const reason = menu.getByRole('menuitem', { name: /^No GPU.{10,}/ })
    await expect(reason).toBeVisible()
    await expect(reason).toBeDisabled()
  } else await expect(menu).not.toContainText('No GPU')
  await keepScreenshot(shell, '12-devices')
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  // By its control too, which has a name and gets the focus back.
  const control = page.getByTestId('devices')
  await expect(control).toHaveAccessibleName(/^CPU.* computes/)
  await control.focus()
  await page.keyboard.press('Enter')
  await expect(menu).toBeVisible()
  await takesFocusTo(page.getByTestId('device-cpu'), 'ArrowDown')
  await page.keyboard.press('Enter')
  await expect(menu).toBeHidden()
  await hasFocus(control)
  await expect(control).toContainText('CPU')
})

test('a rectangle is run and cancelled: what is done stays, and the next run works', async () => {
  const { page } = shell
  await seesTissue(shell)
  await page.keyboard.press('Escape')
  await page.getByTestId('viewer').hover()
  await page.keyboard.press('f')
  await settled(page)
  await startsLongRun(shell)
  await expect.poll(() => objectCount(shell), patience).toBeGreaterThan(0)
  await endsWhenAsked(page, page.getByTestId('cancel'), () => page.getByTestId('cancel').isHidden())
  await runEnds(shell)
  await expect(page.getByTestId('progress')).toHaveAttribute('data-state', 'cancelled')
  expect(await objectCount(shell)).toBeGreaterThan(0)
  await expect.poll(async () => (await overlay(page)).coloured).toBeGreaterThan(0)
  await keepScreenshot(shell, '7-cancelled')
  await page.getByTestId('reset-all').click()
  await zoomsToNuclei(shell)
  await segmentsVisible(shell)
})

test('the engine dies during a run: the slide, its view, regions and results come back, what was running is gone on with, and all works', async () => {
  const { page } = shell
  await seesTissue(shell)
  await zoomsToNuclei(shell)
  const finished = page.getByTestId('run-row').filter({ hasText: 'Visible field' }).first()
  // Its name and its objects.
  const found = /^[^]*?(?=\d\.\d+ mm²)/.exec((await finished.textContent()) ?? '')![0]
  const { center } = await viewOf(page)
  await page.keyboard.press('x')
  await drags(page, [center.x - 150, center.y - 100], [center.x - 50, center.y + 100])
  await expect(page.getByTestId('region-row')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await page.keyboard.press('f')
  await settled(page)
  await startsLongRun(shell)
  const fields = page.getByTestId('run-row').filter({ hasText: 'Visible field' })
  const fieldsBefore = await fields.count()
  const tilesDone = async () =>
    Number(/([\d\s]+)\//.exec((await page.getByTestId('progress').textContent()) ?? '')?.[1]?.replace(/\D/g, ''))
  // What is final is on the disk within two seconds, in which a fast machine computes many.
  await expect.poll(tilesDone, patience).toBeGreaterThan(30)
  const final = Date.now()
  await expect.poll(async () => Date.now() - final > 2500 && (await tilesDone()) > 60, patience).toBe(true)
  const view = JSON.stringify(await viewOf(page))
  shell.killEngine()
  const banner = page.getByTestId('error-banner')
  await expect(banner).toContainText(/engine stopped/i)
  const goesOn = page.getByTestId('banner-resume')
  await expect(goesOn).toHaveText(/^Go on at [1-9]\d* %$/)
  await seesTissue(shell)
  await expect(finished).toContainText(found)
  await expect.poll(async () => (await overlay(page)).covered).toBeGreaterThan(500)
  await expect(page.getByTestId('region-row')).toHaveCount(1)
  await keepScreenshot(shell, '8-engine-lost')
  await goesOn.click()
  await expect(banner).toBeHidden()
  // A rectangle that was ended before is no result that comes back by itself, nor one that goes on.
  await expect(fields).toHaveCount(fieldsBefore)
  await expect(page.getByTestId('run-row')).toHaveCount(fieldsBefore + 1)
  await expect(page.getByTestId('progress')).toHaveAttribute('data-state', 'running')
  await expect.poll(tilesDone).toBeGreaterThan(10)
  expect(JSON.stringify(await viewOf(page))).toBe(view)
  await keepScreenshot(shell, '8-engine-lost-goes-on')
  await endsWhenAsked(page, page.getByTestId('cancel'), () => page.getByTestId('cancel').isHidden())
  await page.getByTestId('region-row').click()
  await page.keyboard.press('Delete')
  await expect(page.getByTestId('region-row')).toHaveCount(0)
  await page.getByTestId('reset-all').click()
  await seesTissue(shell)
  await zoomsToNuclei(shell)
  await segmentsVisible(shell)
  expect(await objectCount(shell)).toBeGreaterThan(3)
})

test('an export writes five files that parse and agree with each other', async () => {
  await segmented()
  await segmentsVisible(shell)
  const { page, folder } = shell
  const target = join(folder, 'exported')
  mkdirSync(target)
  await page.getByTestId('export-open').click()
  await shell.chooseDirectory(target)
  await keepScreenshot(shell, '9-export')
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-result')).toContainText('run.json', patience)
  // In a folder of its own.
  const [own] = readdirSync(target)
  await checkExport(join(target, own!))
  await keepScreenshot(shell, '9-exported')
  // A browser prints the page that is opened in it; the desktop prints the report itself.
  const pdf = page.getByTestId('export-file-report.pdf')
  if (shell.name === 'chromium') await expect(pdf).toHaveCount(0)
  else {
    for (const name of usualExportFiles) await page.getByTestId(`export-file-${name}`).uncheck()
    await pdf.check()
    await page.getByTestId('export-run').click()
    await expect(page.getByTestId('export-result')).toContainText('report.pdf')
    const printed = readdirSync(target).find((name) => name !== own)!
    checkPdf(join(target, printed), 'CMU-1')
    const written = join(target, printed, 'report.pdf')
    copyFileSync(written, join(root, 'test-results', 'screenshots', 'report.pdf'))
    // The report first, then its folder; without a pointer.
    await expect(page.getByTestId('export-open-report')).toBeFocused()
    await keepScreenshot(shell, '9-exported-report')
    const press = async () => {
      for (const key of ['Enter', 'Tab', 'Enter']) await page.keyboard.press(key)
    }
    expect(await shell.opens!(press, 2)).toEqual({ opened: [written], shown: [written] })
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('a broken slide gives a clear error, and the next one opens', async () => {
  const { page, folder } = shell
  const broken = join(folder, 'broken-ä.svs')
  writeFileSync(broken, readFileSync(sample).subarray(0, 20_000))
  const good = join(folder, 'good.svs')
  copyFileSync(sample, good)
  await shell.chooseFile(broken, () => page.getByTestId('open').click())
  await expect(page.getByText(/broken-ä\.svs/).first()).toBeVisible()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await keepScreenshot(shell, '10-broken-slide')
  await shell.chooseFile(good, () => page.getByTestId('open').click())
  await seesTissue(shell, 'good.svs')
})

test('the start page offers what was opened lately, and a tour that points at the controls', async () => {
  const { page, folder } = shell
  // What is on the list and not there is shown so, and can be taken off it.
  rmSync(join(folder, 'good.svs'))
  await page.keyboard.press('Shift+J')
  const start = page.getByTestId('start-page')
  await expect(start).toBeFocused()
  const card = (name: string) => page.getByTestId('start-slides').getByRole('listitem').filter({ hasText: name })
  await expect(card('good.svs')).toContainText('Not found')
  await expect(card('good.svs').getByRole('button', { name: /good\.svs.*Not found/ })).toBeDisabled()
  const picture = card('CMU-1-Small-Region.svs').locator('img')
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(50)
  expect(await axeFindings(page)).toEqual([])
  await keepScreenshot(shell, '13-start')
  await card('good.svs').getByTestId('start-forget').click()
  await expect(card('good.svs')).toHaveCount(0)
  await card('CMU-1-Small-Region.svs').getByRole('button', { name: /^CMU/ }).press('Enter')
  await expect(start).toBeHidden()
  await seesTissue(shell)
  await page.keyboard.press('Shift+J')
  await page.getByTestId('start-tour').click()
  const tour = page.getByTestId('tour')
  for (const title of ['Open a slide', 'Find the nuclei', 'Tune and export']) {
    await expect(tour.getByRole('heading')).toHaveText(title)
    await expect(page.locator('.tour-ring').first()).toBeVisible()
    if (title !== 'Tune and export') await page.keyboard.press('Enter')
  }
  await keepScreenshot(shell, '13-tour')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(tour).toBeHidden()
})
