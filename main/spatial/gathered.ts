// A run's objects as places and classes in the order of their list: what is handed to a thread that measures them.
import { noClass } from '../../native/index'
import { breather, inSteps } from '../base/breather'
import { gradeOf } from '../run/objects/objectClasses'
import type { Classes } from '../run/objects/objectClasses'
import type { Run } from '../run/run'
import type { Named } from './columns'
import type { SpatialInput } from './measure'

type Gathered = Pick<SpatialInput, 'xs' | 'ys' | 'classAt' | 'ids' | 'umPerPx'>

/** In steps of some ms. `rule`: the recipe's, by the values that the run has. Throws CancelledError. */
export async function gathered(run: Run, rule: Classes | null, signal: AbortSignal): Promise<Gathered> {
  const { marks, endOfIds } = run.objects
  const { scale } = run.draft.grid
  const [xs, ys, classAt] = [new Float64Array(endOfIds), new Float64Array(endOfIds), new Uint8Array(endOfIds)]
  const breathe = breather(signal)
  await inSteps(
    run.objects.centroids((x, y, batch, row, id) => {
      xs[id] = x * scale
      ys[id] = y * scale
      classAt[id] = marks?.classAt ? marks.classAt[id]! : rule ? gradeOf(rule.limits, batch.value(row, rule.field)) : noClass
    }),
    breathe,
  )
  // In the order of the list: the order in which objects came in is another for each tiling.
  const ids = run.objects.left().ids.slice()
  await breathe()
  return {
    xs: await inOrder(xs, ids, breathe),
    ys: await inOrder(ys, ids, breathe),
    classAt: await inOrder(classAt, ids, breathe),
    ids,
    umPerPx: umPerPxOf(run),
  }
}

/** Of the ids their values, with rests. */
async function inOrder<T extends Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(
  byId: T,
  ids: Uint32Array,
  breathe: () => Promise<void>,
): Promise<T> {
  const own = new (byId.constructor as new (length: number) => T)(ids.length)
  for (let i = 0; i < ids.length; i++) {
    own[i] = byId[ids[i]!]!
    if (i % 100_000 === 0) await breathe()
  }
  return own
}

/** The slide's own two values are finer than their one mean, unless the request has overridden it. */
export function umPerPxOf({ draft }: Run): { x: number; y: number } | null {
  const { analysedMpp, scale } = draft.resolution
  if (analysedMpp === null) return null
  const { mppX, mppY } = draft.slide.info
  const level0 = analysedMpp / scale
  const own = mppX !== null && mppY !== null && Math.abs(level0 / Math.sqrt(mppX * mppY) - 1) < 1e-6
  return own ? { x: mppX, y: mppY } : { x: level0, y: level0 }
}

/** Those that objects are parted by: with what a person did, else by the recipe's rule. */
export function objectClassesOf(run: Run, { rule }: { readonly rule: Classes | null }): readonly Named[] {
  const { marks } = run.objects
  const classes = marks?.classAt ? marks.classes : (rule?.classes ?? [])
  return classes.map(({ id, label }) => ({ id, name: label }))
}
