// Where a run's error is told: at the control that it names, or in a notice, for GPUs with what can be done instead.
import type { AppError, ErrorCode } from '../../../app/contract'
import { words } from '../../words'
import type { RequestedRun } from '../slices/requestSlice'
import { goOnWithCpu } from './deviceActions'
import { hideGpuTrouble, tellError, tellGpuTrouble, type Remedy } from '../base/notify'
import { blame } from '../slices/recipeSlice'
import { getState, patch, update } from '../store'

const gpuTrouble: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['GPU_UNAVAILABLE', 'GPU_LOST', 'GPU_OUT_OF_MEMORY'])

type Again = (asked: RequestedRun) => void
/** Wiring, set once: who starts runs and who replaces the engine both tell errors, so that errors cannot know them. */
const remedy: { run: Again; restart: Again } = { run: () => undefined, restart: () => undefined }
export const onAgainWanted = (how: keyof typeof remedy, again: Again): void => void (remedy[how] = again)

/** At its control, where the error is about one of the recipe on screen. */
export function tellAtControl(error: AppError): boolean {
  const blamed = error.code === 'INVALID_PARAMETER' ? blame(getState().recipe, error) : null
  if (blamed) update('recipe', () => blamed)
  return blamed !== null
}

/** run:start was refused. */
export function tellRefused(error: AppError, asked: RequestedRun): void {
  // The banner says it already.
  if (!tellAtControl(error) && error.code !== 'ENGINE_LOST') tellRunError(error, asked, '')
}

export function tellRunError(error: AppError, asked: RequestedRun, runId: string): void {
  const about = asked.purpose === 'preview' ? words.names.preview : words.buttons.segment
  if (!gpuTrouble.has(error.code)) return tellError(error, about, { slidePath: asked.slidePath, runId })
  if (error.code === 'GPU_LOST') patch('asked', { lostByGpu: asked })
  // It outlives its run, and the engine, which may be replaced for it.
  tellGpuTrouble(error, about, remediesFor(error, asked), { slidePath: asked.slidePath })
}

function remediesFor(error: AppError, asked: RequestedRun): Remedy[] {
  const onCpu: Remedy = {
    label: words.segment.runOnCpu,
    testId: 'run-on-cpu',
    act: () => {
      goOnWithCpu()
      remedy.run(asked)
    },
  }
  const restart: Remedy = {
    label: words.segment.restartAndRun,
    testId: 'restart-and-run',
    act: () => {
      hideGpuTrouble()
      remedy.restart(asked)
    },
  }
  return error.code === 'GPU_LOST' ? [onCpu, restart] : [onCpu]
}
