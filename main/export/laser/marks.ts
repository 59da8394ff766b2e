// Whether three marks say where a slide lies, asked before anything is computed or written.
import { isLaser } from '../../../app/contract'
import type { LaserMarks, LaserRequest } from '../../../app/contract'
import { EngineError } from '../../base/errors'
import type { Point } from './affine'

/** Throws INVALID_PARAMETER, before anything is written. */
export function checkLaser(files: readonly string[], laser: LaserRequest | undefined): void {
  if (!files.some(isLaser)) return
  if (!laser)
    throw new EngineError(
      'INVALID_PARAMETER',
      `${files.filter(isLaser).join(' and ')} need three marks of the slide that the microscope finds again (--lmd-calibration).`,
    )
  requireTriangle(laser.marks, 'of the slide')
  if (laser.stageUm) requireTriangle(laser.stageUm, 'of the stage')
}

/** The third mark's distance from the line through the others, as a share of the longest side: below it a small mistake moves everything. */
const leastHeight = 0.01

/** INVALID_PARAMETER: the marks lie on one line, or nearly. */
function requireTriangle(marks: LaserMarks, whose: string): void {
  const [a, b, c] = marks
  const twice = Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]))
  const longest = Math.max(distance(a, b), distance(b, c), distance(c, a))
  if (twice >= leastHeight * longest * longest && longest > 0) return
  const said = marks.map((each) => each.join(',')).join(';')
  throw new EngineError(
    'INVALID_PARAMETER',
    `expected three marks ${whose} that do not lie on one line but received ${said}. Choose three far apart, as the corners of a triangle.`,
  )
}

const distance = (a: Point, b: Point): number => Math.hypot(b[0] - a[0], b[1] - a[1])
