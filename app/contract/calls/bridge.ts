// What preload (desktop) or the WebSocket client (browser) gives the renderer.
import type { CallArg, CallName, CallValue } from './calls'
import type { Result } from '../base/errors'
import type { AppEvent } from './events'

/** What a call may be as a frame of the WebSocket: an import of the largest file (`project:import`), its quotes escaped. */
export const maxCallBytes = 160 * 1024 * 1024

export interface Bridge {
  /** `id`, where given, is an integer of the page's own that is not in flight: `cancel` takes that call back. */
  call<N extends CallName>(name: N, arg: CallArg<N>, id?: number): Promise<Result<CallValue<N>>>
  cancel(id: number): void
  onEvent(listener: (event: AppEvent) => void): () => void
  /** Absolute prefix for tilePaths, e.g. 'morphoscope://app' or ''. */
  tileOrigin: string
  /** The path of a dropped file, where the shell can know it (desktop). */
  pathOfFile(file: File): string | null
}
