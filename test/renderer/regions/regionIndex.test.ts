// Regions by where they are, and what lists call them: as a look through all of them says, however many there are.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { regionTitle, type RegionOfInterest } from '../../../app/contract'
import { indexOf, RegionIndex } from '../../../renderer/arithmetic/regionIndex'
import { boxOfShape } from '../../../renderer/arithmetic/regionShapes'
import { smallUnder } from '../../../renderer/viewer/regions/regionPainter'
import { fieldOf, holds, shownRegions } from '../../../renderer/viewer/regions/shownRegions'

const idOf = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
const square = (n: number, x: number, y: number, side: number, more: Partial<RegionOfInterest> = {}): RegionOfInterest => ({
  ...{ id: idOf(n), slide: 'a'.repeat(32), name: '', classId: null, locked: false, madeBy: 'hand' as const },
  ...{ shape: { kind: 'rectangle' as const, x, y, width: side, height: side }, createdAt: '2026-11-26T00:00:00.000Z', ...more },
})
/** 100 in a row, of a pitch of 20 px. */
const grid = (count: number): RegionOfInterest[] =>
  Array.from({ length: count }, (_, n) => square(n, (n % 100) * 20, Math.floor(n / 100) * 20, 10))
const view = { center: { x: 1000, y: 1000 }, zoom: 1, rotation: 0, flipped: false, width: 400, height: 200 }

const classes = [{ id: 'tumor', name: 'Tumor', color: '#c80000' }]
/** Of the last ones: their numbers tell of all before. */
const titlesOf = (all: readonly RegionOfInterest[]): string[] => all.slice(-20).map((each) => regionTitle(each, all, classes))
/** By a look through all of them. */
function countedTitles(all: readonly RegionOfInterest[]): string[] {
  let number = 0
  return all.map(({ name }) => (name === '' ? `Region ${++number}` : name)).slice(-20)
}

const place = fc.record({ x: fc.nat(2000), y: fc.nat(2000), side: fc.integer({ min: 1, max: 300 }) })
const change = fc.oneof(
  fc.record({ type: fc.constant('move' as const), at: fc.nat(), to: place }),
  fc.record({ type: fc.constant('add' as const), to: place }),
  fc.record({ type: fc.constant('name' as const), at: fc.nat() }),
  fc.record({ type: fc.constant('delete' as const), at: fc.nat() }),
  fc.record({ type: fc.constant('back' as const), last: fc.boolean() }),
)

