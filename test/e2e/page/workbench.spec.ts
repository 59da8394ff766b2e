// The workbench as a pathologist looks at it: what is drawn can be read, its colours are explained, the panels make room. One window, many looks.
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { axeFindings } from '../axe'
import { keepScreenshot, objectCount, seesTissue, segmentsVisible, stepsUntil, viewerOf, zoomsToNuclei } from '../journey'
import { answered, soon } from '../patience'
import { inksOf, overlay } from '../pixels'
import { blur, keepsWhatTheWandShows, walksOut } from '../regionSteps'
import { withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
withShell((started) => void (shell = started))

const chooses = async (page: Page, list: string, option: string | RegExp) => {
  await page.getByTestId(list).click()
  await page.getByRole('option', { name: option }).click()
}

/**
 * No result, the recipe's own values, the nuclei of the middle: as the window stood before the last journey. By where the view says that it is:
 * pictures of the slide, which has long been there, would take seconds.
 */
async function startsAgain(page: Page): Promise<void> {
  for (const button of ['clear-results', 'reset-all']) {
    if (await page.getByTestId(button).isEnabled()) await page.getByTestId(button).click()
  }
  await blur(page)
  await page.keyboard.press('f')
  await page.keyboard.press('1')
  const view = () => page.evaluate(() => JSON.stringify(window.__morphoscope?.view))
  let before = ''
  await expect
    .poll(async () => {
      const same = before === (await view())
      before = await view()
      return same && before.includes('"zoom":1,')
    }, soon)
    .toBe(true)
}

test('outlines are one colour that stands out; a measurement colours them with a legend; from afar density is drawn', async () => {
  const { page } = shell
  const problems: string[] = []
  page.on('console', (message) => {
    // That this test reads canvases back is no fault of the page.
    if (['error', 'warning'].includes(message.type()) && !message.text().includes('willReadFrequently'))
      problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  await seesTissue(shell)
  await zoomsToNuclei(shell)
  await segmentsVisible(shell)
  // One ink, and dark rims beside it: nothing that looks like classes.
  await expect.poll(async () => (await inksOf(page)).map(([ink]) => ink).sort(), soon).toEqual(['190,255,0', 'alpha 150'])
  const inked = async (colour: string) => (await inksOf(page)).find(([ink]) => ink === colour)?.[1] ?? 0
  const thin = await inked('190,255,0')
  expect(await axeFindings(page)).toEqual([])

  // Before and after: left of the bar there is the slide alone; it moves by hand and by arrow keys.
  await page.keyboard.press('v')
  const bar = page.getByTestId('split-bar')
  await expect(bar).toHaveAttribute('aria-valuenow', '50')
  const shown = () => page.getByTestId('overlay-canvas').evaluate((element) => getComputedStyle(element).clipPath)
  expect(await shown()).toBe('inset(0px 0px 0px 50%)')
  await bar.focus()
  for (let n = 0; n < 5; n++) await page.keyboard.press('ArrowLeft')
  await expect(bar).toHaveAttribute('aria-valuenow', '40')
  const grip = (await bar.boundingBox())!
  await page.mouse.move(grip.x + 8, grip.y + 300)
  await page.mouse.down()
  await page.mouse.move(grip.x + 108, grip.y + 300)
  await page.mouse.up()
  const moved = Number(await bar.getAttribute('aria-valuenow'))
  expect(moved).toBeGreaterThan(45)
  expect(await shown()).toMatch(new RegExp(`^inset\\(0px 0px 0px ${moved - 1}|${moved}`))
  expect(await axeFindings(page)).toEqual([])
  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
  ] as const) {
    await shell.resize(width, height)
    await keepScreenshot(shell, `69-split-${width}`)
  }
  await shell.resize(1440, 900)
  await blur(page)
  await page.keyboard.press('v')
  await expect(bar).toBeHidden()
  expect(await shown()).toBe('none')

  // Wider lines cover more; filled, the tissue is seen through.
  await page.getByTestId('look').click()
  expect(await axeFindings(page)).toEqual([])
  await page.getByTestId('outline-width').focus()
  for (let n = 0; n < 4; n++) await page.keyboard.press('ArrowRight')
  await expect.poll(() => inked('190,255,0'), soon).toBeGreaterThan(thin * 1.2)
  await page.getByTestId('ink-cyan').check({ force: true })
  await expect.poll(() => inked('0,229,255'), soon).toBeGreaterThan(thin)
  await chooses(page, 'colour-by', /^Area/)
  const legend = page.getByTestId('object-legend')
  await expect(legend).toContainText('Area')
  await expect(legend).toContainText('µm²')
  await expect.poll(async () => (await inksOf(page)).length, soon).toBeGreaterThan(30)
  await keepScreenshot(shell, '60-coloured-by-area')
  await chooses(page, 'colour-by', /one colour/)
  await expect(legend).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('look-menu')).toBeHidden()
  await blur(page)
  await page.keyboard.press('s')
  await expect.poll(async () => (await inksOf(page)).map(([ink]) => ink), soon).toContain('alpha 102')
  await page.keyboard.press('s')

  // What counts clinically stands first, and says per what it is.
  const counts = page.locator('.counts')
  expect((await counts.textContent())!.indexOf('Density')).toBeLessThan((await counts.textContent())!.indexOf('Analysed at'))
  await expect(counts).toContainText('per mm²')
  expect(await objectCount(shell)).toBeGreaterThan(100)
  await expect(page.getByTestId('param-image-pixelSizeUm')).toHaveValue('0')
  await expect(page.locator('.recipe-about')).toContainText('The first choice for a new slide.')

  // Below 2x single nuclei are a px: density alone, with what it means.
  // In a small window even this small slide goes that far.
  await shell.resize(1100, 560)
  await blur(page)
  await page.keyboard.press('f')
  for (let n = 0; n < 5; n++) await page.keyboard.press('-')
  await expect(page.getByTestId('density-legend')).toContainText('per mm²', soon)
  await expect(page.getByTestId('density-legend')).toContainText('and more')
  await expect.poll(async () => (await inksOf(page)).some(([ink]) => ink === '0,229,255'), soon).toBe(false)
  await keepScreenshot(shell, '61-density')
  expect(await axeFindings(page)).toEqual([])

  await shell.resize(1440, 900)

  // Panels: by mouse, by keyboard; and in a narrow window the recipe gives way.
  const width = async (side: 'left' | 'right') => (await page.locator(`.panel.${side}`).boundingBox())!.width
  const before = await width('left')
  await page.getByTestId('left-edge').focus()
  for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight')
  await expect.poll(() => width('left')).toBe(before + 48)
  const edge = (await page.getByTestId('right-edge').boundingBox())!
  const right = await width('right')
  await page.mouse.move(edge.x + 4, edge.y + 200)
  await page.mouse.down()
  await page.mouse.move(edge.x - 56, edge.y + 200, { steps: 3 })
  await page.mouse.up()
  await expect.poll(() => width('right')).toBeGreaterThan(right + 50)
  await page.getByTestId('left-edge').dblclick()
  await expect.poll(() => width('left')).toBe(before)
  await shell.resize(1200, 760)
  await expect(page.locator('.panel.left')).toBeHidden()
  expect((await viewerOf(page).boundingBox())!.width).toBeGreaterThan(750)
  await keepScreenshot(shell, '62-narrow')
  await shell.resize(1440, 900)
  await expect(page.locator('.panel.left')).toBeVisible()
  expect(problems).toEqual([])
})

