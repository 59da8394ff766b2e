// `morphoscope run` whose slide's drive goes away in the middle (loseDrive.c is preloaded), for a while or for ever: what it writes is the intact
// slide's wherever run.json says certain, and what goes on afterwards ends as a run that nothing happened to.
import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Region } from '../../app/contract'
import { seed, seeded, times } from './seeded'

const root = join(import.meta.dirname, '../..')
const program = join(root, 'dist', 'cli.mjs')
const data = join(root, '../shared/data/slides')
const slides = [
  { path: join(data, 'synthetic/huge-98304x81920-dedup.svs'), region: '20000,20000,2000,2000' },
  { path: join(data, 'synthetic/mosaic-gt-4000.svs'), region: '1200,900,1600,1600' },
  { path: join(data, 'TCGA-CR-7395-01A-01-TS1.svs'), region: '600,600,1800,1800' },
].filter(({ path }) => existsSync(path) && path.includes(process.env['MORPHOSCOPE_STRESS_SLIDE'] ?? ''))

interface Ended {
  readonly code: number | string
  readonly err: string
  /** In all, before the journal, and those that failed; of a process that was killed nobody knows. */
  readonly reads: readonly [number, number, number] | null
}
interface Files {
  readonly text: string
  readonly rows: ReadonlyMap<string, Region>
  readonly untold: readonly Region[]
  readonly state: string
  /** As the engine took them, those that adapt to the slide among them. */
  readonly values: string
  /** Those are called uncertain, and with them all of the run. */
  readonly nothingCertain: boolean
}
let base: string
let shim: string
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'lost-drive-'))
  shim = join(base, 'loseDrive.so')
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', shim, join(root, 'test/stress/loseDrive.c'), '-ldl'])
})
afterAll(() => rm(base, { recursive: true, force: true }))

async function run(lose: Record<string, string>, ...args: string[]): Promise<Ended> {
  const report = join(base, 'report')
  await rm(report, { force: true })
  const env = { ...process.env, LD_PRELOAD: shim, LOSE_FILE: '.svs', LOSE_REPORT: report, ...lose }
  const [code, err] = await new Promise<[number | string, string]>((resolve) =>
    execFile(process.execPath, [program, 'run', ...args, '--threads', '2'], { env, maxBuffer: 2 ** 26 }, (error, _, stderr) =>
      resolve([error ? (error.signal ?? error.code ?? 'failed') : 0, stderr]),
    ),
  )
  const text = await readFile(report, 'utf8').catch(() => null)
  return { code, err, reads: text === null ? null : (text.trim().split(' ').map(Number) as [number, number, number]) }
}

/** Objects by what is said of them but their numbers and UUIDs, which come from the slide's checksum: a drive that is away gives none. Parts that run.json calls uncertain, unreadable, or not there yet. */
async function filesIn(out: string): Promise<Files> {
  const text = await readFile(join(out, 'objects.csv'), 'utf8')
  const [header, ...lines] = text.trim().split(/\r?\n/)
  const names = header!.split(',')
  const bounds = ['bounds_x_px', 'bounds_y_px', 'bounds_width_px', 'bounds_height_px'].map((name) => names.indexOf(name))
  const rows = new Map<string, Region>()
  for (const line of lines) {
    const cells = line.split(',')
    const [x, y, width, height] = bounds.map((at) => Number(cells[at])) as [number, number, number, number]
    rows.set(cells.filter((_, i) => names[i] !== 'id' && names[i] !== 'uuid').join(), { x, y, width, height })
  }
  expect(rows.size).toBe(lines.length)
  const record = JSON.parse(await readFile(join(out, 'run.json'), 'utf8')) as {
    state: string
    resolved: object
    valuesUncertain?: true
    certainty: { certainMegapixels: number }
    unreadable: Region[]
    uncertain?: Region[]
  }
  return {
    text,
    rows,
    untold: [...record.unreadable, ...(record.uncertain ?? [])],
    state: record.state,
    values: JSON.stringify(record.resolved),
    nothingCertain: record.valuesUncertain === true && record.certainty.certainMegapixels === 0,
  }
}

const meet = (a: Region, b: Region): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

const says = (words: string): void => void process.stdout.write(`${words}\n`)

