// Chooses what computes: the choice is kept in the settings, and a choice that is not there is told once.
import { words } from '../../words'
import { deviceInUse, isMissing } from '../slices/deviceSlice'
import { hideGpuTrouble, tell, tellError } from '../base/notify'
import { saveSettings } from '../base/settingsActions'
import { getState, patch } from '../store'
import { said } from '../../words/named'

/** The device that the window's next run names. */
export const runDevice = (): string => deviceInUse(getState().device, getState().ui.app)

/** For this run, the next ones and the next starts of the program. */
export async function chooseDevice(id: string): Promise<void> {
  const { chosen } = getState().device
  patch('device', { chosen: id, cpuForNow: false, toldMissing: null })
  hideGpuTrouble()
  if (id === chosen) return
  const result = await saveSettings({ device: id })
  if (!result.ok) tellError(result.error, words.about.device)
}

/** After a GPU failed. Its choice is kept: a driver that comes back, or memory that others free, makes it right again. */
export function goOnWithCpu(): void {
  patch('device', { cpuForNow: true })
  hideGpuTrouble()
}

/** No device takes another's place in silence: says once that the choice is not there. */
export function tellMissingDevice(): void {
  const { device, ui } = getState()
  if (!isMissing(device, ui.app) || device.toldMissing === device.chosen) return
  patch('device', { toldMissing: device.chosen })
  const text = words.devices.notThere(ui.app?.shell === 'serve', device.chosen, ui.app?.gpuReason && said(ui.app.gpuReason))
  tell(text, words.about.chosenGpu, 12_000)
}