test('a slider answers while it is dragged, and computes no stage that it does not touch', async () => {
  const { page } = shell
  await expect(page.getByTestId('slide-name')).toContainText('CMU-1')
  await startsAgain(page)
  const cost = page.getByTestId('preview-cost')
  const lastStages = /^Last preview [\d.]+ m?s: objects, measure$/
  const slider = page.getByTestId('param-objects-minArea-slider')
  await slider.scrollIntoViewIfNeeded()
  // The field's first preview computes everything, and what is on screen may be an earlier one's: until one of this field began where it may.
  await stepsUntil(page, 'objects-minArea', lastStages)
  const before = await overlay(page)
  // Held, not let go: the picture changes meanwhile.
  const box = (await slider.boundingBox())!
  await page.mouse.move(box.x + 20, box.y + box.height / 2)
  await page.mouse.down()
  for (let n = 1; n <= 10; n++) await page.mouse.move(box.x + 20 + n * 6, box.y + box.height / 2)
  await expect.poll(async () => (await overlay(page)).hash, answered).not.toBe(before.hash)
  await page.mouse.up()
  // Neither the slide is read nor anything before the last stage computed.
  await stepsUntil(page, 'objects-minArea', lastStages)
  await stepsUntil(page, 'split-depth', /: split, objects, measure$/)
  // A threshold's histogram, and what is above it coloured while it moves: without a run, in the frame that moves it.
  const level = page.getByTestId('param-threshold-level-slider')
  await level.hover()
  const histogram = page.getByTestId('cut-histogram')
  await expect(histogram).toContainText('of the field is above', answered)
  const share = async () => Number.parseFloat((await histogram.textContent())!)
  const first = await share()
  const at = (await level.boundingBox())!
  await page.mouse.move(at.x + at.width * 0.5, at.y + at.height / 2)
  await page.mouse.down()
  await page.mouse.move(at.x + at.width * 0.6, at.y + at.height / 2, { steps: 3 })
  const coloured = () =>
    page.getByTestId('cut-layer').evaluate((element) => {
      const canvas = element as HTMLCanvasElement
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
      return (100 * data.filter((value, i) => i % 4 === 3 && value > 0).length) / (data.length / 4)
    })
  const drawn = await coloured()
  expect(drawn).toBeGreaterThan(0.1)
  expect(Math.abs(drawn - (await share()))).toBeLessThan(0.6)
  expect(await share()).toBeLessThan(first)
  await keepScreenshot(shell, '65-above-the-threshold')
  await page.mouse.up()
  await expect(page.getByTestId('cut-layer')).toBeHidden()
  await page.getByTestId('param-objects-minArea-slider').hover()
  await expect(histogram).toBeHidden()
  // Those values may have been previewed before: then nothing is computed.
  await page.getByTestId('reset-all').click()
  await expect(cost).toHaveText(/measure$|kept$/)
  await page.getByTestId('param-channel-smoothing-slider').focus()
  await page.keyboard.press('ArrowRight')
  await expect(cost).toHaveText(/: channel, threshold, distance, split, objects, measure$|: read, channel/, answered)
  expect(await axeFindings(page)).toEqual([])
})

