// shapes.palm.txt: the list of elements that Zeiss's PALM RoboSoftware imports, in µm of its stage.
import { EngineError } from '../../base/errors'
import { calibrationOf } from '../calibration'
import type { ExportJob } from '../exporter'
import type { OutputFile } from '../output/outputSet'
import { affineOf } from './affine'
import type { Move, Point } from './affine'
import { laserShapes } from './shapes'

const perLine = 5
/** A nanometre: at most a hundredth of a pixel. */
const decimals = 3

export async function writePalmText(job: ExportJob, out: OutputFile): Promise<void> {
  const move = moveOf(job)
  const shapes = await laserShapes(job)
  const [, year, month, day, time] = /^(\d+)-(\d+)-(\d+)T([\d:]+)/.exec(job.result.status.startedAt) ?? [
    '',
    '1970',
    '01',
    '01',
    '00:00:00',
  ]
  await out.append(
    [
      'PALMRobo Elements',
      'Version:\tV 4.6.0.4',
      `Date, Time :\t${day}.${month}.${year}\t${time}`,
      '',
      'MICROMETER',
      'Elements :',
      '',
      'Type\tColor\tThickness\tNo\tCutShot\tArea\tComment\tCoordinates',
      '',
      '',
    ].join('\r\n'),
  )
  for (const [i, { number, className, ring }] of shapes.entries()) {
    job.signal.throwIfAborted()
    const points = ring.map(move)
    const texts = points.map(([x, y]) => `${placed(x)},${placed(y)}`)
    const comment = className === '' ? `Object ${number}` : `Object ${number} ${className}`
    await out.append(
      [
        ['Freehand', 'green', 1, i + 1, '0,0', placed(areaOf(points)), comment].join('\t'),
        ...Array.from({ length: Math.ceil(texts.length / perLine) }, (_, line) =>
          ['.', ...texts.slice(line * perLine, (line + 1) * perLine)].join('\t'),
        ),
        '',
        '',
      ].join('\r\n'),
    )
    job.progress((i + 1) / shapes.length)
  }
}

/** Never "-0.000". */
const placed = (value: number): string => value.toFixed(decimals).replace(/^-(0\.0*)$/, '$1')

/** INVALID_PARAMETER: nothing says what a pixel is on the stage. */
function moveOf({ result, laser }: ExportJob): Move {
  const { marks, stageUm } = laser!
  if (stageUm) return affineOf(marks, stageUm)
  const { umPerPxX, umPerPxY } = calibrationOf(result)
  if (umPerPxX === null || umPerPxY === null)
    throw new EngineError(
      'INVALID_PARAMETER',
      'shapes.palm.txt is in µm, and the slide says no pixel size. Say where the stage has the three marks (--palm-stage), or give the pixel size (--mpp).',
    )
  return ([x, y]) => [x * umPerPxX, y * umPerPxY]
}

/** Of a closed ring. */
const areaOf = (ring: readonly Point[]): number =>
  Math.abs(ring.reduce((sum, [x, y], i) => sum + (x * (ring[i + 1]?.[1] ?? y) - (ring[i + 1]?.[0] ?? x) * y) / 2, 0))
