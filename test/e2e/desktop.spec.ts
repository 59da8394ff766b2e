// What only the desktop has: a slide handed over by a second start or dropped on the window, a page that reaches nothing but its bridge, and WebGL.
import { expect, test } from '@playwright/test'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { keepScreenshot, seesTissue } from './journey'
import { launch, sample, whyNot } from './shells'
import type { Shell, ShellName } from './shells'

let shell: Shell

test.beforeAll(async ({ browserName: _ }, { project }) => {
  const reason = await whyNot(project.name as ShellName)
  test.skip(reason !== null, reason ?? '')
  shell = await launch('electron', { drawer: 'webgl' })
})
test.afterAll(async () => shell?.close())

test('WebGL draws the slide too', async () => {
  await seesTissue(shell)
  await keepScreenshot(shell, '11-webgl')
})

test('a second start hands its slide to the first and ends', async () => {
  const second = join(shell.folder, 'second.svs')
  copyFileSync(sample, second)
  await shell.startAgain!(second)
  await seesTissue(shell, 'second.svs')
})

test('a dropped slide opens: the bridge knows where it lies', async () => {
  const dropped = join(shell.folder, 'dropped.svs')
  copyFileSync(sample, dropped)
  // A file from a chooser is one of the disk, as one from the file manager is.
  await shell.page.evaluate(() => {
    const input = document.createElement('input')
    input.type = 'file'
    input.id = 'file-manager'
    document.body.append(input)
  })
  await shell.page.locator('#file-manager').setInputFiles(dropped)
  await shell.page.evaluate(() => {
    const input = document.querySelector<HTMLInputElement>('#file-manager')!
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(input.files![0]!)
    document.querySelector('.drop-zone')!.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
    input.remove()
  })
  await seesTissue(shell, 'dropped.svs')
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
    bridge: ['call', 'onEvent', 'pathOfFile', 'tileOrigin'],
    elsewhere: 'refused',
    opened: false,
    permission: 'denied',
  })
  expect(shell.page.url()).toMatch(/^morphoscope:\/\/app\//)
})
