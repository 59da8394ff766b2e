// Calls about where objects of a run lie, beside the columns of its table.
import { BandsAsk, BandsOfRun } from '../results/bands'
import { DensityMapAsk, DensityMapInfo, HotSpotsAsk, HotSpotsMade } from '../results/densityMaps'
import { RunId } from '../base/ids'
import * as z from '../zod'

export const spatialCalls = {
  /** Of a run that is over, along the border of its slide's regions. INVALID_PARAMETER where lines cross too often to be put together. */
  'run:bands': { arg: z.strictObject({ runId: RunId, bands: BandsAsk }), value: BandsOfRun },
  /** How dense the objects of a run that is over lie around each place. INVALID_PARAMETER where it has no such class. */
  'run:map': { arg: z.strictObject({ runId: RunId, map: DensityMapAsk }), value: DensityMapInfo },
  /** Regions where such a map is high, one step of the document's history. INVALID_PARAMETER where there are none. */
  'run:hotSpots': { arg: HotSpotsAsk, value: HotSpotsMade },
} as const
