// What the window says and how it is laid out, in a real Chromium alone, as the page is the same in both shells: nothing is cut at any size, and nothing that goes wrong stays without words.
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { axeFindings, withTheme } from '../axe'
import { keepScreenshot, objectCount, runEnds, seesTissue } from '../journey'
import { faults, faultsWith, foundWhenPlanted, plantedFaults, sizes } from '../layout'
import { sample, withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell

withShell((started) => void (shell = started))

async function fits(title: string, at: readonly (readonly [number, number])[] = sizes): Promise<void> {
  const { page } = shell
  for (const [width, height] of at) {
    await shell.resize(width, height)
    // The viewer's own size follows in the next frames.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    await expect.poll(() => faults(page), { message: `${title} at ${width} × ${height}` }).toEqual([])
    // Pictures cost more than measuring: one of each state, at the size where it is tightest.
    if (width === sizes[0][0]) await keepScreenshot(shell, `20-${title}-${width}`)
  }
  await shell.resize(1440, 900)
}

/** A run as large as they come: the engine is real, its figures are made large on their way to the page. */
async function enlarges(page: Page, told: { large: boolean }): Promise<void> {
  const large = (status: Record<string, unknown>): void => {
    const running = status['state'] === 'running'
    Object.assign(status, {
      tilesDone: 123_456,
      tilesTotal: 1_234_567,
      objects: 12_345_678,
      elapsedMs: 7_512_345,
      etaMs: running ? 45_296_000 : null,
      megapixelsPerSecond: 123.4,
      keptMegapixels: 12_345.6,
      timings: ['read', 'reconstruct background', 'distance', 'watershed split', 'measure'].map((stage, i) => ({
        stage,
        device: 'gpu0',
        variant: 'v',
        ms: 12_345_678 / (i + 1),
        megapixels: 123_456,
      })),
    })
  }
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('tilesTotal' in value) large(value)
    for (const each of Object.values(value)) visit(each)
  }
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => server.send(message))
    server.onMessage((message) => {
      const frame: unknown = JSON.parse(String(message))
      if (told.large) visit(frame)
      socket.send(JSON.stringify(frame))
    })
  })
  await page.reload()
}

test('nothing is cut and nothing overlaps, from the smallest window on: at rest, in a run, after it, in the dialogs', async () => {
  const { page } = shell
  const told = { large: false }
  await enlarges(page, told)
  await seesTissue(shell)
  await fits('at-rest', [sizes[0]])
  // The check itself: what is broken is found.
  expect(await plantedFaults(page)).toEqual(foundWhenPlanted)
  told.large = true
  await page.getByTestId('run-whole').click()
  await expect(page.getByTestId('progress')).toContainText('12 h 34 min left')
  await fits('running')
  told.large = false
  await runEnds(shell)
  await fits('done')
  await page.getByTestId('export-open').click()
  await page.getByTestId('export-directory').fill('/no/such/folder/as/this/one/which/has/a/long/name/that/goes/on')
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-error')).toBeVisible()
  await fits('export-refused', [sizes[0], sizes[2]])
  // A dialog is looked at, and not what it covers.
  expect(await faultsWith(page, 'segment-visible', { transform: 'translateY(40px)' })).toEqual([])
  expect(await faultsWith(page, 'export-run', { width: '30px' })).toEqual([
    expect.stringMatching(/“Export” .* is cut at its side/),
  ])
  await page.keyboard.press('Escape')
})

test('the main button has its key in it, and no tip that covers its neighbours', async () => {
  const { page } = shell
  await page.getByTestId('segment-visible').hover()
  await expect(page.getByTestId('segment-visible')).toContainText('Space')
  const covers = async (): Promise<string[]> => {
    const tips = await page.locator('[role="tooltip"]').all()
    const boxes = await Promise.all(tips.map((tip) => tip.boundingBox()))
    const found: string[] = []
    for (const id of ['segment-visible', 'run-region', 'run-whole', 'zoom-in']) {
      const other = (await page.getByTestId(id).boundingBox())!
      const over = boxes.some(
        (box) =>
          box &&
          box.x < other.x + other.width &&
          other.x < box.x + box.width &&
          box.y < other.y + other.height &&
          other.y < box.y + box.height,
      )
      if (over) found.push(id)
    }
    return found
  }
  // A tip of the program's would be there after 350 ms.
  for (const end = Date.now() + 900; Date.now() < end; await page.waitForTimeout(150)) expect(await covers()).toEqual([])
})

