// Ten thousand damaged slides through the real engine: `node test/stress/hostileSlides.mjs --seed 1 --count 10000`. Seeded, resumable.
//
// Each mutant is opened, and an overview, tiles, a stain and the associated images are read, in child processes; each request is given 10 s
// (by the clock and of computing) and 2 GB. What ends a child, hangs, or takes more is kept in the report's folder. Run again with the same --out, it goes on.
// Needs the native build; formats that lie in ../shared/data are taken from there, the bundled sample always.
import { fork } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import sharp from 'sharp'

const root = resolve(import.meta.dirname, '..', '..')
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '10000' },
    from: { type: 'string', default: '0' },
    jobs: { type: 'string', default: '2' },
    out: { type: 'string', default: join(root, 'test-results', 'stress', 'hostile') },
    data: { type: 'string', default: process.env.MORPHOSCOPE_DATA ?? resolve(root, '..', 'shared', 'data') },
    only: { type: 'string', default: '' },
  },
})
const seed = Number(values.seed)
const [first, last] = [Number(values.from), Number(values.from) + Number(values.count)]
const limitMs = 10_000
const limitBytes = 2 * 2 ** 30
const perChild = 400

// ---------------------------------------------------------------- what is damaged

async function images(folder) {
  const raw = sharp({ create: { width: 300, height: 200, channels: 3, background: '#b07090' } })
  await raw.clone().png({ progressive: true }).toFile(join(folder, 'image.png'))
  await raw.clone().jpeg({ progressive: true }).toFile(join(folder, 'image.jpg'))
  await raw.clone().webp().toFile(join(folder, 'image.webp'))
  const header = "{'descr': '|u1', 'fortran_order': False, 'shape': (20, 30), }".padEnd(117) + '\n'
  const npy = Buffer.alloc(10 + header.length + 600, 7)
  npy.write('\x93NUMPY\x01\0', 'latin1')
  npy.writeUInt16LE(header.length, 8)
  npy.write(header, 10)
  writeFileSync(join(folder, 'image.npy'), npy)
  return [
    { name: 'png', path: join(folder, 'image.png'), companions: [], op: false },
    { name: 'jpeg', path: join(folder, 'image.jpg'), companions: [], op: false },
    { name: 'webp', path: join(folder, 'image.webp'), companions: [], op: false },
    { name: 'npy', path: join(folder, 'image.npy'), companions: [], op: true },
  ]
}

async function allSeeds(folder) {
  const slides = join(values.data, 'slides')
  const one = (name, path) => ({ name, path: join(slides, path), companions: [], op: false })
  const vms = join(slides, 'synthetic', 'hamamatsu-vms')
  const mirax = join(slides, 'synthetic', 'mirax-overlap')
  const seeds = [
    { name: 'aperio', path: join(root, 'assets', 'samples', 'CMU-1-Small-Region.svs'), companions: [], op: false },
    one('aperio jp2k', 'TCGA-CR-7395-01A-01-TS1.svs'),
    one('ome-tiff', 'HE_example_hamamatsu_LE.ome.tif'),
    one('generic deflate', 'boxes.tiff'),
    one('aperio tiny', 'tiny-16x16.svs'),
    one('ndpi', 'test3-DAPI-2-387.ndpi'),
    one('aperio jp2k pyramid', 'synthetic/aperio-jp2k-33005.svs'),
    one('aperio pyramid', 'synthetic/aperio-pyramid.svs'),
    one('generic pyramid', 'synthetic/generic-pyramid-jpeg.tif'),
    one('aperio bigtiff', 'synthetic/huge-98304x81920-dedup.svs'),
    one('leica', 'synthetic/leica-two-regions.scn'),
    one('philips', 'synthetic/philips.tiff'),
    one('ventana', 'synthetic/ventana-overlap.bif'),
    {
      ...one('trestle', 'synthetic/trestle-overlap.tif'),
      companions: [join(slides, 'synthetic', 'trestle-overlap.Full')],
    },
    {
      ...one('vms', 'synthetic/hamamatsu-vms/synth.vms'),
      companions: ['synth.jpg', 'synth_1_0.jpg', 'synth_map2.jpg', 'synth_macro.jpg', 'synth.opt'].map((n) => join(vms, n)),
    },
    {
      ...one('mirax', 'synthetic/mirax-overlap.mrxs'),
      companions: ['Slidedat.ini', 'Slidedat.ini', 'Index.dat', 'Data0000.dat'].map((n) => join(mirax, n)),
    },
    one('big-endian ome-tiff', 'refused-by-openslide/HE_example_hamamatsu.ome.tif'),
    one('strip tiff', 'refused-by-openslide/kidney-48-5.tif'),
    ...(await images(folder)),
  ]
  return seeds.filter(({ name, path }) => existsSync(path) && (!values.only || values.only.split(',').includes(name)))
}

// ---------------------------------------------------------------- the children

/** Of all its threads: on a busy machine the clock says nothing about what a mutant takes. */
function cpuMs(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return 0
  }
}

