// Running other programs from the setup scripts: one calm line a step, the output of a step only where it fails.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { givesWay, sessionGivesWay } from './giveWay.mjs'
import { clearProgress } from './progress.mjs'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')

export function say(line) {
  clearProgress()
  console.log(`[morphoscope] ${line}`)
}

/** What a step has to say of its failure. */
export function complain(text) {
  clearProgress()
  console.error(text)
}

/** A failure that the user can act on: printed without a stack. */
export class SetupError extends Error {}

/** Runs `main`; a SetupError becomes its message and exit code 1, anything else keeps its stack. */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    complain(error instanceof SetupError ? `[morphoscope] ${error.message}` : error)
    process.exitCode = 1
  }
}

/** The full path of a command, or null. */
export function which(command) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : ['']
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const ending of endings) {
      const path = join(folder, command + ending)
      if (folder && existsSync(path)) return path
    }
  }
  return null
}

/** stdout of a short command, or null where it fails. */
export function output(command, args, options = {}) {
  const done = spawnSync(command, args, { encoding: 'utf8', cwd: root, stdio: ['ignore', 'pipe', 'ignore'], ...options })
  return done.status === 0 ? done.stdout : null
}

/**
 * How long a program may print nothing, and how long it may take in all, before it is taken for one that hangs. Not how long it should take:
 * tests print each of theirs as it ends, and a machine that does other things as well makes each many times as long.
 */
export const patience = { silentMs: 10 * 60_000, totalMs: 120 * 60_000 }

/** Why a program is stopped now, or null; times in ms. */
export function whyStop({ now, begun, heard }, { silentMs = Infinity, totalMs = Infinity }) {
  if (now - heard >= silentMs) return `stopped: it had printed nothing for ${Math.round(silentMs / 1000)} s`
  if (now - begun >= totalMs) return `stopped: it had not ended after ${Math.round(totalMs / 1000)} s`
  return null
}

/** Ends a program and all that it started: what is left of these would hold its pipes open, and this side would wait for ever. */
function endGroup(child) {
  try {
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'])
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

/**
 * Runs a program to its end. `quiet`: its output is kept and only its tail is shown where it fails. `limits`: when it is stopped for hanging,
 * as `patience`; needs `quiet`. `hear`: takes what it prints, as it prints it; needs `quiet`. Resolves to { code, text }; never rejects for a program that ran.
 */
export function run(command, args, { quiet = false, env = {}, cwd = root, limits, hear } = {}) {
  const apart = limits !== undefined || givesWay()
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      // npm is a .cmd file on Windows, which only a shell starts.
      shell: process.platform === 'win32' && /\.(cmd|bat)$/i.test(command),
      // A group of its own, which can be ended as a whole, and be given less of the machine.
      detached: apart && process.platform !== 'win32',
    })
    if (givesWay() && child.pid !== undefined) void sessionGivesWay(child.pid)
    const times = { begun: Date.now(), heard: Date.now() }
    let text = ''
    const keep = (chunk) => {
      times.heard = Date.now()
      text = (text + String(chunk)).slice(-200_000)
      hear?.(String(chunk))
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    let stopped = null
    let lookedAt = Date.now()
    const stop = () => endGroup(child)
    // What a terminal sends to its programs does not reach a group of its own.
    const interrupted = (signal) => {
      stop()
      process.kill(process.pid, signal)
    }
    const timer = limits
      ? setInterval(
          () => {
            const now = Date.now()
            // A machine that slept, or was too busy for this timer, tells nothing of the program.
            if (now - lookedAt > 30_000) times.heard = Math.max(times.heard, now - 1)
            lookedAt = now
            stopped ??= whyStop({ now, ...times }, limits)
            if (stopped) stop()
          },
          Math.min(1000, Math.max(10, (limits.silentMs ?? 1000) / 4)),
        )
      : undefined
    if (apart) for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupted)
    const settle = (result) => {
      clearInterval(timer)
      for (const signal of ['SIGINT', 'SIGTERM']) process.removeListener(signal, interrupted)
      done(result)
    }
    child.on('error', (error) => settle({ code: 127, text: `${command}: ${error.message}` }))
    child.on('close', (code, signal) => {
      if (stopped) text += `\n${stopped}`
      else if (signal) text += `\nended by ${signal}`
      settle({ code: stopped ? 124 : (code ?? 1), text })
    })
  })
}

/** The last lines of a program's output, for an error message. */
export function tail(text, lines = 40) {
  return text.trimEnd().split('\n').slice(-lines).join('\n')
}

export function seconds(sinceMs) {
  return `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`
}

/** True where this file is the program that was started, rather than a module of another one. */
export function isProgram(importMetaUrl) {
  return Boolean(process.argv[1]) && resolve(process.argv[1]) === fileURLToPath(importMetaUrl)
}
