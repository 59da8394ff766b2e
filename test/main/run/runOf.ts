// Runs without the engine around them: of a draft, to their end or under way.
import { expect } from 'vitest'
import type { AppEvent } from '../../../app/contract'
import type { PixelRect } from '../../../main/base/rect'
import type { Draft } from '../../../main/run/analysis/analysis'
import { Overviews } from '../../../main/run/analysis/overviews'
import { blockSizes } from '../../../main/run/plan/plan'
import type { BlockSize } from '../../../main/run/plan/plan'
import type { RunObject } from '../../../main/run/objects/result'
import { Run } from '../../../main/run/run'
import { Scheduler } from '../../../main/run/schedule/schedule'
import { Throughput } from '../../../main/run/request/throughput'
import { TileResults } from '../../../main/run/tiles/tileResults'

export interface How {
  region: PixelRect
  purpose?: 'run' | 'preview'
  layers?: boolean
  threads?: number
  /** Tiles a side. */
  blockSize?: BlockSize
  overviews?: Overviews
  tiles?: TileResults
  onEvent?: (event: AppEvent, run: Run) => void
}

/** Nothing of it has begun. */
export function runOf(draft: Draft, { region, purpose = 'run', threads = 2, overviews = new Overviews(), ...how }: How): Run {
  const run: Run = new Run(
    {
      runId: 'r1',
      name: 'Region',
      lane: 'short',
      layers: how.layers ?? false,
      draft,
      purpose,
      request: { region: 'whole', recipe: draft.recipe, purpose },
      region,
      focus: undefined,
      threads,
      memory: { budgetBytes: 2 ** 32, needBytes: 2 ** 29, windowsAtOnce: threads },
      largerAtOnce: threads,
      blockSize: how.blockSize ?? blockSizes.usual,
      warnings: [],
    },
    {
      scheduler: new Scheduler(threads),
      tiles: how.tiles ?? new TileResults(),
      overviews,
      throughput: new Throughput(),
      budget: { runBytes: Infinity, runObjects: Infinity },
      journals: null,
      emit: (event) => how.onEvent?.(event, run),
      log: () => undefined,
    },
  )
  return run
}

/** Over, and without an error. */
export async function ranTo(draft: Draft, how: How): Promise<Run> {
  const run = runOf(draft, how)
  await run.begin()
  expect(run.status()).toMatchObject({ state: 'done', error: null })
  return run
}

/** Those whose first pixel lies in a rectangle of the analysed image. */
export const objectsOf = (run: Run, rect: PixelRect): RunObject[] =>
  run.objects.inRect(rect, true).filter(({ firstX, firstY }) => inside(rect, firstX, firstY))
const inside = (r: PixelRect, x: number, y: number): boolean => x >= r.x && y >= r.y && x < r.x + r.width && y < r.y + r.height
