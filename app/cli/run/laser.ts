// What a command says of shapes for laser microdissection.
import { InvalidArgumentError, Option } from 'commander'
import { isLaser, marksIn, wellsIn } from '../../contract'
import type { ExportFile, LaserMarks, LaserRequest, LaserWells } from '../../contract'
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
  laserCells?: boolean | undefined
  laserWells?: LaserWells | undefined
  /** A title; of commands that know regions. */
  laserRegion?: string | undefined
}
/** µm: what no laser's beam is finer than. */
const usualTolerance = 0.5

const marks = (text: string): LaserMarks => {
  const read = marksIn(text)
  if (read) return read
  throw new InvalidArgumentError(`expected three places, as 100,200;9000,250;400,8000, but received ${text}`)
}

const wells = (text: string): LaserWells => {
  const read = wellsIn(text)
  if (read) return read
  throw new InvalidArgumentError(`expected wells of classes, as positive=A1,negative=B1, but received ${text}`)
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
  cells: new Option('--laser-cells', 'outlines of cells are cut, and not of their nuclei'),
  wells: new Option(
    '--laser-wells <class=well,…>',
    'for shapes.lmd.xml: where each class is collected, as positive=A1,negative=B1',
  ).argParser(wells),
  region: new Option('--laser-region <title>', 'objects in regions of this title alone'),
})

/** What an export is asked for; null: for nothing of the kind. */
export function laserOf(options: LaserOptions, files: readonly ExportFile[]): LaserRequest | null {
  const { lmdCalibration, palmStage, laserFilter, laserTolerance, laserCells, laserWells, laserRegion } = options
  const asked = files.filter(isLaser)
  if (asked.length === 0) {
    if ((lmdCalibration ?? palmStage ?? laserFilter ?? laserTolerance ?? laserCells ?? laserWells ?? laserRegion) !== undefined)
      throw new CliError(
        ExitCode.usage,
        'expected --files shapes.lmd.xml or shapes.palm.txt, which --lmd-calibration, --palm-stage and --laser-… speak of',
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
    ...(laserCells && { cells: true }),
    ...(laserWells && { wells: laserWells }),
    ...(laserRegion !== undefined && { region: laserRegion }),
  }
}
