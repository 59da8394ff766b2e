// The first process of a PID namespace, in place of an init that would take notice of ended processes: runs are killed in it and stay zombies.
// node noInit.mjs '{"program", "args", "base", "kills", "wholeMs", "seed"}'; a line of JSON for each kill.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const { program, args, base, kills, wholeMs, seed } = JSON.parse(process.argv[2])
let state = seed
const random = () => (state = (state * 1664525 + 1013904223) % 2 ** 32) / 2 ** 32
const stateOf = (pid) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2)[0]
  } catch {
    return null
  }
}
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Its parent is a `sleep`, which never asks how it ended. */
function unwatched(...command) {
  const parent = spawn(
    'sh',
    ['-c', '"$@" >/dev/null 2>&1 & echo $!; exec sleep 100000', 'sh', process.execPath, program, ...command],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  return new Promise((resolve) => parent.stdout.once('data', (text) => resolve({ pid: Number(text), parent })))
}

function ended(...command) {
  const child = spawn(process.execPath, [program, ...command], { stdio: ['ignore', 'ignore', 'pipe'] })
  let err = ''
  child.stderr.on('data', (text) => (err += String(text)))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, err })))
}

const parents = []
say({ first: process.pid, kills })
for (let n = 0; n < kills; n++) {
  const out = join(base, `out-${n}`)
  const { pid, parent } = await unwatched('run', ...args, '--out', out)
  parents.push(parent)
  const journals = async () => (await readdir(out).catch(() => [])).filter((name) => name.endsWith('.journal'))
  while ((await journals()).length === 0 && 'SRD'.includes(stateOf(pid) ?? 'X')) await later(10)
  // A living one keeps its journal to itself.
  const beside = n % 5 === 0 ? await ended('run', '--resume', out) : null
  const wasAlive = 'SRD'.includes(stateOf(pid) ?? 'X')
  await later(random() * 0.6 * wholeMs)
  process.kill(pid, 'SIGKILL')
  // Dead, and still in the list of processes.
  let now = stateOf(pid)
  for (let waited = 0; now !== 'Z' && now !== null && waited < 5000; waited += 10) {
    await later(10)
    now = stateOf(pid)
  }
  const left = await journals()
  const again = await ended('run', ...args, '--out', out, '--resume')
  say({ n, out, state: now, beside: wasAlive ? beside : null, left: left.length, ...again, stillThere: stateOf(pid) === 'Z' })
}
for (const parent of parents) parent.kill('SIGKILL')
process.exit(0)
