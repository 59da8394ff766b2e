// What the status bar says of the engine: only what has been heard of it.
import { words } from '../../words'
import { isStarting, runningRun } from '../slices/runSlice'
import type { State } from '../store'

/** Each is a class of the status bar's styles. */
export type EngineState = 'offline' | 'connecting' | 'starting' | 'missing' | 'stopped' | 'restarted' | 'computing' | 'ready'

export const engineWords: Record<EngineState, string> = words.status.engine

export function engineState({ ui, runs }: Pick<State, 'ui' | 'runs'>): EngineState {
  if (ui.connection !== 'online') return ui.connection
  if (ui.engineGone !== null) return ui.app === null ? 'missing' : 'stopped'
  // No engine has answered yet.
  if (ui.app === null) return 'starting'
  const all = [runningRun(runs), ...runs.elsewhere.map(({ status }) => status)]
  if (isStarting(runs) || all.some((run) => run !== null && run.state !== 'paused')) return 'computing'
  return ui.banner === null ? 'ready' : 'restarted'
}
