// `project run --class-by`: limits on measurements part what was found on each slide, and the project keeps that.
import type { Engine } from '../../../main/engine'
import { wholeRunOf } from '../../contract'
import type { RecipeSpec, RunStatus } from '../../contract'
import { classedBy, ruleOf } from '../run/classBy'
import { valueOf } from '../exitCodes'
import { openedSlide, stateOf } from './projectSlides'
import type { NamedSlide } from './projectSlides'
import type { Terminal } from '../terminal'

/** Before anything is computed: throws a usage error where the first slide that is there does not have what the limits are on. */
export async function checkLimits(
  engine: Engine,
  folder: string,
  slides: readonly NamedSlide[],
  asked: readonly string[],
  spec: RecipeSpec | undefined,
): Promise<void> {
  for (const slide of slides) {
    const info = await openedSlide(engine, null, folder, slide)
    if (!info) continue
    try {
      ruleOf(asked, info, spec)
    } finally {
      await engine.call('slide:close', { slideId: info.slideId })
    }
    return
  }
}

/** By the slide's key, how its newest run of all of it stands with its objects in these classes. */
export async function classedSlides(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  slides: readonly NamedSlide[],
  asked: readonly string[],
  spec: RecipeSpec | undefined,
): Promise<Map<string, RunStatus>> {
  const { runs } = await stateOf(engine, null)
  const classed = new Map<string, RunStatus>()
  for (const slide of slides) {
    const newest = wholeRunOf(runs, slide.key)?.id
    const info = newest === undefined ? null : await openedSlide(engine, terminal, folder, slide)
    if (!info) continue
    const rule = ruleOf(asked, info, spec)
    const restored = valueOf(await engine.call('project:restore', { slideId: info.slideId })) as RunStatus[]
    const run = restored.find(({ keptId }) => keptId === newest)
    if (run) classed.set(slide.key, await classedBy(engine, run, rule))
    await engine.call('slide:close', { slideId: info.slideId })
  }
  return classed
}
