// Full runs: the visible field, a rectangle or the whole slide, once each, after a question where it will take long.
import { isOver, type Region, type RunStatus, type Shape, type StageVariants } from '../../../app/contract'
import { api } from '../../api'
import { formatCount } from '../../arithmetic/format'
import { containsRegion, visibleExactly } from '../../arithmetic/geometry'
import { words } from '../../words'
import { askedOf, startedOnSlide, voidPreviews, type RequestedRun } from '../slices/requestSlice'
import { analysedMegapixels } from './estimate'
import { tell } from '../base/notify'
import { ask } from '../base/questions'
import { keyNamed } from '../base/commandKeys'
import { previewNow, stopPreviews } from './previewActions'
import { recipeKey, recipeOf } from '../slices/recipeSlice'
import { onAgainWanted } from './runErrors'
import { requestRun, took } from './runRequests'
import { runNamesInFiles } from '../../words/runNames'
import { fullRuns, isStarting } from '../slices/runSlice'
import { getState, patch, update } from '../store'

/** Up to this a full run starts without asking. Analysed Mpx. */
export const askAboveMpx = 100

type Apart = Pick<RequestedRun, 'within' | 'variants'>

async function start(region: Region | 'whole', name: string, apart: Apart = {}): Promise<void> {
  const { slide, recipe: recipeState, runs } = getState()
  const recipe = recipeOf(recipeState)
  if (!slide.info || !recipe) return
  stopPreviews()
  update('asked', voidPreviews)
  // What the user asked for by name has the machine to itself.
  const shown = runs.previewId ? runs.byId[runs.previewId] : undefined
  if (shown && !isOver(shown)) void api().call('run:cancel', { runId: shown.runId })
  patch('ui', { armed: true, previewNote: null, dialog: null, tool: 'pan', drawn: null })
  const asked: RequestedRun = { region, purpose: 'run', slidePath: slide.info.path, name, ...apart }
  const result = await requestRun(asked, recipe, (runId) => update('asked', (state) => startedOnSlide(state, runId)))
  if (result) took(result, asked, recipe)
}

/** The visible field, as a full run. */
export function segmentVisible(): void {
  const { slide, ui } = getState()
  if (!slide.info || !ui.view) return
  const region = visibleExactly(ui.view, slide.info.widthPx, slide.info.heightPx)
  if (!region) return tell(words.segment.nothingInView(keyNamed('fit')))
  segment(region, false, runNamesInFiles.visibleField)
}

const sameRegion = (a: Region, b: Region): boolean => containsRegion(a, b) && containsRegion(b, a)

/** Enter held down, or a second press while the first one waits, must not start the same work twice. */
function isUnderWay(region: Region | 'whole'): boolean {
  const { slide, recipe, runs, asked } = getState()
  const now = recipeOf(recipe)
  if (!slide.info || !now) return false
  const { bounds } = slide.info
  const boxOf = (of: Region | 'whole') => (of === 'whole' ? bounds : of)
  const box = boxOf(region)
  if (isStarting(runs, 'run') && asked.last?.purpose === 'run' && sameRegion(boxOf(asked.last.region), box)) return true
  const key = recipeKey(now)
  return fullRuns(runs).some((run) => !isOver(run) && runs.keyById[run.runId] === key && sameRegion(run.region, box))
}

/** A full run; asks first where it will take long. */
export function segment(
  region: Region | 'whole',
  confirmed = false,
  name = region === 'whole' ? runNamesInFiles.wholeSlide : runNamesInFiles.rectangle,
): void {
  const { slide } = getState()
  if (!slide.info) return
  if (isUnderWay(region)) {
    patch('ui', { dialog: null, tool: 'pan', drawn: null })
    return tell(words.segment.underWay)
  }
  const mpx = analysedMegapixels(region === 'whole' ? slide.info.bounds : region)
  if (!confirmed && mpx > askAboveMpx)
    return patch('ui', { dialog: 'longRun', longRun: { region, name }, tool: 'pan', drawn: null })
  void start(region, name)
}

/** Regions of interest, each as a full run by itself, one after the other; asks first where it will take long. */
export function segmentWithin(regions: readonly { name: string; region: Region; within: Shape[] }[], confirmed = false): void {
  const mpx = regions.reduce((sum, { region }) => sum + analysedMegapixels(region), 0)
  if (!confirmed && mpx > askAboveMpx) {
    return ask({
      title: words.segment.askTitle(regions.length),
      text: words.segment.askText(formatCount(mpx), regions.length),
      yes: words.buttons.segment,
      no: words.buttons.notNow,
      act: () => segmentWithin(regions, true),
    })
  }
  const all = async (): Promise<void> => {
    // The whole slide is asked for, so that no object of a shape's rim is lost: the engine computes no more than around the shape.
    for (const { name, within } of regions) await start('whole', name, { within })
  }
  void all()
}

/** What failed or was lost, once more: the same region as a full run, or the preview of what is in view by now. Never on another slide. */
export function runAgain(asked: RequestedRun): void {
  if (getState().slide.info?.path !== asked.slidePath) return
  const { within, variants } = asked
  if (asked.purpose === 'run' && (within || variants))
    void start(asked.region, asked.name ?? runNamesInFiles.region, { ...(within && { within }), ...(variants && { variants }) })
  else if (asked.purpose === 'run') segment(asked.region, true, asked.name)
  else previewNow()
}
/** Where a run was, with the values as they are now, by other algorithms: what they cost can then be compared. */
export function runWith(run: RunStatus, variants: StageVariants): void {
  const { slide, asked } = getState()
  if (!slide.info) return
  const { region, within } = askedOf(asked, run, slide.info.path)
  const name = `${run.name}, ${Object.values(variants).join(', ')}`.slice(0, 100)
  void start(region, name, { ...(within && { within }), variants })
}
onAgainWanted('run', runAgain)
