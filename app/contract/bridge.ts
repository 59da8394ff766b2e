// What preload (desktop) or the WebSocket client (browser) gives the renderer.
import type { CallArg, CallName, CallValue } from './calls'
import type { Result } from './errors'
import type { AppEvent } from './events'

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
