// What a command says of shapes for laser microdissection.
import { InvalidArgumentError, Option } from 'commander'
import { isLaser, marksIn } from '../../contract'
import type { ExportFile, LaserMarks, LaserRequest } from '../../contract'
import { CliError, ExitCode } from '../exitCodes'
import { within } from '../optionValues'

export interface LaserOptions {
  /** Level-0 px. */
  lmdCalibration?: LaserMarks | undefined
  /** µm. */
  palmStage?: LaserMarks | undefined
  laserFilter?: string | undefined
  /** µm. */
  laserTolerance?: number | undefined
}
/** µm: what no laser's beam is finer than. */
const usualTolerance = 0.5

const marks = (text: string): LaserMarks => {
  const read = marksIn(text)
  if (read) return read
  throw new InvalidArgumentError(`expected three places, as 100,200;9000,250;400,8000, but received ${text}`)
}

export const laserOptions = () => ({
  marks: new Option(
    '--lmd-calibration <x1,y1;x2,y2;x3,y3>',
    'for shapes.lmd.xml and shapes.palm.txt: three marks of the slide that the microscope finds again, level-0 px',
  ).argParser(marks),
  stage: new Option(
    '--palm-stage <x1,y1;x2,y2;x3,y3>',
    "where Zeiss's stage has these marks, µm (default: the slide's own µm)",
  ).argParser(marks),
  filter: new Option(
    '--laser-filter <text>',
    'which objects are cut, as the table is filtered: "class = positive and area > 30" (default: all)',
  ),
  tolerance: new Option(
    '--laser-tolerance <um>',
    `by how much a shape may leave its outline, µm, or px without a pixel size (default: ${usualTolerance})`,
  ).argParser(within(0, 100, false)),
})

/** What an export is asked for; null: for nothing of the kind. */
export function laserOf(options: LaserOptions, files: readonly ExportFile[]): LaserRequest | null {
  const { lmdCalibration, palmStage, laserFilter, laserTolerance } = options
  const asked = files.filter(isLaser)
  if (asked.length === 0) {
    if ((lmdCalibration ?? palmStage ?? laserFilter ?? laserTolerance) !== undefined)
      throw new CliError(
        ExitCode.usage,
        'expected --files shapes.lmd.xml or shapes.palm.txt, which --lmd-calibration, --palm-stage, --laser-filter and --laser-tolerance speak of',
      )
    return null
  }
  if (!lmdCalibration)
    throw new CliError(
      ExitCode.usage,
      `expected three marks for ${asked.join(' and ')}: --lmd-calibration "x1,y1;x2,y2;x3,y3", level-0 px`,
    )
  return {
    marks: lmdCalibration,
    tolerance: laserTolerance ?? usualTolerance,
    ...(palmStage && { stageUm: palmStage }),
    ...(laserFilter !== undefined && { filter: laserFilter }),
  }
}
