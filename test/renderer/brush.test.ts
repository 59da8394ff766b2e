// The brush and the ruler: what a stroke covers, how large the brush is, what it asks of the engine, and how a length is told.
import { describe, expect, it } from 'vitest'
import { combined, resolved } from '../../main/project/regions/combine'
import { areaOfShape, holderOf } from '../../main/base/shapes'
import { lengthWords, strokeShape } from '../../renderer/arithmetic/brushShape'
import { brushed, brushTip, resizeBrush } from '../../renderer/store/objects/brushActions'
import { firstBrush, grown, radiusOf, tipOf } from '../../renderer/store/slices/brushSlice'
import { dragged } from '../../renderer/store/document/projectActions'
import { getState, patch, update } from '../../renderer/store/store'
import type { DocumentState } from '../../app/contract'
import { machine, setUpSlide } from './windowFixture'

const round = (radius: number) => ({ x: radius, y: radius })
const quarter = { x: 0.25, y: 0.25, mpp: 0.25 }

describe('a stroke', () => {
  it('of a click is a disc, of a way all that lies within the radius of it', () => {
    const disc = resolved(strokeShape([{ x: 100, y: 100 }], round(20))!).shape!
    expect(areaOfShape(disc) / (Math.PI * 400)).toBeCloseTo(1, 1)
    const way = [
      { x: 0, y: 0 },
      { x: 100, y: 0 },
      { x: 100, y: 100 },
      { x: 0, y: 50 },
    ]
    const stroke = resolved(strokeShape(way, round(10))!).shape!
    const holds = holderOf(stroke)
    expect([holds(50, 9), holds(50, 11), holds(109, 50), holds(111, 50), holds(-9, 0), holds(100, 109)]).toEqual([
      ...[true, false, true, false, true, true],
    ])
    // Where it comes upon itself it is once.
    expect(stroke.kind === 'polygon' && stroke.parts).toHaveLength(1)
    const cut = combined(disc, 'subtract', strokeShape([{ x: 100, y: 100 }], round(10))!)!
    expect(areaOfShape(cut) / (Math.PI * 300)).toBeCloseTo(1, 1)
  })
  it('leaves nothing where the brush is smaller than a pixel, and stays small where it is long', () => {
    expect(strokeShape([{ x: 1, y: 1 }], round(0.2))).toBeNull()
    const scribble = Array.from({ length: 6000 }, (_, i) => ({ x: i, y: 50 * (i % 2) }))
    const shape = strokeShape(scribble, round(5))
    expect(shape?.kind === 'polygon' && shape.parts.length).toBeLessThanOrEqual(2000)
  })
})

it('its size is in µm where the slide has a pixel size, and grows by steps', () => {
  expect([radiusOf(firstBrush, 0.25, 2), tipOf(firstBrush, quarter, 2).x, radiusOf(firstBrush, null, 2)]).toEqual([5, 20, 20])
  const brush = { ...firstBrush, radius: 30 }
  expect([tipOf(brush, quarter, 2), tipOf(brush, { x: null, y: null, mpp: null }, 9)]).toEqual([round(120), round(30)])
  expect([grown(30, 1), grown(30, -1), grown(0.5, -1), grown(20_000, 1)]).toEqual([37.5, 24, 0.5, 20_000])
})

