// What the sandboxed page gets of the process outside: exactly `window.morphoscope`, the Bridge of app/contract.
import { contextBridge, ipcRenderer, webUtils } from 'electron'
import type { IpcRendererEvent } from 'electron'
import type { AppEvent, Bridge, CallArg, CallName, CallValue, Result } from '../contract'

// The same names as in ipc.ts; a sandboxed preload is one file, and importing zod with them would load it before the page.
const callChannel = 'morphoscope:call'
const cancelChannel = 'morphoscope:cancel'
const droppedChannel = 'morphoscope:dropped'
const eventChannel = 'morphoscope:event'

const bridge: Bridge = {
  // An AbortSignal cannot cross into here: the page gives the call a number, and takes it back by that.
  call: <N extends CallName>(name: N, arg: CallArg<N>, id?: number) =>
    ipcRenderer.invoke(callChannel, name, arg, id) as Promise<Result<CallValue<N>>>,
  cancel: (id) => ipcRenderer.send(cancelChannel, id),
  onEvent(listener) {
    // The page never sees Electron's event object: it would hand it the sender.
    const forward = (_: IpcRendererEvent, event: AppEvent) => listener(event)
    ipcRenderer.on(eventChannel, forward)
    return () => void ipcRenderer.off(eventChannel, forward)
  },
  tileOrigin: 'morphoscope://app',
  // Only a File that a person dropped or chose has a path: the page cannot make one. It is told on the line that its call will take.
  pathOfFile: (file) => {
    const path = webUtils.getPathForFile(file)
    if (path) ipcRenderer.send(droppedChannel, path)
    return path || null
  },
}
contextBridge.exposeInMainWorld('morphoscope', bridge)