test('the card of a tool in hand covers no slide; where the panel is closed it lies over it', async () => {
  const { page } = shell
  const key = async (keys: string): Promise<void> => {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press(keys)
  }
  const boxOf = async (testId: string) => (await page.getByTestId(testId).boundingBox())!
  await key('f')
  for (const [keys, card] of [
    ['a', 'wand'],
    ['q', 'brush'],
    ['l', 'lasso'],
    ['Shift+p', 'points'],
    ['y', 'why'],
    ['Shift+c', 'compare'],
  ] as const) {
    // oxfmt-ignore
    const before = await boxOf('viewer')
    await key(keys)
    await expect(page.getByTestId(card)).toBeVisible()
    for (const [width, height] of [sizes[0], sizes[2]]) {
      await shell.resize(width, height)
      await expect.poll(() => faults(page), { message: `${card} at ${width} × ${height}` }).toEqual([])
      const [slide, place] = [await boxOf('viewer'), await boxOf(card)]
      expect(place.x, `${card} begins beside the slide`).toBeGreaterThanOrEqual(slide.x + slide.width)
      // All of its panel is seen: the results below it keep a part, too.
      const panel = (await page.locator('.panel.right').boundingBox())!
      expect(place.y + place.height).toBeLessThan(panel.y + 0.8 * panel.height)
      await expect(page.getByTestId(`${card}-close`)).toBeInViewport({ ratio: 1 })
    }
    await keepScreenshot(shell, `25-card-${card}`)
    await shell.resize(1440, 900)
    await expect.poll(() => boxOf('viewer')).toEqual(before)
    if (card === 'wand') {
      await key(']')
      await expect(page.getByTestId('tool-cards')).toHaveAttribute('data-place', 'slide')
      await expect(page.getByTestId(card)).toBeInViewport({ ratio: 1 })
      await key(']')
      await expect(page.getByTestId('tool-cards')).toHaveAttribute('data-place', 'panel')
    }
    await key('Escape')
    await expect(page.getByTestId(card)).toBeHidden()
  }
})

test('the window has the theme that is chosen, whatever the system has, and then the system’s again, as it changes', async () => {
  const { page } = shell
  const surface = () => page.locator('.panel.left').evaluate((element) => getComputedStyle(element).backgroundColor)
  const [dark, light] = ['rgb(24, 28, 33)', 'rgb(248, 249, 251)']
  await expect.poll(surface).toBe(dark)
  await page.getByTestId('look').click()
  await page.getByTestId('theme').getByText('Light').click()
  await expect.poll(surface).toBe(light)
  await page.keyboard.press('Escape')
  // By its name, as every command.
  await page.keyboard.press('Control+k')
  await page.getByTestId('palette-query').fill('theme dark')
  await page.keyboard.press('Enter')
  await expect.poll(surface).toBe(dark)
  await page.keyboard.press('Control+k')
  await page.getByTestId('palette-query').fill('theme system')
  await page.keyboard.press('Enter')
  await withTheme(page, 'light')
  await expect.poll(surface).toBe(light)
  await withTheme(page, 'dark')
  await expect.poll(surface).toBe(dark)
})

test('an export that cannot start says why and frees the dialog; the next one works, and its folder is remembered', async () => {
  const { page, folder } = shell
  const file = join(folder, 'a-file')
  writeFileSync(file, 'not a folder')
  await page.getByTestId('export-open').click()
  // The others take their time, and say nothing more here.
  for (const name of ['objects.geojson', 'labels.ome.tif', 'overlay.png']) await page.getByTestId(`export-file-${name}`).uncheck()
  await page.getByTestId('export-directory').fill(join(file, 'below'))
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-error')).toContainText('a-file')
  const target = join(folder, 'out')
  mkdirSync(target)
  await page.getByTestId('export-directory').fill(target)
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-result')).toContainText('run.json')
  // In a folder of its own: nothing lies in the chosen one itself.
  expect(readdirSync(target)).toEqual([expect.stringMatching(/^CMU-1-Small-Region/)])
  await page.getByRole('button', { name: 'Close', exact: true }).last().click()
  // What was written is not said again of the next look, nor of the next run.
  await page.getByTestId('export-open').click()
  await expect(page.getByTestId('export-result')).toBeHidden()
  // Without one, files of somebody else's are named before they are replaced.
  writeFileSync(join(target, 'objects.csv'), 'mine')
  await page.getByText('In a new folder of its own').click()
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-exists')).toContainText('objects.csv')
  expect(readFileSync(join(target, 'objects.csv'), 'utf8')).toBe('mine')
  await keepScreenshot(shell, '25-export-exists')
  await expect(page.getByTestId('export-replace')).toHaveText('Replace it')
  await page.getByTestId('export-replace').click()
  await expect(page.getByTestId('export-result')).toContainText('objects.csv')
  expect(readFileSync(join(target, 'objects.csv'), 'utf8')).not.toBe('mine')
  await page.keyboard.press('Escape')
  await page.reload()
  await seesTissue(shell)
  await page.getByTestId('export-open').click()
  await expect(page.getByTestId('export-directory')).toHaveValue(target)
  await page.keyboard.press('Escape')
})

test('a number out of range says its range and what was taken', async () => {
  const { page } = shell
  const field = page.getByTestId('param-threshold-level')
  await field.fill('500')
  await expect(page.getByRole('alert').filter({ hasText: '500' })).toContainText(/expected [\d.]+ to [\d.]+/)
  await field.press('Enter')
  const note = page.getByTestId('param-threshold-level-note')
  await expect(note).toContainText(/500 cannot be used \(expected [\d.]+ to [\d.]+\): [\d.]+ was taken/)
  await expect(field).toHaveValue(/^\d\.\d+$/)
  await keepScreenshot(shell, '21-out-of-range')
  await page.getByTestId('reset-all').click()
  await expect(note).toBeEmpty()
})

