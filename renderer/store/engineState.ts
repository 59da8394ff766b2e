// What the status bar says of the engine: only what has been heard of it.
import { runningRun } from './runSlice'
import type { State } from './store'

/** Each is a class of the status bar's styles. */
export type EngineState = 'offline' | 'connecting' | 'starting' | 'missing' | 'stopped' | 'restarted' | 'computing' | 'ready'

export const engineWords: Record<EngineState, string> = {
  offline: 'Engine offline',
  connecting: 'Engine connecting',
  starting: 'Engine starting',
  missing: 'Engine not started: what to do',
  stopped: 'Engine stopped: what to do',
  restarted: 'Engine restarted',
  computing: 'Engine computing',
  ready: 'Engine ready',
}

export function engineState({ ui, runs }: Pick<State, 'ui' | 'runs'>): EngineState {
  if (ui.connection !== 'online') return ui.connection
  if (ui.engineGone !== null) return ui.app === null ? 'missing' : 'stopped'
  // No engine has answered yet.
  if (ui.app === null) return 'starting'
  const all = [runningRun(runs), ...runs.elsewhere.map(({ status }) => status)]
  if (runs.starting !== null || all.some((run) => run !== null && run.state !== 'paused')) return 'computing'
  return ui.banner === null ? 'ready' : 'restarted'
}
