// A GPU that the window is told of and the engine does not have: chosen, refused, left for the CPU, and missed at the next start.
// The page's connection is the only thing that is not real, so this runs in the browser alone.
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { takesFocusTo, keepScreenshot, objectCount, seesOutlines, seesTissue, zoomsToNuclei } from '../journey'
import { withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell

withShell((started) => void (shell = started))

/** No machine has so many. */
const device = { id: 'gpu99', kind: 'gpu', name: 'Test GPU', memoryMiB: 24_576 }

/** From the next load of the page on, while `told.gpu` is set, the engine's answer to app:info names one GPU more. */
async function addsGpu(page: Page, told: { gpu: boolean }): Promise<void> {
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer()
    const asked = new Set<number>()
    socket.onMessage((message) => {
      const { id, name } = JSON.parse(String(message)) as { id: number; name: string }
      if (name === 'app:info') asked.add(id)
      server.send(message)
    })
    server.onMessage((message) => {
      const frame = JSON.parse(String(message)) as { id?: number; result?: { value: { devices: unknown[]; gpuReason: unknown } } }
      const info = frame.id !== undefined && asked.has(frame.id) ? frame.result?.value : undefined
      if (!told.gpu || !info) return socket.send(message)
      Object.assign(info, { devices: [...info.devices, device], gpuReason: null })
      socket.send(JSON.stringify(frame))
    })
  })
  await page.reload()
}

test('a GPU that the engine refuses: one button runs on the CPU, and the next start says that the choice is not there', async () => {
  const { page } = shell
  const told = { gpu: true }
  await addsGpu(page, told)
  await seesTissue(shell)
  await zoomsToNuclei(shell)

  // Chosen by keyboard.
  await page.keyboard.press('g')
  await expect(page.getByTestId('device-menu')).toBeVisible()
  await takesFocusTo(page.getByTestId('device-gpu99'), 'Home', 'ArrowDown')
  await expect(page.getByTestId('device-gpu99')).toContainText('24.0 GiB')
  await keepScreenshot(shell, '13-devices-gpu')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('devices')).toContainText('Test GPU')

  // Refused by the real engine, with its reason; the button does the rest.
  await page.getByTestId('segment-visible').click()
  await expect(page.getByTestId('notice-error')).toContainText('gpu99 is not there')
  expect(await objectCount(shell)).toBe(0)
  await keepScreenshot(shell, '13-run-on-cpu')
  await page.getByTestId('run-on-cpu').click()
  await seesOutlines(shell)
  await page.getByRole('button', { name: 'Timings', exact: true }).click()
  await expect(page.getByTestId('timings')).toContainText('cpu')
  await expect(page.getByTestId('notice-error')).toBeHidden()
  await expect(page.getByTestId('devices')).toContainText('CPU')
  await page.getByTestId('devices').click()
  await expect(page.getByTestId('device-menu')).toContainText('gpu99 failed, so the CPU computes')
  await keepScreenshot(shell, '13-cpu-for-now')
  await page.keyboard.press('Escape')

  // The choice was kept by the server; the next start does not find it.
  told.gpu = false
  await page.reload()
  await expect(page.getByText(/The server does not have gpu99 now/)).toBeVisible()
  await page.getByTestId('devices').click()
  await expect(page.getByTestId('device-cpu')).toHaveAttribute('aria-checked', 'true')
  const missing = page.getByRole('menuitem', { name: /^gpu99.*the server does not have it/ })
  await expect(missing).toBeDisabled()
  await keepScreenshot(shell, '13-choice-not-there')
  // Choosing what computes anyway ends it.
  await page.getByTestId('device-cpu').click()
  await page.getByTestId('devices').click()
  await expect(page.getByTestId('device-menu')).toBeVisible()
  await expect(missing).toBeHidden()
  await page.reload()
  await expect(page.getByTestId('devices')).toContainText('CPU')
  await expect(page.getByText(/does not have gpu99/)).toBeHidden()
})
