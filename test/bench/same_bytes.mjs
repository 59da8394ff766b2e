// Whether this tree's exports of whole slides are another commit's, byte by byte, whatever the number of threads.
//   node test/bench/same_bytes.mjs BASE SLIDE… [--threads 1,2,5] [--files objects.csv,objects.geojson,labels.ome.tif] [--region SLIDE=x,y,w,h]…
// BASE is a built checkout of the other commit (git worktree add, npm ci, node app/setup/build.mjs). A folder stands for every slide in it. The other
// commit computes each slide once, with two threads; this one with each of the numbers. Prints a row a slide; exit code 1 where a file differs.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const here = fileURLToPath(new URL('../..', import.meta.url))
const slideNames = /\.(svs|tiff?|ndpi|scn|bif|mrxs|vms|svslide|dcm|png|jpe?g)$/i
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    threads: { type: 'string', default: '1,2,5' },
    files: { type: 'string', default: 'objects.csv,objects.geojson,labels.ome.tif' },
    region: { type: 'string', multiple: true, default: [] },
  },
})
const [base, ...given] = positionals
if (base === undefined || given.length === 0) {
  console.error('usage: same_bytes.mjs BASE SLIDE… [--threads 1,2,5] [--files NAMES] [--region SLIDE=x,y,w,h]…')
  process.exit(2)
}
const regions = new Map(values.region.map((r) => r.split('=')))

/** The slides that a path stands for: itself, or those in a folder and below. */
async function slidesOf(path) {
  if (!(await stat(path)).isDirectory()) return [path]
  const names = (await readdir(path)).filter((name) => slideNames.test(name)).sort()
  return names.map((name) => join(path, name))
}

/** SHA-256 of each file of a run of `tree` on the slide, or in words why there is none. */
async function exported(tree, slide, threads) {
  const out = await mkdtemp(join(tmpdir(), 'same-bytes-'))
  try {
    const region = regions.get(basename(slide))
    const args = [
      'run',
      slide,
      '--out',
      join(out, 'set'),
      '--files',
      values.files,
      '--threads',
      String(threads),
      '--mpp',
      '0.5',
      '--json',
    ]
    const ended = await new Promise((done) => {
      const more = region === undefined ? [] : ['--region', region]
      execFile(
        process.execPath,
        [join(tree, 'app', 'cli', 'morphoscope.cjs'), ...args, ...more],
        { maxBuffer: 1 << 28 },
        (error) => done(error?.code ?? 0),
      )
    })
    if (ended !== 0 && ended !== 3) return { ended, hashes: {} }
    const hashes = {}
    for (const name of values.files.split(','))
      hashes[name] = createHash('sha256')
        .update(await readFile(join(out, 'set', name)))
        .digest('hex')
    return { ended, hashes }
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

let different = 0
console.log(
  `| slide | exit, base and now | ${values.files.split(',').join(' | ')} |\n|---|---|${'---|'.repeat(values.files.split(',').length)}`,
)
for (const slide of (await Promise.all(given.map(slidesOf))).flat()) {
  const before = await exported(resolve(base), slide, 2)
  const now = []
  for (const threads of values.threads.split(',')) now.push(await exported(here, slide, threads))
  const cells = values.files.split(',').map((name) => {
    const found = new Set(now.map(({ hashes }) => hashes[name]))
    const same = found.size === 1 && found.has(before.hashes[name])
    different += same ? 0 : 1
    if (before.hashes[name] === undefined && same) return 'none'
    return same ? `equal ${before.hashes[name].slice(0, 8)}` : found.size === 1 ? 'DIFFERENT' : 'DIFFERENT BY THREADS'
  })
  console.log(
    `| ${basename(slide)} | ${before.ended}, ${[...new Set(now.map(({ ended }) => ended))].join(' ')} | ${cells.join(' | ')} |`,
  )
}
console.log(`${different} files differ`)
process.exitCode = different > 0 ? 1 : 0
