// Ctrl-Z on a run: its windows come to their end, memory is given back, and then the process stops as every other; `fg` goes on.
import type { Engine } from '../../main/engine'
import type { Terminal } from './terminal'

/** From now on until the answer is called. */
export function pauseOnSignal(engine: Engine, terminal: Terminal, runId: string): () => void {
  let wants: 'go' | 'stop' = 'go'
  const stop = async (): Promise<void> => {
    // The terminal tells the parent too, which tells it again.
    if (wants === 'stop') return
    wants = 'stop'
    await engine.call('run:pause', { runId })
    // Somebody was faster.
    if ((wants as string) !== 'stop') return
    terminal.note('paused: fg goes on, or kill -CONT')
    process.kill(process.pid, 'SIGSTOP')
  }
  const goOn = (): void => {
    if (wants === 'go') return
    wants = 'go'
    void engine.call('run:continue', { runId })
  }
  const onStop = (): void => void stop()
  process.on('SIGTSTP', onStop)
  process.on('SIGCONT', goOn)
  return () => {
    process.off('SIGTSTP', onStop)
    process.off('SIGCONT', goOn)
  }
}
