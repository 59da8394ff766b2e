// Which device the user chose, which one computes, and what a menu says of both. Pure.
import { noun } from '../../app/contract'
import type { AppInfo } from '../../app/contract'
import { formatBytes } from '../arithmetic/format'

export interface DeviceState {
  /** As the settings keep it. One that is not there now stays chosen: it may be back the next time. */
  readonly chosen: string
  /** A GPU failed and the user went on with the CPU: until a device is chosen again, or the window starts anew. */
  readonly cpuForNow: boolean
  /** The choice of which the user was told that it is not there: once is enough. */
  readonly toldMissing: string | null
}
export const firstDevice: DeviceState = { chosen: 'cpu', cpuForNow: false, toldMissing: null }

type Known = Pick<AppInfo, 'devices' | 'gpuReason' | 'shell'> | null

/** The choice is known not to be there: before the engine has told its devices, nothing is missing. */
export const isMissing = ({ chosen }: DeviceState, app: Known): boolean =>
  app !== null && chosen !== 'cpu' && !chosen.split(',').every((name) => app.devices.some(({ id }) => id === name))

/** What every run of the window names as its device. */
export const deviceInUse = (device: DeviceState, app: Known): string =>
  device.cpuForNow || app === null || isMissing(device, app) ? 'cpu' : device.chosen

export interface DeviceLine {
  readonly label: string
  readonly detail: string
}
export interface DeviceMenu {
  readonly title: string
  /** Short, for the status bar: the device that computes. */
  readonly now: string
  readonly lines: readonly (DeviceLine & { readonly id: string; readonly ticked: boolean })[]
  /** What cannot be chosen, and why. */
  readonly absent: readonly DeviceLine[]
  readonly hints: readonly string[]
}

function lineOf({ id, kind, name, threads, memoryMiB }: AppInfo['devices'][number]): DeviceLine {
  if (kind === 'cpu')
    return {
      label: `CPU${threads ? ` × ${threads}` : ''}`,
      detail: threads ? `${name}, ${threads} ${noun(threads, 'thread')}` : name,
    }
  return { label: name, detail: memoryMiB ? `${id}, ${formatBytes(memoryMiB * 2 ** 20)}` : id }
}

/** GPUs first: between equals the engine takes the first. */
function allOf(app: Known): string {
  const devices = app?.devices ?? []
  return [...devices.filter(({ kind }) => kind === 'gpu'), ...devices.filter(({ kind }) => kind === 'cpu')]
    .map(({ id }) => id)
    .join(',')
}

export function deviceMenu(device: DeviceState, app: Known): DeviceMenu {
  const inUse = deviceInUse(device, app)
  const lines = (app?.devices ?? []).map((each) => ({ ...lineOf(each), id: each.id, ticked: each.id === inUse }))
  // Those that were chosen otherwise, by a file of settings, are a line as well.
  const together = inUse.includes(',') ? inUse : allOf(app)
  if (together.includes(','))
    lines.push({
      label: together === allOf(app) ? 'All together' : 'Several together',
      detail: together.split(',').join(' + '),
      id: together,
      ticked: together === inUse,
    })
  const where = app?.shell === 'serve' ? 'the server' : 'this machine'
  const absent: DeviceLine[] = []
  if (isMissing(device, app)) {
    absent.push({
      label: device.chosen,
      detail: `Your choice, but ${where} does not have it now. The CPU computes until it is back.`,
    })
  }
  if (app?.gpuReason) absent.push({ label: 'No GPU', detail: app.gpuReason })
  const hints: string[] = []
  if (device.cpuForNow && device.chosen !== inUse && !isMissing(device, app)) {
    hints.push(`${device.chosen} failed, so the CPU computes until you choose again here or start anew.`)
  }
  if (lines.length > 1) {
    hints.push(
      'Every device gives the same results, bit for bit. A change applies from the next run or preview on; a click on a single object always uses the CPU.',
    )
  }
  return {
    title: app?.shell === 'serve' ? 'Compute on (devices of the server)' : 'Compute on',
    now: lines.find(({ ticked }) => ticked)?.label ?? 'No device',
    lines,
    absent,
    hints,
  }
}
