// What only the desktop has: a slide handed over by a second start or dropped on the window, a page that reaches nothing but its bridge, and WebGL.
import { expect, test } from '@playwright/test'
import { createSocket } from 'node:dgram'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { endsWhenAsked, keepScreenshot, seesTissue, settled } from '../journey'
import { patience } from '../patience'
import { sample, withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell

withShell((started) => void (shell = started), { drawer: 'webgl' })

test('WebGL draws the slide too', async () => {
  await seesTissue(shell)
  await keepScreenshot(shell, '11-webgl')
})

test('the native menu says and does what the page’s keys do', async () => {
  const { page } = shell
  const sheet = page.getByTestId('cheat-sheet')
  expect(await shell.chooseInMenu!('help')).toEqual({ label: 'Keyboard shortcuts', accelerator: null })
  await expect(sheet).toBeVisible()
  // What the menu calls a command, and its key, stand in the sheet.
  const open = sheet.locator('div', { has: page.getByText('Open a slide', { exact: true }) }).last()
  await expect(open.locator('kbd')).toHaveText('Ctrl+O')
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  const overlay = page.getByTestId('overlay-toggle')
  expect(await shell.chooseInMenu!('overlay')).toEqual({ label: 'Show or hide the overlay', accelerator: null })
  await expect(overlay).toHaveAttribute('aria-pressed', 'false')
  await page.keyboard.press('o')
  await expect(overlay).toHaveAttribute('aria-pressed', 'true')
  expect(await shell.chooseInMenu!('fit')).toEqual({ label: 'Fit the slide', accelerator: 'CmdOrCtrl+0' })
  // The licences of what is bundled; Electron's own list is beside Electron, and another program shows it.
  expect((await shell.chooseInMenu!('electronLicences', 'look')).label).toBe('Licences of Electron and Chromium')
  await shell.chooseInMenu!('licences')
  const licences = page.getByTestId('licences')
  await expect(licences).toContainText('electron 43.')
  await page.keyboard.press('Escape')
  await expect(licences).toBeHidden()
})

test('the frame around a preview goes with the preview', async () => {
  const { page } = shell
  const field = page.getByTestId('param-threshold-level')
  for (const value of ['1.2', '1.3', '0.3', '2.5', '1.4']) {
    await field.click()
    await field.pressSequentially(value)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
  }
  await expect(page.getByTestId('progress')).toHaveAttribute('data-state', 'done')
  await page.getByTestId('zoom-in').click()
  await settled(page)
  // Read once: reading makes the browser draw what it had left undrawn, so that a second look would find nothing.
  const ink = await page.getByTestId('vector-canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    return data.filter((value, at) => at % 4 === 3 && value > 0).length
  })
  expect(ink).toBe(0)
  await page.getByTestId('reset-all').click()
})

test('a second start hands its slide to the first and ends', async () => {
  const second = join(shell.folder, 'second.svs')
  copyFileSync(sample, second)
  await shell.startAgain!(second)
  await seesTissue(shell, 'second.svs')
})

/** Files of the disk: from a chooser, as Playwright has no file manager to drag from. */
async function drops(...paths: readonly string[]): Promise<void> {
  await shell.page.evaluate(() => {
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = true
    input.id = 'file-manager'
    document.body.append(input)
  })
  await shell.page.locator('#file-manager').setInputFiles([...paths])
  await shell.page.evaluate(() => {
    const input = document.querySelector<HTMLInputElement>('#file-manager')!
    const dataTransfer = new DataTransfer()
    for (const file of input.files!) dataTransfer.items.add(file)
    document.querySelector('.drop-zone')!.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
    input.remove()
  })
}

test('a dropped slide opens: the bridge knows where it lies', async () => {
  const dropped = join(shell.folder, 'dropped.svs')
  copyFileSync(sample, dropped)
  await drops(dropped)
  await seesTissue(shell, 'dropped.svs')
})

