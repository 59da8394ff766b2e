// Near-degenerate pairs of polygons: what is put together, shared and cut off is valid, and its areas and places are those of the two.
import { expect, it } from 'vitest'
import type { Ring, Shape } from '../../../../app/contract'
import { newEffort } from '../../../../main/base/planar/noded'
import { overlay } from '../../../../main/base/planar/overlay'
import { laidOver, oriented, repaired } from '../../../../main/base/planar/simple'
import { areaOfShape, holderOf, partsOf } from '../../../../main/base/shapes'
import { seed, seeded, times } from '../../../stress/seeded'
import { degeneratePair } from './degenerate'
import { faultOf, winding } from './validity'

/** MORPHOSCOPE_STRESS_PAIRS=100000: the long campaign. */
const count = times('PAIRS', 120)

const shapeOf = (parts: Ring[][]): Shape | null => (parts.length > 0 ? { kind: 'polygon', parts } : null)
const areaOf = (shape: Shape | null): number => (shape ? areaOfShape(shape) : 0)

/** In whole steps of the finest grid about their own corner, so that the independent check is exact. */
function faultIn(shape: Shape | null): string {
  if (!shape) return ''
  const points = partsOf(shape).flat(2)
  const least = (axis: 0 | 1): number => points.reduce((min, point) => Math.min(min, point[axis]), Infinity)
  const [left, top] = [least(0), least(1)]
  return faultOf(partsOf(shape).map((rings) => rings.map((ring) => ring.map(([x, y]): [number, number] => [(x - left) * 1024, (y - top) * 1024])))) // oxfmt-ignore
}

const lengthOf = (rings: readonly Ring[]): number =>
  rings.reduce((sum, ring) => sum + ring.reduce((own, [x, y], i) => {
    const [px, py] = ring[(i + ring.length - 1) % ring.length]!
    return own + Math.hypot(x - px, y - py)
  }, 0), 0) // oxfmt-ignore

/** The grid's step for all that is laid over each other, as main/base/planar/overlay.ts states it. */
function stepOf(points: readonly (readonly [number, number])[]): number {
  const span = (axis: 0 | 1): number =>
    points.reduce((max, point) => Math.max(max, point[axis]), -Infinity) -
    points.reduce((min, point) => Math.min(min, point[axis]), Infinity)
  let step = 2 ** -10
  while (Math.max(span(0), span(1)) / step > 2 ** 24) step *= 2
  return step
}

/** Its points, whatever ring begins where. */
const namesOf = (shape: Shape | null): string => (shape ? partsOf(shape).flat(2).map(String).sort().join(' ') : '')

const nearest = (rings: readonly Ring[], [px, py]: readonly [number, number]): number =>
  Math.min(
    ...rings.flatMap((ring) =>
      ring.map(([bx, by], i) => {
        const [ax, ay] = ring[(i + ring.length - 1) % ring.length]!
        const along = ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2 || 1)
        const part = Math.min(1, Math.max(0, along))
        return Math.hypot(ax + part * (bx - ax) - px, ay + part * (by - ay) - py)
      }),
    ),
  )