test('a dropped nucleus says which rule dropped it, and the value that it offers brings it back', async () => {
  const { page } = shell
  await expect(page.getByTestId('slide-name')).toContainText('CMU-1')
  await startsAgain(page)
  const { insides } = await segmentsVisible(shell)
  const box = (await viewerOf(page).boundingBox())!
  const place = insides[insides.length >> 1]!
  await blur(page)
  await page.mouse.move(box.x + place.x, box.y + place.y)
  await page.keyboard.press('y')
  const verdict = page.getByTestId('why-verdict')
  await expect(verdict).toHaveText('In an object', soon)
  await expect(page.getByTestId('why-layer')).toHaveAttribute('data-inside', 'true')
  await expect(page.getByTestId('why-rules')).toContainText('is above 6 µm²')
  expect(await axeFindings(page)).toEqual([])
  await keepScreenshot(shell, '63-why-kept')

  // A limit that drops it: the rule, what was measured, and the value that keeps it.
  const least = page.getByTestId('param-objects-minArea')
  await least.fill('200')
  await least.press('Enter')
  await expect(verdict).toHaveText(/In no object: area [\d.]+ µm² is below the smallest area 200 µm²/, soon)
  await expect(page.getByTestId('why-layer')).toHaveAttribute('data-inside', 'false')
  const offer = page.getByTestId('why-offer')
  await expect(offer).toHaveText(/^Set .* to \d+ µm²$/)
  for (const [width, height] of [
    [1280, 800],
    [1440, 900],
  ] as const) {
    await shell.resize(width, height)
    await expect(offer).toBeVisible()
    await keepScreenshot(shell, `64-why-dropped-${width}`)
  }
  expect(await axeFindings(page)).toEqual([])
  const offered = /to (\d+)/.exec((await offer.textContent())!)![1]!
  await offer.focus()
  await page.keyboard.press('Enter')
  await expect(verdict).toHaveText('In an object', soon)
  await expect(least).toHaveValue(offered)
  // One step of history.
  await blur(page)
  await page.keyboard.press('Control+z')
  await expect(verdict).toContainText('In no object', soon)
  await page.getByTestId('why-follow').click()
  await page.mouse.move(box.x + 40, box.y + 400)
  await page.mouse.move(box.x + place.x, box.y + place.y)
  await expect(verdict).toContainText('is below the smallest area 200 µm²', soon)
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('why')).toBeHidden()

  // The same by its name: every command is a few letters away.
  await page.keyboard.press('Control+k')
  await expect(page.getByTestId('palette-query')).toBeFocused()
  await page.keyboard.type('kept or')
  await expect(page.getByTestId('palette-why')).toHaveAttribute('aria-selected', 'true')
  expect(await axeFindings(page)).toEqual([])
  await page.getByTestId('palette-query').fill('')
  await keepScreenshot(shell, '66-palette')
  await page.getByTestId('palette-query').fill('kept or')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('palette-query')).toBeHidden()
  await expect(page.getByTestId('why')).toBeVisible()
})

