// What the engine tells its shell's log: never slide properties or label pixels, which can name a patient.
import { plainLines } from './plainText'

export interface LogEntry {
  level: 'info' | 'warn' | 'error'
  message: string
  detail?: string
}
export type Log = (entry: LogEntry) => void

/** For shells that give no log of their own: warnings and errors go to standard error, one line each. */
export const logToStderr: Log = ({ level, message, detail }) => {
  if (level === 'info') return
  process.stderr.write(`${new Date().toISOString()} ${level} ${plainLines(`${message}${detail ? `\n${detail}` : ''}`)}\n`)
}