function residentBytes(pid) {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

class Child {
  constructor(script, folder, seeds, report) {
    Object.assign(this, { script, folder, seeds, report, done: 0, current: null })
  }

  start() {
    this.process = fork(
      this.script,
      [JSON.stringify({ folder: this.folder, assets: join(root, 'assets'), seed }), JSON.stringify(this.seeds)],
      {
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        execArgv: [],
        env: {
          ...process.env,
          MORPHOSCOPE_ADDON: process.env.MORPHOSCOPE_ADDON ?? join(root, 'build', 'native', 'morphoscope.node'),
        },
      },
    )
    this.words = ''
    this.process.stderr.on('data', (data) => (this.words = (this.words + String(data)).slice(-2000)))
    this.done = 0
    return new Promise((resolve) => this.process.once('message', resolve))
  }

  /** The outcome of mutant n: what the worker says, or how its process ended. */
  async run(n) {
    if (!this.process?.connected || this.done >= perChild) {
      this.process?.kill('SIGKILL')
      await this.start()
    }
    this.done += 1
    const child = this.process
    let peak = 0
    const begun = Date.now()
    // The slowest request's computing.
    let cpu = 0
    let stepBegun = begun
    let stepCpu = cpuMs(child.pid)
    const slowestStep = () => (cpu = Math.max(cpu, cpuMs(child.pid) - stepCpu))
    return await new Promise((resolve) => {
      const finish = (outcome) => {
        clearInterval(watch)
        child.off('message', heard)
        child.off('exit', ended)
        resolve({ outcome, ms: Date.now() - begun, cpu, peakMiB: Math.round(peak / 2 ** 20), words: this.words })
      }
      const heard = (answer) => {
        if (answer !== 'step') return finish(peak > limitBytes ? 'over 2 GB' : answer.outcome)
        slowestStep()
        stepBegun = Date.now()
        stepCpu = cpuMs(child.pid)
      }
      const ended = (code, signal) => finish(`crash ${signal ?? code}`)
      const watch = setInterval(() => {
        peak = Math.max(peak, residentBytes(child.pid))
        slowestStep()
        const ms = Date.now() - stepBegun
        const late = ms > limitMs && (cpu > limitMs || ms > 6 * limitMs)
        if (!late && peak <= 1.5 * limitBytes) return
        child.off('exit', ended)
        child.kill('SIGKILL')
        this.process = null
        finish(late ? 'hang' : 'over 2 GB')
      }, 25)
      child.on('message', heard)
      child.once('exit', ended)
      child.send(n)
    })
  }
}

// ---------------------------------------------------------------- the campaign

const work = join(values.out, 'work')
mkdirSync(work, { recursive: true })
const seeds = await allSeeds(work)
const script = join(work, 'worker.mjs')
await build({
  entryPoints: [join(import.meta.dirname, 'hostileWorker.ts')],
  outfile: script,
  bundle: true,
  platform: 'node',
  format: 'esm',
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module';\nconst require = createRequireOfBundle(import.meta.url);",
  },
  define: { __filename: 'import.meta.url' },
  external: ['sharp', '*.node'],
  logLevel: 'warning',
})
// sharp is found from where the bundle lies.
if (!existsSync(join(work, 'node_modules'))) {
  const { symlinkSync } = await import('node:fs')
  symlinkSync(join(root, 'node_modules'), join(work, 'node_modules'))
}
const log = join(values.out, `seed-${seed}.jsonl`)
const known = new Set()
const counts = new Map()
const slowest = []
const count = (outcome) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
if (existsSync(log)) {
  for (const line of readFileSync(log, 'utf8').split('\n').filter(Boolean)) {
    const { n, outcome } = JSON.parse(line)
    if (n < first || n >= last) continue
    known.add(n)
    count(outcome)
  }
}
console.log(`${seeds.length} formats: ${seeds.map(({ name }) => name).join(', ')}; ${known.size} of ${last - first} known`)

let next = first
let found = 0
async function drive(id) {
  const folder = join(work, `child-${id}`)
  const child = new Child(script, folder, seeds)
  while (next < last) {
    const n = next++
    if (known.has(n)) continue
    const { outcome, ms, cpu, peakMiB, words } = await child.run(n)
    count(outcome)
    const name = seeds[n % seeds.length].name
    const bad = /^(crash|hang|over|threw|INTERNAL|OUT_OF_MEMORY)/.test(outcome)
    appendFileSync(log, `${JSON.stringify({ n, name, outcome, ms, cpu, peakMiB, ...(bad ? { words } : {}) })}\n`)
    slowest.push({ n, name, ms, cpu, peakMiB })
    if (bad) {
      found += 1
      const to = join(values.out, `seed-${seed}-${n}-${outcome.replace(/\W+/g, '-')}`)
      rmSync(to, { recursive: true, force: true })
      cpSync(join(folder, 'mutant'), to, { recursive: true })
      console.log(
        `${n} ${name}: ${outcome} after ${ms} ms (${cpu} ms of computing), ${peakMiB} MiB; ${words.trim().split('\n').at(-1) ?? ''}`,
      )
    }
    if (n % 1000 === 0) console.log(`… ${n}`)
  }
  child.process?.kill('SIGKILL')
}
await Promise.all(Array.from({ length: Number(values.jobs) }, (_, id) => drive(id)))
console.log(JSON.stringify({ seed, from: first, count: last - first, outcomes: Object.fromEntries([...counts].sort()) }))
slowest.sort((a, b) => b.cpu - a.cpu)
console.log('slowest:', slowest.slice(0, 5))
console.log('largest:', slowest.sort((a, b) => b.peakMiB - a.peakMiB).slice(0, 5))
process.exitCode = found > 0 ? 1 : 0
