// What the sandboxed page gets of the process outside: exactly `window.morphoscope`, the Bridge of app/contract.ts.
import { contextBridge, ipcRenderer, webUtils } from 'electron'
import type { IpcRendererEvent } from 'electron'
import type { AppEvent, Bridge, CallArg, CallName, CallValue, Result } from '../contract'

// The same names as in ipc.ts; a sandboxed preload is one file, and importing zod with them would load it before the page.
const callChannel = 'morphoscope:call'
const eventChannel = 'morphoscope:event'

const bridge: Bridge = {
  call: <N extends CallName>(name: N, arg: CallArg<N>) =>
    ipcRenderer.invoke(callChannel, name, arg) as Promise<Result<CallValue<N>>>,
  onEvent(listener) {
    // The page never sees Electron's event object: it would hand it the sender.
    const forward = (_: IpcRendererEvent, event: AppEvent) => listener(event)
    ipcRenderer.on(eventChannel, forward)
    return () => void ipcRenderer.off(eventChannel, forward)
  },
  tileOrigin: 'morphoscope://app',
  pathOfFile: (file) => webUtils.getPathForFile(file) || null,
}
contextBridge.exposeInMainWorld('morphoscope', bridge)
