// Shows that tests fail where a mend is taken back: each entry of regressionList.mjs, in a worktree of its own, by the test that it names.
//   node test/stress/regressions.mjs [--only 1,e,12] [--match PART|PART] [--out FILE.md] [--check]
// --check only looks whether every entry still fits the sources. Needs the native build, Chromium and Electron. Exit code 1: a test passed without
// its mend, or an entry fits no more.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What a test that waits for what does not come may take; the machine is taken to do nothing else. */
const patienceMs = 45_000
const limitMs = 15 * 60_000

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Runs to the end or the limit, with all that it started. */
function run(command, args, { cwd, env = {} }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text = (text + chunk).slice(-200_000)))
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), limitMs)
    child.on('error', (error) => resolve({ code: -1, text: String(error) }))
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, text })
    })
  })
}

/** The sources with the entry's edits, by file; throws where an edit does not fit exactly once. */
export function edited(base, { edits }) {
  const files = new Map()
  for (const { file, from, to } of edits) {
    const before = files.get(file) ?? readFileSync(join(base, file), 'utf8')
    const times = before.split(from).length - 1
    if (times !== 1) throw new Error(`${file} holds ${times} times: ${from.trim().split('\n')[0]}`)
    files.set(
      file,
      before.replace(from, () => to),
    )
  }
  return files
}

/** Of the named journey: whether it ran and passed, and what it said first. */
async function judge(base, { test, name, project }) {
  const report = join(base, 'regression-report.json')
  rmSync(report, { force: true })
  writeFileSync(
    join(base, 'playwright.regressions.ts'),
    `import base from './playwright.config'\nexport default { ...base, reporter: [['json', { outputFile: ${JSON.stringify(report)} }]], expect: { timeout: ${patienceMs} } }\n`,
  )
  const args = ['playwright', 'test', test, '-c', 'playwright.regressions.ts', `--project=${project}`, '-g', escaped(name)]
  const { text } = await run('xvfb-run', ['-a', '-s', '-screen 0 1600x1000x24', 'npx', ...args], { cwd: base })
  if (!existsSync(report)) return { ran: false, said: text.trim().split('\n').at(-1) }
  const results = []
  const visit = (suite) => {
    for (const spec of suite.specs ?? []) for (const each of spec.tests) results.push(...each.results)
    for (const inner of suite.suites ?? []) visit(inner)
  }
  JSON.parse(readFileSync(report, 'utf8')).suites.forEach(visit)
  const ran = results.filter(({ status }) => status !== 'skipped')
  const failed = ran.find(({ status }) => status !== 'passed')
  if (ran.length === 0) return { ran: false, said: text.trim().split('\n').at(-1) }
  return { ran: true, passed: !failed, said: firstLine(failed?.error?.message ?? failed?.errors?.[0]?.message) }
}

// Playwright's messages are coloured.
const firstLine = (message) =>
  (message ?? '')
    .replaceAll(/\u001b\[[0-9;]*m/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('at '))
    .slice(0, 3)
    .join(' ')
    .slice(0, 200)

/** A worktree of the last commit, with this one's packages and native build. */
async function scratchTree() {
  const base = mkdtempSync(join(tmpdir(), 'morphoscope-regressions-'))
  const made = await run('git', ['worktree', 'add', '--detach', '--force', base, 'HEAD'], { cwd: root })
  if (made.code !== 0) throw new Error(made.text)
  symlinkSync(join(root, 'node_modules'), join(base, 'node_modules'))
  return base
}

const addon = join('build', 'native', 'morphoscope.node')

/** dist of the sources as they are; `stamp` says of which. */
function builder(base) {
  let built = null
  return async (stamp) => {
    if (built === stamp) return
    rmSync(join(base, 'dist'), { recursive: true, force: true })
    const { code, text } = await run(process.execPath, ['app/setup/build.mjs', 'ts'], { cwd: base })
    if (code !== 0) throw new Error(`the build fails: ${text.slice(-400)}`)
    built = stamp
  }
}

async function tryEntry(base, build, entry, intact) {
  const files = edited(base, entry)
  // The test must pass as the sources are, or its failing means nothing.
  const key = `${entry.test} ${entry.name} ${entry.project}`
  if (!intact.has(key)) {
    await build('intact')
    const { ran, passed, said } = await judge(base, entry)
    intact.set(key, ran && passed ? null : ran ? `fails with its mend, too: ${said}` : `did not run: ${said}`)
  }
  if (intact.get(key)) return { verdict: 'NO PROOF', said: intact.get(key) }
  const before = new Map([...files.keys()].map((file) => [file, readFileSync(join(base, file))]))
  try {
    for (const [file, text] of files) writeFileSync(join(base, file), text)
    await build(JSON.stringify([...files]))
    const { ran, passed, said } = await judge(base, entry)
    if (!ran) return { verdict: 'NO PROOF', said: `did not run: ${said}` }
    return { verdict: passed ? 'PASSES' : 'fails', said }
  } finally {
    for (const [file, text] of before) writeFileSync(join(base, file), text)
  }
}

const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ')
const row = ({ item, mend, test, name, project }, { verdict, said }) =>
  `| ${[item, mend, `${test}: ${name} (${project})`, verdict, said].map(cell).join(' | ')} |`
const head = ['| item | mend that is taken back | test | without it | what it says first |', '|---|---|---|---|---|']

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined)

async function main() {
  const { entries } = await import('./regressionList.mjs')
  const only = option('--only')?.split(',')
  const match = option('--match')?.split('|')
  const wanted = entries.filter(
    ({ item, mend }) => (!only || only.includes(item)) && (!match || match.some((part) => mend.includes(part))),
  )
  const misfits = []
  for (const entry of wanted) {
    try {
      edited(root, entry)
      const source = readFileSync(join(root, entry.test), 'utf8')
      if (!source.includes(entry.name)) throw new Error(`${entry.test} has no test "${entry.name}"`)
    } catch (error) {
      misfits.push(`${entry.item}, ${entry.mend}: ${error.message}`)
    }
  }
  for (const misfit of misfits) console.error(misfit)
  if (process.argv.includes('--check')) return misfits.length === 0
  const base = await scratchTree()
  const lines = [...head]
  let good = misfits.length === 0
  try {
    cpSync(join(root, addon), join(base, addon), { recursive: true })
    const build = builder(base)
    const intact = new Map()
    for (const entry of wanted) {
      const outcome = await tryEntry(base, build, entry, intact).catch((error) => ({ verdict: 'NO PROOF', said: error.message }))
      good &&= outcome.verdict === 'fails'
      lines.push(row(entry, outcome))
      console.log(lines.at(-1))
      if (option('--out')) writeFileSync(option('--out'), `${lines.join('\n')}\n`)
    }
  } finally {
    await run('git', ['worktree', 'remove', '--force', base], { cwd: root })
  }
  return good
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = (await main()) ? 0 : 1
