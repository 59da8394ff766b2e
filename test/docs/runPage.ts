// Runs a page's commands as its reader does: one after the other, in a folder that is empty at first, below the program's.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { agrees, shownAs, stepsOf } from './blocks'
import type { Block, Need } from './blocks'

export const root = join(import.meta.dirname, '..', '..')
/** Pages whose commands are run. */
export const folders = ['tutorials', 'how-to', 'explanation'] as const
export const pagesOf = (folder: string): string[] =>
  (existsSync(join(root, 'docs', folder)) ? readdirSync(join(root, 'docs', folder)) : [])
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${folder}/${name}`)
    .toSorted()

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** npm looks for a second of CPU time for what `npx morphoscope` is: all pages but one are spared that, and start the same program. */
const program = join(root, 'app', 'cli', 'morphoscope.cjs')
const quickNpx = {
  'BASH_FUNC_npx%%': `() { if [ "$1" = morphoscope ]; then shift; node '${program}' "$@"; else command npx "$@"; fi; }`,
}
const byNpm = 'docs/tutorials/index.md'

/** A command that asks is answered by nobody. */
const longestMs = 240_000
function bash(text: string, cwd: string, more: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', text], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: longestMs,
      env: { ...process.env, ...more, NO_COLOR: '1', LC_ALL: 'C.UTF-8', npm_config_engine_strict: 'false' },
    })
    const [out, err]: [string[], string[]] = [[], []]
    child.stdout.setEncoding('utf8').on('data', (each: string) => out.push(each))
    child.stderr.setEncoding('utf8').on('data', (each: string) => err.push(each))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, out: out.join(''), err: err.join('') }))
  })
}

/** Asks for each as the page's commands would. */
const asks: Readonly<Record<Need['of'], (name: string) => string>> = {
  program: (name) => `command -v ${name}`,
  Python: (name) => `python3 -c 'import ${name}'`,
  npm: (name) => `node -e "require.resolve('${name}')"`,
}
async function missingOf(needs: readonly Need[], cwd: string): Promise<string[]> {
  const missing: string[] = []
  for (const { of, name } of needs)
    if ((await bash(asks[of](name), cwd)).code !== 0) missing.push(of === 'program' ? name : `${of}’s ${name}`)
  return missing
}

export interface PageRun {
  /** Empty where all came out as the page says. */
  readonly findings: readonly string[]
  readonly commands: number
  readonly compared: number
  readonly skipped: readonly string[]
}

/** `update`: what a page shows becomes what came out. */
export async function runPage(page: string, { update = false } = {}): Promise<PageRun> {
  const path = join(root, page)
  const text = readFileSync(path, 'utf8')
  const cwd = join(root, 'build', 'docs-test', `${basename(page, '.md')}-${process.pid}`)
  rmSync(cwd, { recursive: true, force: true })
  mkdirSync(cwd, { recursive: true })
  const findings: string[] = []
  const skipped: string[] = []
  const changes: { block: Block; text: string }[] = []
  let commands = 0
  let compared = 0
  try {
    for (const step of stepsOf(text)) {
      const { block } = step
      if (step.kind === 'skipped') skipped.push(`${page}:${block.line}: ${step.why}`)
      else if (step.kind === 'file') writeFileSync(join(cwd, step.name), `${block.text}\n`)
      else {
        const missing = await missingOf(step.needs, cwd)
        if (missing.length > 0) {
          skipped.push(`${page}:${block.line}: not here: ${missing.join(', ')}`)
          continue
        }
        commands++
        const { code, out, err } = await bash(block.text, cwd, page === byNpm ? {} : quickNpx)
        // What comes after it would only fail as well.
        if (code !== 0) {
          findings.push(`${page}:${block.line}: ended with code ${code}\n${block.text}\n${out}${err}`)
          break
        }
        if (!step.prints) continue
        compared++
        if (agrees(step.prints.text, out)) continue
        const shown = shownAs(out, cwd)
        if (update) changes.push({ block: step.prints, text: shown })
        else findings.push(`${page}:${step.prints.line}: the page shows\n${step.prints.text}\nand what came out is\n${shown}`)
      }
    }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
  if (changes.length > 0) {
    const lines = text.split('\n')
    for (const { block, text: shown } of changes.toReversed())
      lines.splice(block.from, block.to - block.from, ...shown.split('\n'))
    writeFileSync(path, lines.join('\n'))
  }
  return { findings, commands, compared, skipped }
}
