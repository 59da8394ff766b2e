// Words that users of QuPath, HALO or ImageJ type into the palette, and the command that each finds.
import { describe, expect, test } from 'vitest'
import type { Command } from '../../app/commands'
import { matching } from '../../renderer/store/commands/palette'

const wanted: readonly (readonly [typed: string, finds: Command])[] = [
  ['annotation', 'drawPolygon'],
  ['annotate', 'drawRectangle'],
  ['roi', 'segmentRegions'],
  ['ellipse', 'drawEllipse'],
  ['brush', 'brush'],
  ['wand', 'wand'],
  ['counter', 'points'],
  ['count', 'points'],
  ['cell detection', 'segmentVisible'],
  ['positive cell detection', 'positiveShare'],
  ['detect', 'segmentWhole'],
  ['cell', 'segmentVisible'],
  ['nucleus', 'addObjects'],
  ['Ki-67', 'positiveShare'],
  ['ki67', 'positiveShare'],
  ['labeling index', 'positiveShare'],
  ['H-score', 'hScore'],
  ['hscore', 'hScore'],
  ['Allred', 'hScore'],
  ['classifier', 'positiveShare'],
  ['measurements', 'table'],
  ['histogram', 'table'],
  ['results', 'table'],
  ['scatter', 'table'],
  ['distance', 'ruler'],
  ['density', 'segmentVisible'],
  ['density map', 'overlay'],
  ['heatmap', 'overlay'],
  ['detections', 'overlay'],
  ['threshold', 'why'],
  ['brightness', 'tone'],
  ['LUT', 'tone'],
  ['objective', 'magnification'],
  ['metadata', 'info'],
  ['calibration', 'info'],
  ['snapshot', 'savePicture'],
  ['import', 'importRegions'],
  ['export', 'export'],
  ['csv', 'export'],
  ['GeoJSON', 'exportRegions'],
  ['report', 'export'],
  ['anonymise', 'export'],
  ['batch', 'runSlides'],
  ['script', 'runSlides'],
  ['project', 'openProject'],
  ['merge', 'mergeObjects'],
  ['split', 'splitObjects'],
  ['cut', 'splitObjects'],
  ['GPU', 'device'],
  ['preferences', 'device'],
  ['dark mode', 'themeDark'],
  ['resume', 'pause'],
  ['manual', 'guide'],
]

describe('the palette', () => {
  test.each(wanted)('%s', (typed, finds) => {
    const found = matching(typed)
    expect(found).toContain(finds)
    // Within what is seen without scrolling.
    expect(found.indexOf(finds)).toBeLessThan(8)
  })
  test('nothing is found by what stands nowhere', () => {
    expect(matching('zebrafish')).toEqual([])
  })
})