/** What is wrong with what the two come to; '' where nothing is. */
export function wrongWith(rings: readonly [Ring, Ring], random: () => number): string {
  const raw = rings.flat()
  const step = stepOf(raw)
  const [one, other] = rings.map((ring) => repaired({ kind: 'polygon', parts: [[ring]] }).shape) as [Shape | null, Shape | null]
  for (const [name, shape] of [
    ['the first', one],
    ['the second', other],
  ] as const)
    // oxfmt-ignore
    if (shape && !partsOf(shape).flat().some((ring) => rings.includes(ring)) && faultIn(shape)) return `${name}: ${faultIn(shape)}`
  if (!one || !other) return ''
  const [a, b] = [oriented(partsOf(one)), oriented(partsOf(other))]
  const either = laidOver(one, 'add', other)
  const onlyOne = laidOver(one, 'subtract', other)
  const onlyOther = laidOver(other, 'subtract', one)
  const both = shapeOf(overlay(a, b, (first, second) => first > 0 && second > 0, newEffort()))
  const results = { either, onlyOne, onlyOther, both }
  for (const [name, shape] of Object.entries(results)) {
    const fault = faultIn(shape)
    if (fault) return `${name}: ${fault}`
    // Opened again it stays what it is.
    if (shape && repaired(structuredClone(shape)).changed) return `${name} is not taken for valid when it comes back`
  }
  const otherWay = laidOver(other, 'add', one)
  if (namesOf(otherWay) !== namesOf(either)) return 'the union depends on which of the two comes first'
  // Of one arrangement of lines: to the bit, but for the rounding of a sum.
  const rounding = 1e-9 * (areaOf(either) + step)
  const parts = areaOf(onlyOne) + areaOf(onlyOther) + areaOf(both)
  if (Math.abs(parts - areaOf(either)) > rounding) return `areas: ${parts} in parts, ${areaOf(either)} in one`
  // Each line moves by a few steps of the grid at most.
  const allowed = 3 * step * (lengthOf([...a, ...b]) + step)
  const sum = areaOf(one) + areaOf(other)
  if (Math.abs(sum - areaOf(either) - areaOf(both)) > allowed)
    return `areas: ${sum} of the two, ${areaOf(either) + areaOf(both)} of union and intersection, ${allowed} allowed`
  const holders = Object.fromEntries(
    Object.entries(results).map(([name, shape]) => [name, shape ? holderOf(shape) : () => false]),
  )
  for (let n = 0; n < 6; n++) {
    const [[x, y], [fx, fy]] = [raw[Math.floor(random() * raw.length)]!, raw[Math.floor(random() * raw.length)]!]
    const part = random() * among01(random)
    const p = [x + part * (fx - x) + (random() - 0.5) * step * 40, y + part * (fy - y) + (random() - 0.5) * step * 40] as const
    if (nearest(rings, p) < 4 * step) continue
    const [inOne, inOther] = rings.map((ring) => winding(ring, p) !== 0) as [boolean, boolean]
    const wanted = { either: inOne || inOther, onlyOne: inOne && !inOther, onlyOther: inOther && !inOne, both: inOne && inOther }
    for (const [name, is] of Object.entries(wanted))
      if (holders[name]!(...p) !== is) return `${name}: the place ${String(p)} is ${is ? 'left out' : 'held'}`
  }
  return ''
}
const among01 = (random: () => number): number => (random() < 0.5 ? 1 : 0.01)

it('a crossing is the same point whichever line is asked first', () => {
  // Two fans of a long campaign: what each has alone, and what both have, came to a step of the grid more than the union.
  const fans: [Ring, Ring] = [
    [[131071.49978643861, 0.0007036708183586598], [131071.51316483333, 0.02], [131071.50017023788, 0.00019715921257557056], [131071.51626834566, 0.020015411722679347], [131071.41284244438, 0], [131071.51182193845, 0.019982331763621915], [131071.49997316973, 0], [131071.51774720475, 0.020003164540939908]],
    [[131071.50023512186, 0.320555288111791], [131071.51244515835, 0.02098529253154993], [131071.5, -1.4179074484854937e-10], [131071.51699701171, 0.02035783226555213]],
  ] // oxfmt-ignore
  expect(wrongWith(fans, seeded(1))).toBe('')
})

it('a crossing that would creep along lines that nearly lie on each other is snapped', () => {
  const fans = JSON.parse(
    `[[[-7.206701375544071e-13,131071.50000000068],[335.26281360536814,134072.08484104215],[0,131071.50083200037],[230.0474653020501,134071.4999971153],[0,131071.49995333947],[1868.9734430518001,134070.25669171888],[0.000005797705853183288,131071.49983406473],[2273.4290056396276,134044.33125284594]],[[-0.04266045615077019,131071.50000000006],[566.417827270925,134071.50000000055],[-0.0017723698756526574,131071.46707337769],[2372.769062407315,134071.5],[0.0001513907218395616,131071.49982936944],[764.1180390492082,134072.08182252906],[7.509140851907432e-10,131071.5],[1640.4978814534843,134070.8102125203],[-6.907974435016513e-13,131071.49983363395],[658.5385724902153,134071.0196351838],[-0.4365453920327127,131071.5],[1554.6110572759062,134070.3149850901],[-9.39516643062234e-13,131071.50000000086],[499.9692686833441,134070.5688788846]]]`,
  ) as [Ring, Ring]
  expect(wrongWith(fans, seeded(1))).toBe('')
})

it(`${count} pairs`, { timeout: 3_600_000 }, () => {
  const random = seeded(seed)
  const wrong: string[] = []
  const seen = new Map<string, number>()
  const begun = performance.now()
  for (let n = 0; n < count; n++) {
    const { kind, rings } = degeneratePair(n, random)
    seen.set(kind, (seen.get(kind) ?? 0) + 1)
    let fault: string
    try {
      fault = wrongWith(rings, random)
    } catch (error) {
      fault = `thrown: ${String(error)}`
    }
    if (fault) wrong.push(`${n}, ${kind}: ${fault}; ${wrong.length < 20 ? JSON.stringify(rings) : ''}`)
  }
  if (count > 1000) console.log(`${count} pairs, ${wrong.length} wrong, ${Math.round(performance.now() - begun)} ms`)
  expect(wrong).toEqual([])
  expect(seen.size).toBe(Math.min(count, 12))
})
