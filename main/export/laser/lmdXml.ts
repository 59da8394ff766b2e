// shapes.lmd.xml: what Leica's laser microdissection imports: three marks, then closed shapes, in whole numbers.
import { calibrationOf } from '../calibration'
import type { ExportJob } from '../exporter'
import type { OutputFile } from '../output/outputSet'
import type { Point } from './affine'
import { laserShapes } from './shapes'

/** Of a level-0 px, along its shorter side: half of one is lost. */
const unitsPerPx = 100

/** The microscope asks for the marks, and takes everything else by them: so any unit is right, as long as it is the same along both axes. */
export async function writeLmdXml(job: ExportJob, out: OutputFile): Promise<void> {
  const shapes = await laserShapes(job)
  const { umPerPxX, umPerPxY } = calibrationOf(job.result)
  const least = Math.min(umPerPxX ?? 1, umPerPxY ?? 1)
  const per = [(unitsPerPx * (umPerPxX ?? 1)) / least, (unitsPerPx * (umPerPxY ?? 1)) / least] as const
  const lines = ([x, y]: Point, name: string, n: number, indent: string): string =>
    [
      ['X', Math.round(x * per[0])],
      ['Y', Math.round(y * per[1])],
    ]
      // A negative zero is none.
      .map(([axis, value]) => `${indent}<${axis}${name}_${n}>${Number(value) + 0}</${axis}${name}_${n}>\n`)
      .join('')
  await out.append(
    [
      '<?xml version="1.0" encoding="utf-8"?>\n<ImageData>\n  <GlobalCoordinates>1</GlobalCoordinates>\n',
      ...job.laser!.marks.map((mark, i) => lines(mark, '_CalibrationPoint', i + 1, '  ')),
      `  <ShapeCount>${shapes.length}</ShapeCount>\n`,
    ].join(''),
  )
  for (const [i, { ring, well }] of shapes.entries()) {
    job.signal.throwIfAborted()
    const cap = well === '' ? '' : `    <CapID>${well}</CapID>\n`
    const points = ring.map((point, k) => lines(point, '', k + 1, '    ')).join('')
    await out.append(`  <Shape_${i + 1}>\n    <PointCount>${ring.length}</PointCount>\n${cap}${points}  </Shape_${i + 1}>\n`)
    job.progress((i + 1) / shapes.length)
  }
  await out.append('</ImageData>\n')
}
