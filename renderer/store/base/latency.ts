// Stop watches for what users wait for; figures go to the performance timeline and to window.__morphoscope.
/** field: all that is in view shows the new value. */
export type Watch =
  | 'slide-first-tile'
  | 'param-to-first-tile'
  | 'param-to-field'
  | 'click-to-outline'
  | 'wand-to-outline'
  | 'point-to-why'
  | 'slider-to-histogram'

/** What a changed value is waited for. */
export const paramWatches = ['param-to-first-tile', 'param-to-field'] as const satisfies readonly Watch[]

interface Begun {
  readonly start: number
  /** What ends the watch, once it is known: a result of an older request must not. */
  token: string | null
}
const begun = new Map<Watch, Begun>()
const last = new Map<Watch, number>()

export function beginWatch(watch: Watch): void {
  begun.set(watch, { start: performance.now(), token: null })
}
export function dropWatch(watch: Watch): void {
  begun.delete(watch)
}
/** Nothing new was asked for; a request that is on its way keeps its watch. */
export function dropUnboundWatch(watch: Watch): void {
  if (begun.get(watch)?.token === null) begun.delete(watch)
}
export function bindWatch(watch: Watch, token: string): void {
  const watching = begun.get(watch)
  if (watching) watching.token = token
}
export function endWatch(watch: Watch, token: string | null = null): void {
  const watching = begun.get(watch)
  if (watching?.token !== token) return
  const { start } = watching
  begun.delete(watch)
  const end = performance.now()
  last.set(watch, end - start)
  performance.measure(watch, { start, end })
}
export const latencies = (): Record<string, number> => Object.fromEntries(last)