test('the wand outlines what stands out under the pointer, the wheel walks its tree, a click keeps it as a region', async () => {
  const { page } = shell
  await expect(page.getByTestId('slide-name')).toContainText('CMU-1')
  await startsAgain(page)
  await blur(page)
  const { insides } = await segmentsVisible(shell)
  await page.keyboard.press('o')
  const box = (await viewerOf(page).boundingBox())!
  // Beside the card, also in a smaller window.
  const free = insides.filter(({ x, y }) => x > 420 && x < 640 && y > 200)
  const places = free.filter((_, k) => k % Math.ceil(free.length / 9) === 0)
  const values = page.getByTestId('wand-values')
  const area = async () => Number.parseFloat((await page.getByTestId('wand-area').textContent())!.replaceAll(',', ''))
  const outline = page.getByTestId('wand-outline')
  await page.keyboard.press('a')
  let kept = 0
  let good = places[0]!
  for (const place of places) {
    await page.mouse.move(box.x + place.x, box.y + place.y)
    await expect(values).toHaveAttribute('data-walked', '0', soon)
    await expect(page.getByTestId('wand')).toHaveAttribute('data-busy', 'false')
    if (kept === 2 || (await outline.count()) === 0) continue
    good = place
    const first = await area()
    // Larger and back, without a zoom.
    const zoomed = await page.getByTestId('scale-bar').textContent()
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -100)
    await expect(values).toHaveAttribute('data-walked', '1', soon)
    expect(await area()).toBeGreaterThan(first)
    // OpenSeadragon takes one notch in 50 ms (minScrollDeltaTime).
    await page.waitForTimeout(100)
    await page.mouse.wheel(0, 100)
    await page.keyboard.up('Control')
    await expect(values).toHaveAttribute('data-walked', '0', soon)
    expect(await area()).toBe(first)
    expect(await page.getByTestId('scale-bar').textContent()).toBe(zoomed)
    if (kept === 0) {
      expect(await axeFindings(page)).toEqual([])
      for (const [width, height] of [
        [1280, 800],
        [1440, 900],
      ] as const) {
        await shell.resize(width, height)
        await keepScreenshot(shell, `67-wand-${width}`)
      }
      await page.mouse.move(box.x + place.x + 1, box.y + place.y)
    }
    await page.mouse.click(box.x + place.x, box.y + place.y)
    await expect(page.getByTestId('region-shape')).toHaveCount(++kept, soon)
  }
  expect(kept).toBe(2)
  // By keyboard alone: the node at the pointer's last place, one larger, kept.
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('wand')).toBeHidden()
  await page.keyboard.press('Control+z')
  await expect(page.getByTestId('region-shape')).toHaveCount(1, soon)
  await page.mouse.move(box.x + good.x, box.y + good.y)
  await page.keyboard.press('a')
  await expect(outline).toBeVisible(soon)
  // A ragged one, of which every ring and corner that is shown is kept.
  await walksOut(page, 4)
  await keepsWhatTheWandShows(page, 2)
  const hover = await page.evaluate(() => performance.getEntriesByName('wand-to-outline').map(({ duration }) => duration))
  expect(hover.length).toBeGreaterThan(3)
  await keepScreenshot(shell, '68-wand-kept')
  await page.keyboard.press('Escape')
})

test('values are kept under a name, differ, are taken again, undone, and deleted: by keyboard', async () => {
  const { page } = shell
  await startsAgain(page)
  const level = page.getByTestId('param-threshold-level')
  const list = page.getByTestId('versions-list')
  const asks = async () => {
    await blur(page)
    await page.keyboard.press('Shift+v')
    await expect(list).toBeVisible()
  }
  // Off the button that was clicked last: its tip is no part of this.
  await page.mouse.move(700, 450)
  const usual = await level.inputValue()
  await level.fill('1.4')
  await level.press('Enter')
  await asks()
  await expect(list).toContainText('None yet')
  await expect(page.getByTestId('version-name')).toBeFocused()
  await page.keyboard.type('Strict')
  await page.keyboard.press('Enter')
  await expect(list.getByTestId('version')).toHaveText(['StrictAs it is set now'])
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()

  await page.getByTestId('reset-all').click()
  await expect(level).toHaveValue(usual)
  await asks()
  await expect(list.getByTestId('version')).toHaveText([/^StrictOther: \S/])
  await page.getByTestId('version-name').fill('strict')
  await expect(page.getByTestId('version-keep')).toHaveText('Replace')
  await keepScreenshot(shell, 'recipe-versions')
  await list.getByTestId('version').press('Enter')
  await expect(list).toBeHidden()
  await expect(level).toHaveValue('1.40')
  await blur(page)
  await page.keyboard.press('Control+z')
  await expect(level).toHaveValue(usual)

  await asks()
  await list.getByTestId('version-delete').press('Enter')
  await expect(list).toContainText('None yet')
  await page.keyboard.press('Escape')
})
