// Running other programs from the setup scripts: one calm line a step, the output of a step only where it fails.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')

export function say(line) {
  console.log(`[morphoscope] ${line}`)
}

/** A failure that the user can act on: printed without a stack. */
export class SetupError extends Error {}

/** Runs `main`; a SetupError becomes its message and exit code 1, anything else keeps its stack. */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    console.error(error instanceof SetupError ? `[morphoscope] ${error.message}` : error)
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
 * Runs a program to its end. `quiet`: its output is kept and only its tail is shown where it fails.
 * Resolves to { code, text }; never rejects for a program that ran.
 */
export function run(command, args, { quiet = false, env = {}, cwd = root, timeoutMs = 0 } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      // npm is a .cmd file on Windows, which only a shell starts.
      shell: process.platform === 'win32' && /\.(cmd|bat)$/i.test(command),
    })
    let text = ''
    const keep = (chunk) => {
      text = (text + String(chunk)).slice(-200_000)
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    let timedOut = false
    const timer = timeoutMs
      ? setTimeout(() => {
          timedOut = true
          child.kill('SIGKILL')
        }, timeoutMs)
      : undefined
    child.on('error', (error) => {
      clearTimeout(timer)
      done({ code: 127, text: `${command}: ${error.message}` })
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (timedOut) text += `\nstopped after ${Math.round(timeoutMs / 1000)} s`
      else if (signal) text += `\nended by ${signal}`
      done({ code: timedOut ? 124 : (code ?? 1), text })
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
