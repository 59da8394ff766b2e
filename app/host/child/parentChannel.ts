// The engine process's line to its parent, whichever way it was started: Electron's port, Node's own channel, or a framed pipe.
import { Socket } from 'node:net'
import { encodeFrame, FrameReader, pipeFlag } from '../frames'
import type { FromEngine, ToEngine } from '../messages'

export interface ParentChannel {
  post(message: FromEngine): void
  onMessage(listener: (message: ToEngine) => void): void
  /** The parent is gone. */
  onGone(listener: () => void): void
}

/** Electron's utilityProcess; its types belong to app/desktop. */
interface ParentPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
}

function electronChannel(port: ParentPort): ParentChannel {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => port.on('message', ({ data }) => listener(data as ToEngine)),
    // Electron ends its utility processes itself.
    onGone: () => undefined,
  }
}

function nodeChannel(): ParentChannel {
  return {
    // The parent may be gone by now: then nobody waits for the message.
    post: (message) => void (process.connected && process.send?.(message, () => undefined)),
    onMessage: (listener) => void process.on('message', (message) => listener(message as ToEngine)),
    onGone: (listener) => void process.on('disconnect', listener),
  }
}

function pipeChannel(): ParentChannel {
  const pipe = new Socket({ fd: 3, readable: true, writable: true })
  pipe.on('error', () => undefined)
  return {
    post: (message) => void (pipe.writable && pipe.write(encodeFrame(message))),
    onMessage(listener) {
      const reader = new FrameReader((message) => listener(message as ToEngine))
      pipe.on('data', (chunk: Buffer) => reader.push(chunk))
    },
    onGone: (listener) => void pipe.on('close', listener),
  }
}

export function openParentChannel(): ParentChannel {
  const { parentPort } = process as { parentPort?: ParentPort }
  if (parentPort) return electronChannel(parentPort)
  return process.argv.includes(pipeFlag) ? pipeChannel() : nodeChannel()
}
