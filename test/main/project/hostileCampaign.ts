// Hostile project folders by the thousand, in processes of their own: which ended one, touched what is outside, took long or much.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtScript } from '../../built'
import { assetsDir, sample } from '../realEngine'

const root = new URL('../../..', import.meta.url).pathname
/** Longer than any may take. */
const hangsAfterMs = 30_000

interface Line {
  readonly seed: number
  readonly did?: string[]
  readonly ms?: number
  readonly mib?: number
  readonly touched?: boolean
  readonly said?: string
}
export interface Campaign {
  readonly deaths: { seed: number; did: string[]; how: string }[]
  readonly touched: { seed: number; did: string[] }[]
  readonly slowest: { seed: number; ms: number }
  readonly largest: { seed: number; mib: number }
  readonly opened: number
  readonly refusals: Map<string, number>
}

/** Goes on behind a seed that ends its process. */
export async function hostileCampaign(
  first: number,
  count: number,
  jobs: number,
  tell?: (seed: number) => void,
): Promise<Campaign> {
  const opener = await builtScript('test/main/project/hostileOpener.ts')
  const campaign: Campaign = {
    ...{ deaths: [], touched: [], slowest: { seed: 0, ms: 0 }, largest: { seed: 0, mib: 0 }, opened: 0, refusals: new Map() },
  }
  const share = Math.ceil(count / jobs)
  const parts = Array.from(
    { length: jobs },
    (_, i) => [first + i * share, Math.min(first + count, first + (i + 1) * share)] as const,
  )
  let result = campaign
  const take = (line: Line, did: string[]): void => {
    const { seed, ms = 0, mib = 0 } = line
    if (line.touched) result.touched.push({ seed, did })
    if (ms > result.slowest.ms) result = { ...result, slowest: { seed, ms } }
    if (mib > result.largest.mib) result = { ...result, largest: { seed, mib } }
    if (line.said === 'ok') result = { ...result, opened: result.opened + 1 }
    const kind = (line.said ?? '').replace(/[0-9a-f]{8,}|"[^"]*"|\d+/g, '#').slice(0, 90)
    result.refusals.set(kind, (result.refusals.get(kind) ?? 0) + 1)
    tell?.(seed)
  }
  await Promise.all(
    parts.map(async ([from, end]) => {
      const work = await mkdtemp(join(tmpdir(), 'hostile-work-'))
      try {
        for (let next = from; next < end;) {
          const { last, how } = await oneProcess([opener, work, assetsDir, sample, String(next), String(end - next)], take)
          if (how === null) break
          result.deaths.push({ seed: last?.seed ?? next, did: last?.did ?? [], how })
          next = (last?.seed ?? end) + 1
        }
      } finally {
        await rm(work, { recursive: true, force: true })
      }
    }),
  )
  return result
}

/** `last`: what it was about when it ended; `how`: null where it came to its end. */
function oneProcess(
  args: string[],
  take: (line: Line, did: string[]) => void,
): Promise<{ last: Line | null; how: string | null }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let [text, complaints] = ['', '']
    let last: Line | null = null
    let hung = false
    let timer: NodeJS.Timeout | undefined
    const wind = (ms: number): void => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        hung = true
        child.kill('SIGKILL')
      }, ms)
    }
    // It makes its project first.
    wind(4 * hangsAfterMs)
    child.stderr.on('data', (chunk) => (complaints += String(chunk)))
    child.stdout.on('data', (chunk) => {
      text += String(chunk)
      const lines = text.split('\n')
      text = lines.pop()!
      for (const each of lines) {
        const line = JSON.parse(each) as Line
        if (line.did) last = line
        else take(line, last?.did ?? [])
        wind(hangsAfterMs)
      }
    })
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      const how = hung ? 'hangs' : code === 0 ? null : `${signal ?? code}: ${complaints.slice(0, 500)}`
      resolve({ last, how })
    })
  })
}