it('on pixels of 0.25 × 0.5 µm its tip is a circle on the tissue: twice as many px across as down', () => {
  const tip = tipOf({ ...firstBrush, radius: 10, objectRadius: 4 }, { x: 0.25, y: 0.5, mpp: Math.sqrt(0.125) }, 1)
  expect(tip).toEqual({ x: 40, y: 20 })
  // 10 µm around the point, in µm: 40 px across, 20 px down.
  const disc = resolved(strokeShape([{ x: 100, y: 100 }], tip)!).shape!
  const holds = holderOf(disc)
  expect([holds(139, 100), holds(141, 100), holds(100, 119), holds(100, 121)]).toEqual([true, false, true, false])
  // Halfway between the axes 10 µm are 28.3 px across and 14.1 px down.
  expect([holds(128, 114), holds(129, 115)]).toEqual([true, false])
  expect((areaOfShape(disc) * 0.25 * 0.5) / (Math.PI * 100)).toBeCloseTo(1, 1)
  // A way aslant on the tissue, from (0, 0) to (30, 40) µm: 50 µm of 20 µm, and the two ends.
  const stroke = resolved(strokeShape([{ x: 0, y: 0 }, { x: 120, y: 80 }], tip)!).shape! // oxfmt-ignore
  expect(areaOfShape(stroke) * 0.125).toBeCloseTo(50 * 20 + Math.PI * 100, -1)
  // 9.9 µm beside its middle, and 10.1: across it is (-0.8, 0.6).
  const along = holderOf(stroke)
  const beside = (um: number) => along(60 - (0.8 * um) / 0.25, 40 + (0.6 * um) / 0.5)
  expect([beside(9.9), beside(10.1), beside(-9.9), beside(-10.1)]).toEqual([true, false, true, false])
})

it('a length is told in µm or mm, along each axis by its own pixel size, else in px', () => {
  const from = { x: 0, y: 0 }
  expect(lengthWords(from, { x: 300, y: 400 }, 0.5, 0.5)).toBe('250.0 µm')
  expect(lengthWords(from, { x: 0, y: 8000 }, 0.25, 0.5)).toBe('4.000 mm')
  expect(lengthWords(from, { x: 3, y: 4 }, null, null)).toBe('5.000 px')
})

describe('in the window', () => {
  const key = 'a'.repeat(32)
  let revision = 1
  const document = (regions: DocumentState['regions']): DocumentState => ({
    ...{ path: null, name: null, revision, undo: null, redo: null, classes: [], slides: [], runs: [] },
    ...{ slide: key, regions, places: regions.map((_, i) => i), recovered: false, trouble: null },
  })
  it('the first stroke makes a region, the next one adds to it, and Alt cuts out of it: a step each', async () => {
    const commands: { type: string; how?: string }[] = []
    let regions: DocumentState['regions'] = []
    setUpSlide(machine([]), {
      'project:do': (arg) => {
        const { command } = arg as { command: { type: string; how?: string; regions?: DocumentState['regions'] } }
        commands.push(command)
        if (command.regions) regions = command.regions
        return { ok: true, value: { revision: ++revision, name: '' } }
      },
      'project:state': () => ({ ok: true, value: document(regions) }),
      'project:measure': () => ({ ok: true, value: [] }),
      'project:measureAll': () => ({ ok: true, value: { measures: [] } }),
    })
    patch('project', { doc: document([]), tool: 'brush' })
    const stroke = (how: 'new' | 'subtract') => {
      brushed({ x: 10, y: 10 }, { x: 200, y: 10 }, false, how)
      brushed({ x: 10, y: 10 }, { x: 200, y: 10 }, true, how)
    }
    // Faster than the engine answers.
    stroke('new')
    stroke('new')
    stroke('subtract')
    await expect.poll(() => commands.map(({ type, how }) => how ?? type)).toEqual(['regions:add', 'add', 'subtract'])
    await expect.poll(() => getState().project.drawing).toBeNull()
    expect(getState().project.tool).toBe('brush')
    resizeBrush(1)
    expect(getState().brush.radius).toBe(12.5)
  })
  it('region and object brush have the slide’s axes', () => {
    setUpSlide(machine([]), {})
    update('slide', (slide) => ({ ...slide, info: { ...slide.info!, mppX: 0.25, mppY: 0.5 } }))
    patch('brush', { radius: 10, objectRadius: 4 })
    patch('project', { tool: 'brush' })
    expect(brushTip(getState())).toEqual({ x: 40, y: 20 })
    patch('project', { tool: 'redraw' })
    expect(brushTip(getState())).toEqual({ x: 16, y: 8 })
  })
  it('the ruler leaves its line to be read', () => {
    setUpSlide(machine([]), {})
    update('project', (project) => ({ ...project, tool: 'ruler' as const }))
    dragged({ x: 0, y: 0 }, { x: 30, y: 40 }, true, 'new')
    expect(getState().project.drawing?.points).toEqual([
      { x: 0, y: 0 },
      { x: 30, y: 40 },
    ])
  })
})
