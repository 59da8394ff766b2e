// The cells that a recipe's values ask for around its objects, in px, and how far beyond a core their nuclei must be known.
import type { ParamValue } from '../../../app/contract'
import type { CellsRequest } from '../../../native/index'

export interface CellsOfRun extends CellsRequest {
  /** Around a window's core: as a rule all that decides the cells of its objects lies within. */
  readonly marginPx: number
}

/** As large as most nuclei are, µm: those of a core reach so far beyond it. A larger one has a window of its own. */
const usualNucleusUm = 12

/** Of a cell that somebody gave: so far beyond its nucleus the engine looks for cells. */
export const mostCellReachPx = 400

type Params = Readonly<Record<string, ParamValue>>

/** By a recipe's resolved parameters; null: it asks for none. `mpp`: µm an analysed px. */
export function cellsOf(params: Params, mpp: number): CellsOfRun | null {
  const reachPx = Number(params[params['cell.object'] === 'both' ? 'cell.expansion' : 'cells.expansion'] ?? 0)
  return reachPx <= 0 ? null : measuredCells(params, reachPx, mpp)
}

/** Cells that reach so far, as the recipe measures cells. */
export function measuredCells(params: Params, reachPx: number, mpp: number): CellsOfRun {
  const number = (name: string): number => Number(params[name] ?? 0)
  const isOwn = params['cell.object'] === 'both'
  const ringPx = number(isOwn ? 'cell.membraneWidth' : 'cells.membraneWidth')
  const membrane = params['cells.membraneAbove'] !== undefined && {
    // DAB, of the stain set h-dab.
    stain: 1,
    limit: number('cells.membraneAbove'),
    least: number('cells.leastShare'),
    complete: number('cells.completeShare'),
    moderate: number('cells.moderateAbove'),
    strong: number('cells.strongAbove'),
  }
  const marginPx = Math.ceil(2 * reachPx + ringPx + usualNucleusUm / mpp) + 1
  return { reachPx, ringPx, ...(membrane && { membrane }), marginPx }
}
