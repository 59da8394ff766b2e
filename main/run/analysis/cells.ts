// The cells that a recipe's values ask for around its objects, in px, and how far beyond a core their nuclei must be known.
import type { ParamValue } from '../../../app/contract'
import type { CellsRequest } from '../../../native/index'

export interface CellsOfRun extends CellsRequest {
  /** Around a window's core: as a rule all that decides the cells of its objects lies within. */
  readonly marginPx: number
}

/** As large as most nuclei are, µm: those of a core reach so far beyond it. A larger one has a window of its own. */
const usualNucleusUm = 12

/** By a recipe's resolved parameters; null: it asks for none. `mpp`: µm an analysed px. */
export function cellsOf(params: Readonly<Record<string, ParamValue>>, mpp: number): CellsOfRun | null {
  const number = (name: string): number => Number(params[name] ?? 0)
  const isOwn = params['cell.object'] === 'both'
  const reachPx = isOwn ? number('cell.expansion') : number('cells.expansion')
  if (reachPx <= 0) return null
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
