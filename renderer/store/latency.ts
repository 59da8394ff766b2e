// Stop watches for what users wait for; figures go to the performance timeline and to window.__morphoscope.
export type Watch = 'slide-first-tile' | 'param-to-first-tile' | 'click-to-outline'

const begun = new Map<Watch, number>()
const last = new Map<Watch, number>()

export function beginWatch(watch: Watch): void {
  begun.set(watch, performance.now())
}
export function dropWatch(watch: Watch): void {
  begun.delete(watch)
}
export function endWatch(watch: Watch): void {
  const start = begun.get(watch)
  if (start === undefined) return
  begun.delete(watch)
  const end = performance.now()
  last.set(watch, end - start)
  performance.measure(watch, { start, end })
}
export const latencies = (): Record<string, number> => Object.fromEntries(last)
