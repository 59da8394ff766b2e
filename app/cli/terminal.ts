// What a command shows: results on standard output, progress and warnings on standard error.
import { logToStderr, nameHider, plainLines } from '../../main/engine'
import type { Log } from '../../main/engine'

export interface Terminal {
  /** A result: for people or for the next program. */
  print(text: string): void
  /** Everything else. */
  note(text: string): void
  /** Replaces the line before on a terminal; in a log, a line now and then. */
  progress(text: string, fraction: number): void
  /** Ends the progress line. */
  endProgress(): void
}

/** Where a command's words go. */
export interface Shown {
  readonly terminal: Terminal
  /** Rows of a result, as they are: without names they have pseudonyms, and their other words are no slide's, whatever it is called. */
  readonly rows: (text: string) => void
  /** The engine's; absent: its own. */
  readonly log: Log | undefined
  readonly hide: (text: string) => string
  /** Slides, by path or name, that are in the work from now on. */
  readonly know: (slides: readonly string[]) => void
}

export function withNames(terminal: Terminal): Shown {
  return { terminal, rows: (text) => terminal.print(text), log: undefined, hide: (text) => text, know: () => undefined }
}

/** The terminal, and the engine's log, without the slides' names and folders: what a command shows ends up in job logs. */
export function withoutNames(terminal: Terminal, slides: readonly string[] = []): Shown {
  let known = slides
  let hider = nameHider(...known)
  const hide = (text: string): string => hider(text)
  const hidden: Terminal = {
    print: (text) => terminal.print(hide(text)),
    note: (text) => terminal.note(hide(text)),
    progress: (text, fraction) => terminal.progress(hide(text), fraction),
    endProgress: () => terminal.endProgress(),
  }
  const log: Log = ({ detail, ...entry }) =>
    logToStderr({ ...entry, message: hide(entry.message), ...(detail === undefined ? {} : { detail: hide(detail) }) })
  const know = (more: readonly string[]): void => {
    known = [...known, ...more]
    hider = nameHider(...known)
  }
  return { terminal: hidden, rows: (text) => terminal.print(text), log, hide, know }
}

const plainEveryMs = 5000

export function processTerminal(): Terminal {
  const tty = process.stderr.isTTY
  let open = false
  let lastPlainAt = -Infinity
  const endProgress = (): void => {
    if (open) process.stderr.write('\n')
    open = false
  }
  return {
    print: (text) => {
      endProgress()
      process.stdout.write(`${plainLines(text)}\n`)
    },
    note: (text) => {
      endProgress()
      process.stderr.write(`${plainLines(text)}\n`)
    },
    progress: (line, fraction) => {
      const text = plainLines(line)
      if (tty) {
        // Clears to the end: the line before may have been longer. A line that wraps could not be replaced.
        process.stderr.write(`\r${text.slice(0, Math.max(20, (process.stderr.columns || 80) - 1))}\u001b[K`)
        open = true
      } else if (fraction >= 1 || performance.now() - lastPlainAt >= plainEveryMs) {
        lastPlainAt = performance.now()
        process.stderr.write(`${text}\n`)
      }
    },
    endProgress,
  }
}

/** Columns side by side, each as wide as its widest cell but the last. */
export function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((cells) => cells.length))
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...rows.map((cells) => cells[i]?.length ?? 0)))
  return rows.map((cells) => cells.map((cell, i) => (i === columns - 1 ? cell : cell.padEnd(widths[i]!))).join('  ')).join('\n')
}

export function duration(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${Math.round(seconds % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
