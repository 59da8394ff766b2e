// Which µm/px an export states: the slide's own two values, unless the run was calibrated otherwise.
import { describe, expect, it } from 'vitest'
import { calibrationOf } from '../../../main/export/calibration'
import { madeRun } from './madeRun'

const tall = { mppX: 0.25, mppY: 1 }

describe('the calibration of an export', () => {
  it('is the slide’s own for each axis where the run was measured with their mean', () => {
    expect(calibrationOf(madeRun({ scale: 2, analysedMpp: 1, slide: tall }))).toMatchObject({ umPerPxX: 0.25, umPerPxY: 1 })
  })
  it('is the one that overrode it, also where that lies between the two', () => {
    expect(calibrationOf(madeRun({ scale: 2, analysedMpp: 1.2, slide: tall }))).toMatchObject({
      unit: 'um',
      perAnalysedPx: 1.2,
      umPerPxX: 0.6,
      umPerPxY: 0.6,
    })
  })
})