/** As the file manager of a browser gives them: names and contents, no paths. */
async function drops(page: Page, files: Record<string, string>): Promise<void> {
  await page.evaluate((given) => {
    const dataTransfer = new DataTransfer()
    for (const [name, text] of Object.entries(given)) dataTransfer.items.add(new File([text], name))
    document.querySelector('.drop-zone')!.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
  }, files)
}

test('dropped files are called what they are: results, a run’s record, and the slide that was not opened', async () => {
  const { page, folder } = shell
  const written = readdirSync(join(folder, 'out'), { recursive: true }).map(String)
  const record = written.find((name) => name.endsWith('run.json'))!
  await drops(page, { 'objects.geojson': '{"type":"FeatureCollection","features":[]}' })
  await expect(page.getByText(/0 regions from objects\.geojson/)).toBeVisible()
  await page.getByTestId('param-threshold-level').fill('1.4')
  await page.keyboard.press('Enter')
  await drops(page, { 'run.json': readFileSync(join(folder, 'out', record), 'utf8') })
  await expect(page.getByTestId('notice-offer')).toContainText(/the record of a run.*“H&E nuclei”/)
  await keepScreenshot(shell, '22-dropped-record')
  await page.getByTestId('load-dropped-recipe').click()
  await expect(page.getByTestId('param-threshold-level')).toHaveValue('1.00')
  await drops(page, { 'one.svs': 'x', 'two.svs': 'x' })
  await expect(page.getByText(/“one\.svs” is opened, “two\.svs” is not/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('parts that the file cannot give are hatched, and a legend says what the stripes mean and why', async () => {
  const { page, folder } = shell
  const damaged = join(folder, 'damaged.svs')
  const bytes = readFileSync(sample)
  bytes.fill(0xa5, 900_000, 925_000)
  writeFileSync(damaged, bytes)
  await shell.chooseFile(damaged, () => page.getByTestId('open').click())
  await seesTissue(shell, 'damaged.svs')
  await page.keyboard.press('f')
  const legend = page.getByTestId('hatch-legend')
  await expect(legend).toContainText(/The file cannot be read there: \w+/)
  await page.getByTestId('run-whole').click()
  await runEnds(shell)
  await expect(legend).toContainText(/\d+ tiles? of the run could not be read/)
  await shell.resize(900, 600)
  await expect.poll(() => faults(page)).toEqual([])
  await keepScreenshot(shell, '23-hatched')
  await shell.resize(1440, 900)
})

test('a fluorescence slide gives zero objects with words: what is likely, and what to do', async () => {
  const { page, folder } = shell
  const dark = join(folder, 'dapi.png')
  const spots = Array.from(
    { length: 60 },
    (_, i) => `<circle cx="${(i * 97) % 900}" cy="${(i * 61) % 700}" r="9" fill="#3a5cff"/>`,
  )
  await sharp(Buffer.from(`<svg width="900" height="700"><rect width="900" height="700" fill="#04060c"/>${spots.join('')}</svg>`))
    .png()
    .toFile(dark)
  await shell.chooseFile(dark, () => page.getByTestId('open').click())
  await expect(page.getByTestId('slide-name')).toContainText('dapi.png')
  await expect(page.getByTestId('recipe-unfit')).toContainText(/dark background, as fluorescence/)
  await page.getByTestId('run-whole').click()
  await runEnds(shell)
  await expect(page.getByTestId('object-count')).not.toHaveText('–')
  if ((await objectCount(shell)) === 0) await expect(page.getByTestId('no-objects')).toContainText(/fluorescence/)
  await shell.resize(900, 600)
  await expect.poll(() => faults(page)).toEqual([])
  await keepScreenshot(shell, '24-zero-objects')
  await shell.resize(1440, 900)
})

test('the licences are found by Ctrl+K, and each part opens its text', async () => {
  const { page } = shell
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByTestId('palette-query').fill('license')
  await page.getByTestId('palette-licences').click()
  const licences = page.getByTestId('licences')
  await expect(licences).toContainText(/contains 1\d\d parts/)
  await page.getByTestId('licences-find').fill('libvips LGPL')
  await licences.getByText(/^libvips \d/).click()
  const text = licences.getByLabel(/^Licence of libvips/)
  await expect(text).toContainText('GNU LESSER GENERAL PUBLIC LICENSE')
  expect(await axeFindings(page)).toEqual([])
  await keepScreenshot(shell, '98-licences')
  await page.getByTestId('licences-find').fill('no such part')
  await expect(licences.getByRole('status')).toHaveText('0 parts')
  await page.keyboard.press('Escape')
  await expect(licences).toBeHidden()
  await page.keyboard.press('?')
  await page.getByTestId('help-licences').click()
  await expect(licences).toBeVisible()
  await page.keyboard.press('Escape')
})
