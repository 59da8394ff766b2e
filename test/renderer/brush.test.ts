// The brush and the ruler: what a stroke covers, how large the brush is, what it asks of the engine, and how a length is told.
import { describe, expect, it } from 'vitest'
import { combined, resolved } from '../../main/project/combine'
import { areaOfShape, holderOf } from '../../main/base/shapes'
import { lengthWords, strokeShape } from '../../renderer/arithmetic/brushShape'
import { brushed, resizeBrush } from '../../renderer/store/brushActions'
import { firstBrush, grown, radiusOf, radiusPx } from '../../renderer/store/brushSlice'
import { dragged } from '../../renderer/store/projectActions'
import { getState, patch, update } from '../../renderer/store/store'
import type { DocumentState } from '../../app/contract'
import { machine, setUpSlide } from './windowFixture'

describe('a stroke', () => {
  it('of a click is a disc, of a way all that lies within the radius of it', () => {
    const disc = resolved(strokeShape([{ x: 100, y: 100 }], 20)!).shape!
    expect(areaOfShape(disc) / (Math.PI * 400)).toBeCloseTo(1, 1)
    const way = [
      { x: 0, y: 0 },
      { x: 100, y: 0 },
      { x: 100, y: 100 },
      { x: 0, y: 50 },
    ]
    const stroke = resolved(strokeShape(way, 10)!).shape!
    const holds = holderOf(stroke)
    expect([holds(50, 9), holds(50, 11), holds(109, 50), holds(111, 50), holds(-9, 0), holds(100, 109)]).toEqual([
      ...[true, false, true, false, true, true],
    ])
    // Where it comes upon itself it is once.
    expect(stroke.kind === 'polygon' && stroke.parts).toHaveLength(1)
    const cut = combined(disc, 'subtract', strokeShape([{ x: 100, y: 100 }], 10)!)!
    expect(areaOfShape(cut) / (Math.PI * 300)).toBeCloseTo(1, 1)
  })
  it('leaves nothing where the brush is smaller than a pixel, and stays small where it is long', () => {
    expect(strokeShape([{ x: 1, y: 1 }], 0.2)).toBeNull()
    const scribble = Array.from({ length: 20_000 }, (_, i) => ({ x: i, y: 50 * (i % 2) }))
    const shape = strokeShape(scribble, 5)
    expect(shape?.kind === 'polygon' && shape.parts.length).toBeLessThanOrEqual(2000)
  })
})

it('its size is in µm where the slide has a pixel size, and grows by steps', () => {
  expect([radiusOf(firstBrush, 0.25, 2), radiusPx(firstBrush, 0.25, 2), radiusOf(firstBrush, null, 2)]).toEqual([5, 20, 20])
  const brush = { ...firstBrush, radius: 30 }
  expect([radiusPx(brush, 0.25, 2), radiusPx(brush, null, 9)]).toEqual([120, 30])
  expect([grown(30, 1), grown(30, -1), grown(0.5, -1), grown(20_000, 1)]).toEqual([37.5, 24, 0.5, 20_000])
})

it('a length is told in µm or mm, along each axis by its own pixel size, else in px', () => {
  const from = { x: 0, y: 0 }
  expect(lengthWords(from, { x: 300, y: 400 }, 0.5, 0.5)).toBe('250.0 µm')
  expect(lengthWords(from, { x: 0, y: 8000 }, 0.25, 0.5)).toBe('4.000 mm')
  expect(lengthWords(from, { x: 3, y: 4 }, null, null)).toBe('5.000 px')
})

describe('in the window', () => {
  const key = 'a'.repeat(32)
  const document = (regions: DocumentState['regions']): DocumentState => ({
    ...{ path: null, name: null, revision: 1, undo: null, redo: null, classes: [], slides: [], runs: [] },
    ...{ slide: key, regions, recovered: false, trouble: null },
  })
  it('the first stroke makes a region, the next one adds to it, and Alt cuts out of it: a step each', async () => {
    const commands: { type: string; how?: string }[] = []
    let regions: DocumentState['regions'] = []
    setUpSlide(machine([]), {
      'project:do': (arg) => {
        const { command } = arg as { command: { type: string; how?: string; regions?: DocumentState['regions'] } }
        commands.push(command)
        if (command.regions) regions = command.regions
        return { ok: true, value: { revision: 1, name: '' } }
      },
      'project:state': () => ({ ok: true, value: document(regions) }),
      'project:measure': () => ({ ok: true, value: [] }),
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