it.skipIf(process.platform !== 'linux' || !existsSync('/usr/bin/cc') || slides.length === 0)(
  'a drive that goes away in mid-run makes nothing wrong that is called certain, and the run goes on from its journal',
  async () => {
    const random = seeded(seed)
    const sum = { seeds: 0, partial: 0, told: 0, noFiles: 0, killed: 0, wentOn: 0, anew: 0, nothingCertain: 0, healed: 0 }
    const wrong: string[] = []
    for (const { path, region } of slides) {
      const asked = (out: string): string[] => {
        const where = region === 'whole' ? [] : ['--region', region]
        return [path, ...where, '--out', out, '--files', 'objects.csv,run.json']
      }
      const folder = (): Promise<string> => mkdtemp(join(base, 'out-'))
      const [small, out] = [await folder(), await folder()]
      const opened = await run({}, path, '--region', '0,0,8,8', '--out', small, '--files', 'run.json')
      const whole = await run({}, ...asked(out))
      expect([whole.code, opened.code], whole.err + opened.err).toEqual([0, 0])
      const intact = await filesIn(out)
      const [first, last] = [opened.reads![0], whole.reads![0]]
      says(`${path}: ${last} reads, ${first} of them to open it and adapt, ${intact.rows.size} objects`)
      for (let n = 0; n < times('SEEDS', 8); n++) {
        sum.seeds += 1
        // Some while the values that adapt to the slide are read: for longer than these reads are tried again. Opening comes before that.
        const from = Math.floor(n % 4 === 3 ? (0.5 + random() / 2) * first : first + random() * Math.max(1, last - first))
        const lose = {
          LOSE_AFTER: String(from),
          LOSE_READS: String([0, 3, 0, 600][n % 4]! + (n % 2) * Math.floor(random() * 20)),
          LOSE_OPENS: String(n % 3 === 0 ? 1 : 0),
        }
        const name = `${path.split('/').pop()!}, seed ${n}, ${JSON.stringify(lose)}`
        for (const kill of [0, 1 + Math.floor(random() * 60)]) {
          const target = await folder()
          const lost = await run({ ...lose, LOSE_KILL: String(kill) }, ...asked(target))
          const journals = (await readdir(target)).filter((each) => each.endsWith('.journal')).length
          const told: string[] = [`exit ${lost.code}`]
          if (lost.code === 'SIGKILL') sum.killed += 1
          else if (lost.code === 70) wrong.push(`${name}: ${lost.err}`)
          if (lost.code === 0 || lost.code === 3) {
            const files = await filesIn(target)
            const differing = [...files.rows]
              .filter(([row]) => !intact.rows.has(row))
              .concat([...intact.rows].filter(([row]) => !files.rows.has(row)))
            // Of a run that was cut off some tiles are not there: what is, is right.
            const isThere = files.state === 'done' ? differing : differing.filter(([row]) => files.rows.has(row))
            const untold = isThere.filter(([, box]) => !files.untold.some((part) => meet(part, box)))
            if (lost.code === 3) sum.partial += 1
            else sum.healed += 1
            sum.told += isThere.length - untold.length
            if (files.nothingCertain) sum.nothingCertain += 1
            else if (files.values !== intact.values) wrong.push(`${name}: other values, and something is certain`)
            else if (untold.length > 0) wrong.push(`${name}: ${untold.length} of ${differing.length} differ where all is certain`)
            if (lost.code === 0 && (files.nothingCertain || files.text !== intact.text))
              wrong.push(`${name}: exit 0, and other files`)
            told.push(
              `${files.state}, ${differing.length} differ, ${untold.length} untold${files.nothingCertain ? ', nothing certain' : ''}`,
            )
          } else sum.noFiles += 1
          const again = await run({}, ...asked(target), '--overwrite', ...(journals > 0 ? ['--resume'] : []))
          told.push(journals > 0 ? 'went on' : 'anew', `exit ${again.code}`)
          if (journals > 0) sum.wentOn += 1
          else sum.anew += 1
          if (again.code !== 0 || (await filesIn(target)).text !== intact.text)
            wrong.push(`${name}: afterwards exit ${again.code}, ${again.err}`)
          says(`${name}${kill > 0 ? `, killed with ${kill}` : ''}: ${told.join('; ')}`)
          await rm(target, { recursive: true, force: true })
        }
      }
    }
    says(JSON.stringify(sum))
    expect(wrong).toEqual([])
    expect(sum.partial).toBeGreaterThan(0)
    expect(sum.wentOn).toBeGreaterThan(0)
    expect(sum.nothingCertain).toBeGreaterThan(0)
  },
)
