// The command line's thin parent: a command that reads slides runs in a process of its own, so that its crash ends in words and a code.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { engineEnd } from '../host/parent/engineEnd'
import { threadPool } from '../host/threadPool'
import type { ExitCode as Codes } from './exitCodes'

export { threadPool }

/** Written out: exitCodes.ts brings the whole contract, which every start would wait for. */
const ExitCode = { badSlide: 65, bug: 70, inputOutput: 74, tryAgain: 75 } satisfies Partial<typeof Codes>

/** Commands in whose process slides or images are read: all but the server, whose engine has a process of its own. */
export const guarded = [
  'run',
  'report',
  'info',
  'op',
  'devices',
  'bench',
  'evaluate',
  'compare',
  'optimize',
  'project',
  'tma',
  'prepare',
  'merge',
  'workflow',
]

/** Whether this command line is to run in a process of its own: help opens nothing, and a second start of Node would be most of its wait. */
export function isGuarded(args: readonly string[]): boolean {
  return guarded.includes(args[0] ?? '') && !args.some((arg) => arg === '--help' || arg === '-h')
}

export interface FromCommand {
  /** The file that is being read from now on. */
  reading: string
}
export interface ToCommand {
  signal: 'SIGINT' | 'SIGTERM'
}

/** What may help where memory ran out, in the command's own options. */
function lessMemory(command: string): string {
  if (command === 'run' || command === 'report') return ' Try a smaller --region, or fewer --threads.'
  return ['project', 'evaluate', 'optimize', 'op'].includes(command) ? ' Try fewer --threads.' : ''
}

/** Whether what is shown may name slides: it ends up in job logs. */
function mayName(args: readonly string[]): boolean {
  return args[0] === 'report' ? args.includes('--named') : !args.includes('--deidentify')
}

/** What is said of the process of `command` that a signal ended, and with which code this one ends. */
export function afterSignal(command: string, signal: NodeJS.Signals, reading: string | null): { message: string; code: number } {
  // The system ended it for the size of a file that it wrote: nothing of what it read is to blame.
  if (signal === 'SIGXFSZ')
    return {
      message:
        'error: Morphoscope stopped: a file that it wrote would have become larger than this process may write (ulimit -f). Raise that limit, and try again.',
      code: ExitCode.inputOutput,
    }
  const { why, crash } = engineEnd(signal, reading?.endsWith('.morphoscope'))
  // A name may hold what a terminal obeys.
  const file = reading === null ? '' : ` It was reading ${basename(reading).replace(/[\u0000-\u001f\u007f-\u009f]/g, '�')}.`
  if (crash)
    return {
      message: `error: Morphoscope stopped: ${why}.${file} ${reading === null ? 'Please report it.' : 'The file may be damaged: check it, or try another one; and please report it.'}`,
      code: reading === null ? ExitCode.bug : ExitCode.badSlide,
    }
  if (signal === 'SIGKILL')
    return {
      message: `error: Morphoscope stopped: ${why}.${file}${lessMemory(command)}`,
      code: ExitCode.tryAgain,
    }
  return { message: `error: Morphoscope stopped: ${why}.${file}`, code: 128 + constants.signals[signal] }
}

/** What is said where the command's process cannot be started. */
export function notStarted(error: NodeJS.ErrnoException): { message: string; code: number } {
  const message = `error: Morphoscope could not be started: ${error.message}.`
  // No process, memory or file is left for it, which another moment may have.
  if (!['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE'].includes(error.code ?? '')) return { message, code: ExitCode.bug }
  return {
    message: `${message} This user or container has reached a limit of the system (processes, memory or open files): end other programs, and try again.`,
    code: ExitCode.tryAgain,
  }
}

/**
 * Where Node (22 and later) keeps the compiled program: beside it, so that whoever could change the one could change the other. Where it
 * cannot be written nothing is kept.
 */
export function compiledBeside(program: string): string {
  return join(dirname(program), '.compiled')
}

/** Of the command's process. What the user has set stays, but for what costs a start and serves nothing. */
export function environmentFor(program: string, own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // Node reads and parses these certificates at every start, some 40 ms, and no guarded command speaks TLS.
  const { NODE_EXTRA_CA_CERTS: _, ...kept } = own
  return { ...threadPool, NODE_COMPILE_CACHE: compiledBeside(program), ...kept }
}

/** Runs `program` with `args`; ends as it ends. */
export function guard(program: string, args: readonly string[]): void {
  const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: environmentFor(program, process.env),
  })
  let reading: string | null = null
  const named = mayName(args)
  child.on('message', (message) => (reading = named ? (message as FromCommand).reading : 'the slide'))
  // A terminal sends its signals to both processes; the child takes two of a kind at once for one.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => child.connected && child.send({ signal } satisfies ToCommand, () => undefined))
  // A run comes to a rest before it stops; whatever else there is stops at once.
  process.on('SIGTSTP', () => {
    child.kill('SIGTSTP')
    process.kill(process.pid, 'SIGSTOP')
  })
  process.on('SIGCONT', () => void child.kill('SIGCONT'))
  child.on('error', (error) => {
    const { message, code } = notStarted(error)
    console.error(message)
    process.exitCode = code
  })
  child.on('exit', (code, signal) => {
    if (signal === null) return void (process.exitCode = code ?? ExitCode.bug)
    const { message, code: own } = afterSignal(args[0] ?? '', signal, reading)
    console.error(message)
    process.exitCode = own
  })
}