test('of several dropped files the first slide opens, and each of the others is called what it is', async () => {
  const { page } = shell
  const [first, second] = ['first.svs', 'second.svs'].map((name) => join(shell.folder, name)) as [string, string]
  for (const path of [first, second]) copyFileSync(sample, path)
  const [outlines, recipe] = [join(shell.folder, 'objects.geojson'), join(shell.folder, 'mine.json')]
  writeFileSync(outlines, '{"type":"FeatureCollection","features":[]}')
  const params = { threshold: { level: 1.4 } }
  writeFileSync(recipe, JSON.stringify({ format: 'morphoscope-recipe', version: 1, spec: 'he-nuclei', name: 'Mine', params }))
  await drops(outlines, first, recipe, second)
  await seesTissue(shell, 'first.svs')
  await expect(page.getByText(/holds outlines, not a slide/)).toBeVisible()
  await expect(page.getByText(/“first\.svs” is opened, “second\.svs” is not/)).toBeVisible()
  const offers = page.getByTestId('notice-offer')
  await expect(offers.filter({ hasText: 'a recipe, not a slide. It holds the recipe “Mine”' })).toBeVisible()
  await page.getByTestId('add-dropped-slides').click()
  // One is a copy of the other, which is the same slide.
  await expect(page.getByText('1 slide added, 1 was there already. second.svs is the same slide as first.svs.')).toBeVisible()
  await page.getByTestId('load-dropped-recipe').click()
  await expect(page.getByTestId('param-threshold-level')).toHaveValue('1.40')
  await page.getByTestId('reset-all').click()
})

test('a script in the page writes nothing that no dialog named', async () => {
  const home = join(shell.folder, 'home')
  const victim = join(home, 'slide.svs')
  const startUp = join(home, '.bashrc')
  mkdirSync(home)
  for (const path of [victim, startUp]) writeFileSync(path, 'mine')
  const results = await shell.page.evaluate(
    async ({ folder, paths, slide }) => {
      type Answer = { ok: boolean; error?: { code: string } }
      const { morphoscope } = globalThis as unknown as {
        morphoscope: { call: (name: string, arg: unknown) => Promise<Answer>; pathOfFile: (file: File) => string | null }
      }
      const recipe = { format: 'morphoscope-recipe', version: 1, spec: 'he-nuclei', name: '\n touch x\n', params: {} }
      const tries: [string, unknown][] = [
        ...paths.map((path): [string, unknown] => ['recipe:save', { path, recipe }]),
        // A setting that the page itself may change must not open a folder.
        ['settings:set', { exportDirectory: folder }],
        ['export:start', { runId: 'r1-000000', directory: folder, files: ['run.json'] }],
        // A file that the page made has no path to grant.
        ['slide:open', { path: slide }],
        ['recipe:load', { path: '/etc/passwd' }],
      ]
      const codes: string[] = []
      const fake = new File(['x'], slide)
      Object.defineProperty(fake, 'path', { value: slide })
      codes.push(String(morphoscope.pathOfFile(fake)))
      for (const [name, arg] of tries) {
        const answer = await morphoscope.call(name, arg)
        codes.push(answer.ok ? 'done' : answer.error!.code)
      }
      return codes
    },
    { folder: home, paths: [victim, startUp, join(home, 'new.json')], slide: victim },
  )
  expect(results).toEqual(['null', ...Array.from({ length: 7 }, () => 'INVALID_PARAMETER')])
  expect([readFileSync(victim, 'utf8'), readFileSync(startUp, 'utf8')]).toEqual(['mine', 'mine'])
  expect(readdirSync(home).sort()).toEqual(['.bashrc', 'slide.svs'])
})

test('a recipe goes where the dialog said, and over nothing but a recipe', async () => {
  const save = (path: string) =>
    shell.choosePathToSave!(path, () =>
      shell.page.evaluate(async () => {
        type Call = (name: string, arg: unknown) => Promise<{ ok: boolean; value: string; error: { code: string } }>
        const { call } = (globalThis as unknown as { morphoscope: { call: Call } }).morphoscope
        const { value: path } = await call('dialog:recipe', { mode: 'save' })
        const recipe = { format: 'morphoscope-recipe', version: 1, spec: 'he-nuclei', name: 'mine', params: {} }
        const codes: string[] = []
        for (let i = 0; i < 2; i++) {
          const saved = await call('recipe:save', { path, recipe })
          codes.push(saved.ok ? 'done' : saved.error.code)
        }
        return codes
      }),
    )
  const path = join(shell.folder, 'mine.json')
  // One dialog, one file.
  expect(await save(path)).toEqual(['done', 'INVALID_PARAMETER'])
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ format: 'morphoscope-recipe', name: 'mine' })
  expect(await save(path)).toEqual(['done', 'INVALID_PARAMETER'])
  const other = join(shell.folder, 'package.json')
  writeFileSync(other, '{"name":"other"}')
  expect(await save(other)).toEqual(['INVALID_PARAMETER', 'INVALID_PARAMETER'])
  expect(readFileSync(other, 'utf8')).toBe('{"name":"other"}')
  expect(existsSync(`${other}.part`)).toBe(false)
})

