// Hostile project folders by the thousand: one process plants them, another opens them. Which ended it, touched what is outside, took long or much.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { builtScript } from '../../../built'
import { assetsDir, sample } from '../../realEngine'
import { Asked } from '../askedProcess'

/** Longer than any may take. */
const hangsAfterMs = 30_000

interface Variant {
  readonly seed: number
  readonly did: string[]
}
export interface Campaign {
  /** Variants that ended the opener, or that it did not answer about. */
  readonly deaths: (Variant & { how: string })[]
  /** Something outside the folder was changed. */
  readonly touched: (Variant & { what: string[] })[]
  /** Something of the opener's stayed in the temporary folder. */
  readonly left: (Variant & { names: string[] })[]
  /** The planter itself could not make them. */
  readonly unplanted: { seed: number; how: string }[]
  slowest: { seed: number; ms: number }
  largest: { seed: number; mib: number }
  opened: number
  variants: number
  readonly refusals: Map<string, number>
}

export async function hostileCampaign(
  first: number,
  count: number,
  jobs: number,
  tell?: (seed: number) => void,
): Promise<Campaign> {
  const campaign: Campaign = {
    ...{ deaths: [], touched: [], left: [], unplanted: [], slowest: { seed: 0, ms: 0 }, largest: { seed: 0, mib: 0 } },
    ...{ opened: 0, variants: 0, refusals: new Map<string, number>() },
  }
  const names = ['hostileGood', 'hostilePlanter', 'hostileOpener']
  const [good, ...scripts] = await Promise.all(names.map((name) => builtScript(`test/main/project/hostile/${name}.ts`)))
  const folder = await mkdtemp(join(tmpdir(), 'hostile-good-'))
  let next = first
  const seeds = function* (): Generator<number> {
    while (next < first + count) yield next++
  }
  try {
    await promisify(execFile)(process.execPath, [good!, folder, assetsDir, sample])
    const path = join(folder, 'good.morphoscope')
    await Promise.all(Array.from({ length: jobs }, () => job(path, scripts, seeds(), campaign, tell)))
  } finally {
    for (const made of [good!, ...scripts, folder]) await rm(made, { recursive: true, force: true })
  }
  return campaign
}

async function job(
  good: string,
  [planterScript = '', openerScript = '']: readonly string[],
  seeds: Iterable<number>,
  campaign: Campaign,
  tell?: (seed: number) => void,
): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'hostile-work-'))
  const TMPDIR = join(work, 'tmp')
  await mkdir(TMPDIR)
  const planter = new Asked([planterScript, work, good])
  const opener = new Asked([openerScript], { TMPDIR })
  try {
    for (const seed of seeds) {
      const planted = await planter.ask<{ did: string[]; project: string }>({ seed }, hangsAfterMs)
      if ('how' in planted) campaign.unplanted.push({ seed, how: planted.how })
      else await tried(planter, opener, { seed, ...planted }, campaign)
      tell?.(seed)
    }
  } finally {
    await Promise.all([planter.end(), opener.end()])
    await rm(work, { recursive: true, force: true })
  }
}

/** Goes on behind a variant that ends its process. */
async function tried(planter: Asked, opener: Asked, variant: Variant & { project: string }, campaign: Campaign): Promise<void> {
  const { seed, did, project } = variant
  const copy = join(project, '..', 'saved.morphoscope')
  const answer = await opener.ask<{ ms: number; mib: number; said: string }>({ project, copy }, hangsAfterMs)
  campaign.variants += 1
  if ('how' in answer) campaign.deaths.push({ seed, did, how: answer.how })
  else {
    const { ms, mib, said } = answer
    if (ms > campaign.slowest.ms) campaign.slowest = { seed, ms }
    if (mib > campaign.largest.mib) campaign.largest = { seed, mib }
    if (said === 'ok') campaign.opened += 1
    const kind = said.replace(/[0-9a-f]{8,}|"[^"]*"|\d+/g, '#').slice(0, 90)
    campaign.refusals.set(kind, (campaign.refusals.get(kind) ?? 0) + 1)
  }
  const looked = await planter.ask<{ touched: string[]; left: string[] }>({}, hangsAfterMs)
  if ('how' in looked) campaign.unplanted.push({ seed, how: looked.how })
  else {
    if (looked.touched.length > 0) campaign.touched.push({ seed, did, what: looked.touched })
    // What a process that was ended has left is taken away by the next one.
    if (looked.left.length > 0 && !('how' in answer)) campaign.left.push({ seed, did, names: looked.left })
  }
}
