// Ctrl-Z on runs: their windows come to their end, memory is given back, and then the process stops as every other; `fg` goes on.
import type { Engine } from '../../../main/engine'
import type { Terminal } from '../terminal'

/** From now on until the answer is called. `going`: the runs that are to pause, asked when it comes to that. */
export function pauseOnSignal(engine: Engine, terminal: Terminal, going: () => Promise<readonly string[]>): () => void {
  let wants: 'go' | 'stop' = 'go'
  let paused: readonly string[] = []
  const goOnWithAll = (): void => {
    for (const runId of paused) void engine.call('run:continue', { runId })
    paused = []
  }
  const stop = async (): Promise<void> => {
    // The terminal tells the parent too, which tells it again.
    if (wants === 'stop') return
    wants = 'stop'
    paused = await going().catch(() => [])
    await Promise.all(paused.map((runId) => engine.call('run:pause', { runId })))
    // Somebody was faster.
    if ((wants as string) !== 'stop') return goOnWithAll()
    terminal.note('paused: fg goes on, or kill -CONT')
    process.kill(process.pid, 'SIGSTOP')
  }
  const goOn = (): void => {
    if (wants === 'go') return
    wants = 'go'
    goOnWithAll()
  }
  const onStop = (): void => void stop()
  process.on('SIGTSTP', onStop)
  process.on('SIGCONT', goOn)
  return () => {
    process.off('SIGTSTP', onStop)
    process.off('SIGCONT', goOn)
  }
}
