// A script in a process of its own that answers each line of JSON by one: made anew where it ended or did not answer in time.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const root = new URL('../../..', import.meta.url).pathname
/** It may make what it needs first. */
const startsWithinMs = 120_000

interface Running {
  readonly child: ChildProcess
  readonly lines: AsyncIterator<string>
  complaints: string
}

export class Asked {
  readonly #args: string[]
  readonly #env: Record<string, string>
  #running: Running | null = null

  constructor(args: string[], env: Record<string, string> = {}) {
    this.#args = args
    this.#env = env
  }

  /** `how`: it ended so, or does not answer. */
  async ask<T extends object>(question: object, withinMs: number): Promise<T | { how: string }> {
    if (!this.#running) {
      this.#running = this.#started()
      const began = await this.#line(startsWithinMs)
      if ('how' in began) return began
    }
    this.#running.child.stdin!.write(`${JSON.stringify(question)}\n`)
    return this.#line<T>(withinMs)
  }

  async end(): Promise<void> {
    const { child } = this.#running ?? {}
    this.#running = null
    if (child?.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'close')
  }

  #started(): Running {
    const child = spawn(process.execPath, this.#args, {
      ...{ cwd: root, env: { ...process.env, ...this.#env }, stdio: ['pipe', 'pipe', 'pipe'] },
    })
    const running = { child, lines: createInterface(child.stdout)[Symbol.asyncIterator](), complaints: '' }
    child.stderr.on('data', (chunk) => (running.complaints = (running.complaints + String(chunk)).slice(-2000)))
    // It has ended: the missing answer says so.
    child.stdin.on('error', () => undefined)
    return running
  }

  async #line<T extends object>(withinMs: number): Promise<T | { how: string }> {
    const running = this.#running!
    const { child, lines } = running
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), withinMs)))
    const line = await Promise.race([lines.next(), late])
    clearTimeout(timer)
    if (line !== 'late' && line.done !== true) return JSON.parse(line.value) as T
    if (line === 'late') {
      await this.end()
      return { how: 'hangs' }
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
    this.#running = null
    return { how: `${child.signalCode ?? child.exitCode}: ${running.complaints.slice(-500)}` }
  }
}
