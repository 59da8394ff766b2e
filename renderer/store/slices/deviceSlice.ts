// Which device the user chose, which one computes, and what a menu says of both. Pure.
import type { AppInfo } from '../../../app/contract'
import { formatBytes } from '../../arithmetic/format'
import { words } from '../../words'
import { said } from '../../words/named'

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
      label: words.devices.cpu(threads),
      detail: threads ? words.devices.threads(name, threads) : name,
    }
  return { label: name, detail: memoryMiB ? words.devices.memory(id, formatBytes(memoryMiB * 2 ** 20)) : id }
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
      label: together === allOf(app) ? words.devices.all : words.devices.several,
      detail: together.split(',').join(' + '),
      id: together,
      ticked: together === inUse,
    })
  const absent: DeviceLine[] = []
  if (isMissing(device, app)) {
    absent.push({
      label: device.chosen,
      detail: words.devices.missing(app?.shell === 'serve'),
    })
  }
  if (app?.gpuReason) absent.push({ label: words.devices.noGpu, detail: said(app.gpuReason) })
  const hints: string[] = []
  if (device.cpuForNow && device.chosen !== inUse && !isMissing(device, app)) {
    hints.push(words.devices.failed(device.chosen))
  }
  if (lines.length > 1) {
    hints.push(words.devices.sameResults)
  }
  return {
    title: words.devices.title(app?.shell === 'serve'),
    now: lines.find(({ ticked }) => ticked)?.label ?? words.devices.none,
    lines,
    absent,
    hints,
  }
}