test('finds those that meet a box, the lowest first, after any changes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(change, place, fc.constantFrom(0, 9, 12)), { maxLength: 20 }),
      fc.boolean(),
      (steps, isLong) => {
        // Of the long one only those that are larger are known apart from the tree.
        let regions: readonly RegionOfInterest[] = grid(isLong ? 2500 : 700)
        let next = 10_000
        const deleted: { at: number; region: RegionOfInterest }[] = []
        for (const [what, { x, y, side }, least] of steps) {
          const at = 'at' in what ? what.at % regions.length : 0
          const was = regions[at]!
          if (what.type === 'add') regions = [...regions, square(next++, what.to.x, what.to.y, what.to.side)]
          if (what.type === 'move') regions = regions.with(at, { ...square(0, what.to.x, what.to.y, what.to.side), id: was.id })
          if (what.type === 'name') regions = regions.with(at, { ...was, name: 'Front' })
          if (what.type === 'delete') {
            regions = regions.toSpliced(at, 1)
            deleted.push({ at, region: was })
          }
          const undone = what.type === 'back' ? deleted.pop() : undefined
          if (undone)
            regions = regions.toSpliced(what.type === 'back' && what.last ? regions.length : undone.at, 0, undone.region)
          const index = indexOf(regions)
          const found = index.meeting({ x, y, width: side, height: side }, least)
          expect(index.meeting({ x: -1, y: -1, width: 5000, height: 5000 })).toEqual(regions.map((_, i) => i))
          expect(titlesOf(regions)).toEqual(countedTitles(regions))
          const all = regions.flatMap(({ shape }, i) => {
            const box = boxOfShape(shape)
            const isMet = box.x <= x + side && box.x + box.width >= x && box.y <= y + side && box.y + box.height >= y
            return isMet && (box.width >= least || box.height >= least) ? i : []
          })
          expect([...found]).toEqual(all)
          for (const i of all) expect(boxOfShape(regions[i]!.shape)).toMatchObject(index.boxAt(i))
          expect(index.get(regions.at(-1)!.id)).toBe(regions.at(-1))
          expect(index.placeOf(was.id)).toBe(
            regions.some(({ id }) => id === was.id) ? regions.findIndex(({ id }) => id === was.id) : undefined,
          )
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('is carried on where one is deleted, and comes back: the tree is not built anew', () => {
  const all = grid(1000)
  const without = all.toSpliced(500, 1)
  const deleted = RegionIndex.built(all).after(without)
  expect(deleted?.meeting({ x: 0, y: 0, width: 5000, height: 5000 })).toEqual(without.map((_, at) => at))
  expect([deleted?.placeOf(idOf(499)), deleted?.placeOf(idOf(500)), deleted?.placeOf(idOf(501))]).toEqual([499, undefined, 500])
  const back = deleted?.after(all)
  expect(back?.meeting({ x: 0, y: 0, width: 5000, height: 5000 })).toEqual(all.map((_, at) => at))
  expect(back?.get(idOf(500))).toBe(all[500])
  // So many are sooner built anew.
  expect(RegionIndex.built(all).after(all.slice(300))).toBeNull()
})

test('as SVG while they are few; then on a canvas, with names for those that are large', () => {
  const few = grid(300)
  expect(shownRegions(few, [], fieldOf(view))).toEqual({ shapes: few, labels: few, rest: false })
  // 100 by 100; the field is 600 by 300 px around the view: 31 by 16 of them, as their edges count.
  const many = [...grid(10_000), square(10_000, 900, 950, 100)]
  const shown = shownRegions(many, [idOf(4950), idOf(77_777)], fieldOf(view))
  expect(shown.rest).toBe(true)
  expect(shown.shapes.map(({ id }) => id)).toEqual([idOf(4950)])
  expect(shown.labels.map(({ id }) => id)).toEqual([idOf(4950), idOf(10_000)])
  // Nearer there are 16 by 8.
  const near = shownRegions(many, [], fieldOf({ ...view, zoom: 2 }))
  expect([near.rest, near.shapes.length, near.labels.length]).toEqual([false, 16 * 8 + 1, 16 * 8 + 1])
})

test('a region that is drawn as a dot is clicked by what lies nearest, as far as a pointer reaches', () => {
  // 10 px wide, 20 px apart: at a tenth of their size 1 and 2 px.
  const regions = grid(10_000)
  const without = new Set([regions[5050]!])
  const under = (x: number, y: number, zoom = 0.1) => smallUnder({ regions, without }, zoom, { x, y })?.id
  // The one of column 17 and row 33 has its middle at 345, 665.
  expect(under(345, 665)).toBe(idOf(3317))
  expect(under(353, 668)).toBe(idOf(3317))
  expect(under(357, 665)).toBe(idOf(3318))
  // Beyond their edge: 6 px on the screen are 60 of the slide.
  expect(under(-50, 5)).toBe(idOf(0))
  expect(under(-60, 5)).toBeUndefined()
  // What is drawn elsewhere takes its own clicks.
  expect(under(1005, 1005)).not.toBe(idOf(5050))
  // Of two in one place the upper one.
  const both = [...regions, square(10_000, 340, 660, 10)]
  expect(smallUnder({ regions: both, without }, 0.1, { x: 345, y: 665 })?.id).toBe(idOf(10_000))
  // Large ones are clicked by their lines.
  expect(under(345, 665, 1)).toBeUndefined()
})

test('what was drawn holds while the view lies in it, at about its zoom, and is not turned', () => {
  const field = fieldOf(view)
  const moved = (x: number): boolean => holds(field, { ...view, center: { x: 1000 + x, y: 1000 } })
  expect([moved(0), moved(100), moved(101)]).toEqual([true, true, false])
  expect([1.4, 1.6, 0.6].map((zoom) => holds(field, { ...view, zoom }))).toEqual([true, false, false])
  expect([holds(field, { ...view, rotation: 90 }), holds(field, { ...view, flipped: true })]).toEqual([false, false])
})

test('titles count those that are alike, after each change, and a hundred thousand of them are asked for at once', () => {
  const regions = [square(1, 0, 0, 1), square(2, 0, 0, 1, { classId: 'tumor' }), square(3, 0, 0, 1), square(4, 0, 0, 1)]
  const titles = (all: readonly RegionOfInterest[]) => all.map((each) => regionTitle(each, all, classes))
  expect(titles(regions)).toEqual(['Region 1', 'Tumor', 'Region 2', 'Region 3'])
  expect(titles(regions.with(2, { ...regions[2]!, name: 'Front' }))).toEqual(['Region 1', 'Tumor', 'Front', 'Region 2'])
  expect(titles(regions.with(2, { ...regions[2]!, classId: 'tumor' }))).toEqual(['Region 1', 'Tumor 1', 'Tumor 2', 'Region 2'])
  const many = grid(100_000)
  const from = process.cpuUsage().user
  expect(titles(many).at(-1)).toBe('Region 100000')
  // Each asked all of them before: 10^10 steps.
  expect((process.cpuUsage().user - from) / 1e6).toBeLessThan(5)
})
