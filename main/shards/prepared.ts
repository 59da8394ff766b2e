// What only the whole slide decides, found once and left in files, so that every shard of a run stands on the same and computes none of it.
import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { SlideKey } from '../../app/contract'
import type { RunRequest } from '../../app/contract'
import { groundRows, openGround, planOf } from '../../native/index'
import type { Ground } from '../../native/index'
import { CancelledError, EngineError } from '../base/errors'
import { weightOf } from '../base/jsonWeight'
import { openStrange } from '../base/regularFile'
import { isAdapted } from '../run/analysis/analysis'
import type { Draft } from '../run/analysis/analysis'
import type { GroundAsk } from '../run/analysis/grounds'
import type { Overviews } from '../run/analysis/overviews'
import { analysedHead, headRecord, JournalHead, requireVersion } from '../run/journal/journal'
import { preparedName } from './shardFiles'
import { writeWhole } from './wholeFile'

const maxBytes = 2 ** 26
/** Rows of a background that are on their way at once, bytes. */
const bandBytes = 2 ** 24

const Part = z.strictObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
export const Prepared = JournalHead.pick({
  program: true,
  layout: true,
  slide: true,
  request: true,
  recipeName: true,
  resolved: true,
  valuesUncertain: true,
  pixelsUncertain: true,
  grid: true,
  haloPx: true,
}).extend({
  format: z.literal('morphoscope-prepared'),
  version: z.literal(1),
  /** A copy of the slide, on another disk or under another name, is the slide. */
  slideKey: SlideKey,
  node: z.string().max(300),
  preparedAt: z.string().max(100),
  elapsedMs: z.number(),
  /** Why the values may not be the intact slide's; null: they are. */
  unread: z.string().max(10_000).nullable(),
  /** Of a recipe with a reconstruction without limit: a file beside this one. */
  ground: z
    .strictObject({ file: z.string().regex(/^ground-[a-f0-9]{12}\.bin$/), uncertain: z.array(Part).max(1_000_000) })
    .nullable(),
})
export type Prepared = z.infer<typeof Prepared>

/** What is prepared, and for whom. */
export interface Preparing {
  readonly draft: Draft
  readonly request: Omit<RunRequest, 'slideId' | 'page'>
  readonly folder: string
  readonly program: string
  /** Names and folders of slides are not written. */
  readonly nameless: boolean
}

/**
 * Finds the slide's own values and its background, and writes them. Cost: the slide's sample, and for a recipe with a reconstruction
 * without limit the whole slide once (region/ground.hpp). Throws OUTPUT_FAILED, CANCELLED, and as a run's beginning.
 */
export async function prepare(
  { draft, request, folder, program, nameless }: Preparing,
  overviews: Overviews,
  ask: Omit<GroundAsk, 'anew'>,
): Promise<Prepared> {
  const from = performance.now()
  const analysis = await overviews.complete(draft, ask.threads, ask.signal)
  const ground = (await analysis.ground?.get({ ...ask, anew: true })) ?? null
  const { path, name } = draft.slide.info
  const shown = nameless ? { path: null, name: null } : { path, name }
  const file = `ground-${randomBytes(6).toString('hex')}.bin`
  if (ground) await writeGround(join(folder, file), ground, draft, ask.signal)
  const prepared: Prepared = {
    format: 'morphoscope-prepared',
    version: 1,
    program,
    layout: headRecord.layout,
    slideKey: await draft.slide.identity.contentKey(),
    node: hostname(),
    preparedAt: new Date().toISOString(),
    elapsedMs: performance.now() - from,
    slide: { ...shown, fingerprint: await draft.slide.identity.fingerprint() },
    request,
    recipeName: draft.spec.name,
    ...analysedHead(analysis),
    unread: analysis.unread,
    ground: ground && { file, uncertain: [...ground.uncertain] },
  }
  const text = JSON.stringify(Prepared.parse(prepared))
  await writeWhole(join(folder, preparedName), async (out) => out.writeFile(text))
  await sweep(folder, ground ? file : null)
  return prepared
}

/** What an earlier preparation of this folder has left. */
async function sweep(folder: string, kept: string | null): Promise<void> {
  for (const name of await readdir(folder))
    if (/^ground-[a-f0-9]{12}\.bin$/.test(name) && name !== kept) await rm(join(folder, name), { force: true })
}

async function writeGround(path: string, ground: Ground, { grid }: Draft, signal?: AbortSignal): Promise<void> {
  const rows = Math.max(1, Math.floor(bandBytes / grid.widthPx))
  await writeWhole(path, async (out) => {
    for (let y = 0; y < grid.heightPx; y += rows) {
      if (signal?.aborted) throw new CancelledError('the preparation was cancelled')
      await out.appendFile(await groundRows(ground, y, Math.min(rows, grid.heightPx - y)))
    }
  })
}

/** null where nothing is prepared. Throws INVALID_PARAMETER where the file is none of this program's. */
export async function readPrepared(folder: string): Promise<Prepared | null> {
  const path = join(folder, preparedName)
  const file = await openStrange(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
  if (!file) return null
  try {
    const { size } = await file.stat()
    const found = size > maxBytes ? null : Prepared.safeParse(parsed(await file.readFile('utf8')))
    if (found?.success) return found.data
    throw new EngineError(
      'INVALID_PARAMETER',
      `${path} was not made by morphoscope prepare. Delete it, and prepare the slide again.`,
    )
  } finally {
    await file.close()
  }
}

function parsed(text: string): unknown {
  try {
    return weightOf(text) > 2 * maxBytes ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Whoever runs the same recipe on the slide from now on has what was prepared, and finds none of it anew. Throws INVALID_PARAMETER where it is of
 * another slide or version, NOT_FOUND where the background's file is gone.
 */
export async function takePrepared(
  prepared: Prepared,
  folder: string,
  draft: Draft,
  overviews: Overviews,
  program: string,
): Promise<void> {
  requireVersion(prepared, program)
  if (prepared.slideKey !== (await draft.slide.identity.contentKey()))
    throw new EngineError(
      'INVALID_PARAMETER',
      `What is prepared in ${folder} is another slide’s than ${draft.slide.info.path}: prepare this one in a folder of its own.`,
    )
  const other = Object.entries(draft.params).find(([name, value]) => prepared.resolved[name] !== value)
  if (other)
    throw new EngineError(
      'INVALID_PARAMETER',
      `The slide was prepared with ${other[0]} = ${String(prepared.resolved[other[0]])}, and the recipe has ${String(other[1])}: prepare it again.`,
    )
  const { grid, spec, slide } = draft
  const values = Object.fromEntries(Object.entries(prepared.resolved).filter(([name]) => isAdapted(name)))
  const params = { ...draft.params, ...values }
  const { ground } = prepared
  overviews.take(draft, { values, unread: prepared.unread })
  if (!ground) return
  const plan = planOf(spec.pipeline, params)
  const of = { slide: slide.native, scale: grid.scale, widthPx: grid.widthPx, heightPx: grid.heightPx, plan }
  overviews.takeGround(draft, params, openGround({ ...of, path: join(folder, ground.file), uncertain: ground.uncertain }))
}