test('the program asks before it ends a run, and goes on with it', async () => {
  const { page } = shell
  await page.getByTestId('param-image-pixelSizeUm').fill('0.05')
  await page.keyboard.press('Enter')
  await page.getByTestId('run-whole').click()
  await page.getByTestId('run-whole-confirm').click()
  const row = page.getByTestId('run-row').first()
  await expect(row).toHaveAttribute('data-state', 'running')
  expect(await shell.quitAsks!()).toBe('Work would be lost.')
  const objects = page.getByTestId('object-count')
  const before = await objects.textContent()
  await expect(objects).not.toHaveText(before!, patience)
  await expect(row).toHaveAttribute('data-state', 'running')
  await endsWhenAsked(page, row.getByTestId('run-cancel'), async () => (await row.getAttribute('data-state')) === 'cancelled')
  await page.getByTestId('reset-all').click()
})

test('WebRTC carries nothing out past the policy of the page', async () => {
  const heard: string[] = []
  const udp = createSocket('udp4', (data) => heard.push(`udp ${data.length}`))
  const tcp = createServer((socket) => {
    heard.push('tcp')
    socket.destroy()
  })
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve))
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  const ports = [udp.address().port, (tcp.address() as AddressInfo).port]
  const candidates = await shell.page.evaluate(async ([udpPort, tcpPort]) => {
    const turn = { username: 'canary', credential: 'canary' }
    const connection = new RTCPeerConnection({
      iceServers: [
        { urls: `stun:127.0.0.1:${udpPort}` },
        { urls: `turn:127.0.0.1:${udpPort}?transport=udp`, ...turn },
        { urls: `turn:127.0.0.1:${tcpPort}?transport=tcp`, ...turn },
      ],
    })
    const found: string[] = []
    connection.onicecandidate = ({ candidate }) => candidate && found.push(candidate.candidate)
    connection.createDataChannel('out')
    await connection.setLocalDescription(await connection.createOffer())
    await new Promise<void>((resolve) => {
      if (connection.iceGatheringState === 'complete') resolve()
      connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && resolve()
      // Servers that do not answer are tried for ten seconds and more; the first packets go out at once.
      setTimeout(resolve, 4000)
    })
    connection.close()
    return found.length
  }, ports)
  udp.close()
  await new Promise((resolve) => tcp.close(resolve))
  expect({ heard, candidates }).toEqual({ heard: [], candidates: 0 })
})

// Last: after a refused navigation Playwright waits for it in every later step.
test('the page has the bridge and nothing else', async () => {
  const found = await shell.page.evaluate(async () => {
    const scope = globalThis as unknown as Record<string, unknown>
    const elsewhere = await fetch('https://example.org/').then(
      () => 'reached',
      () => 'refused',
    )
    const opened = window.open('https://example.org/')
    location.href = 'https://example.org/'
    return {
      node: ['require', 'process', 'module', 'Buffer'].filter((name) => name in scope),
      bridge: Object.keys(scope['morphoscope'] as object).sort(),
      elsewhere,
      opened: opened !== null,
      permission: (await navigator.permissions.query({ name: 'geolocation' })).state,
    }
  })
  expect(found).toEqual({
    node: [],
    bridge: ['call', 'cancel', 'onEvent', 'pathOfFile', 'tileOrigin'],
    elsewhere: 'refused',
    opened: false,
    permission: 'denied',
  })
  expect(shell.page.url()).toMatch(/^morphoscope:\/\/app\//)
})
