// Objects against outlined truth, both as label images: Dice, AJI, PQ, F1, and for each truth whether it was hit, split, merged or missed.

/** What became of a nucleus of the truth. */
export type TruthFate = 'hit' | 'split' | 'merged' | 'missed'
/** What an object turned out to be: of one truth, a piece of one, over several, or of none. */
export type ObjectFate = 'hit' | 'piece' | 'over' | 'false'

export interface Scores {
  /** Of pixels: 2 |A ∩ B| / (|A| + |B|). */
  dice: number
  /** Aggregated Jaccard index (Kumar 2017). */
  aji: number
  /** Panoptic quality: the mean IoU of the hits times `f1`. */
  pq: number
  /** Of objects: a hit has an IoU above one half. */
  f1: number
}
export interface Comparison extends Scores {
  truths: Record<TruthFate, number>
  objects: Record<ObjectFate, number>
  /** By label. */
  truthFates: ReadonlyMap<number, TruthFate>
  objectFates: ReadonlyMap<number, ObjectFate>
}

type Labels = readonly number[] | Uint8Array | Uint16Array | Int32Array

function areasOf(labels: Labels): Map<number, number> {
  const areas = new Map<number, number>()
  for (const label of labels) if (label !== 0) areas.set(label, (areas.get(label) ?? 0) + 1)
  return areas
}

interface Overlap {
  readonly truth: number
  readonly object: number
  readonly pixels: number
  readonly union: number
}

/** How many pixels have each pair of values that are not 0: by the first, then by the second. */
function pairsOf(first: Labels, second: Labels): Map<number, Map<number, number>> {
  const pairs = new Map<number, Map<number, number>>()
  for (let p = 0; p < first.length; ++p) {
    const a = first[p]!
    const b = second[p]!
    if (a === 0 || b === 0) continue
    let row = pairs.get(a)
    if (!row) pairs.set(a, (row = new Map<number, number>()))
    row.set(b, (row.get(b) ?? 0) + 1)
  }
  return pairs
}

function overlapsOf(
  truth: Labels,
  objects: Labels,
  truthAreas: Map<number, number>,
  objectAreas: Map<number, number>,
): Overlap[] {
  return [...pairsOf(truth, objects)].flatMap(([a, row]) =>
    [...row].map(([b, pixels]) => ({
      truth: a,
      object: b,
      pixels,
      union: truthAreas.get(a)! + objectAreas.get(b)! - pixels,
    })),
  )
}

/** Every truth takes the object of its best IoU (the larger label where two are equal), several may take the same; the rest counts against. */
function ajiOf(overlaps: readonly Overlap[], truthAreas: Map<number, number>, objectAreas: Map<number, number>): number {
  const best = new Map<number, Overlap>()
  for (const each of overlaps) {
    const old = best.get(each.truth)
    const [now, then] = old ? [each.pixels * old.union, old.pixels * each.union] : [1, 0]
    if (!old || now > then || (now === then && each.object > old.object)) best.set(each.truth, each)
  }
  const used = new Set<number>()
  let [inside, all] = [0, 0]
  for (const [label, area] of truthAreas) {
    const of = best.get(label)
    inside += of?.pixels ?? 0
    all += of?.union ?? area
    if (of) used.add(of.object)
  }
  for (const [label, area] of objectAreas) if (!used.has(label)) all += area
  return all > 0 ? inside / all : 1
}

/** The two fates follow from who covers more than half of whom; a hit is a hit whatever else lies there. */
function fatesOf(
  overlaps: readonly Overlap[],
  truthAreas: Map<number, number>,
  objectAreas: Map<number, number>,
): Pick<Comparison, 'truthFates' | 'objectFates'> {
  const truthFates = new Map<number, TruthFate>([...truthAreas.keys()].map((label) => [label, 'missed']))
  const objectFates = new Map<number, ObjectFate>([...objectAreas.keys()].map((label) => [label, 'false']))
  const pieces = new Map<number, number[]>()
  const covered = new Map<number, number[]>()
  const push = (map: Map<number, number[]>, key: number, value: number) => map.set(key, [...(map.get(key) ?? []), value])
  for (const { truth, object, pixels } of overlaps) {
    if (2 * pixels > objectAreas.get(object)!) push(pieces, truth, object)
    if (2 * pixels > truthAreas.get(truth)!) push(covered, object, truth)
  }
  for (const [object, truths] of covered) {
    if (truths.length < 2) continue
    objectFates.set(object, 'over')
    for (const truth of truths) truthFates.set(truth, 'merged')
  }
  for (const [truth, parts] of pieces) {
    if (parts.length < 2) continue
    truthFates.set(truth, 'split')
    for (const part of parts) objectFates.set(part, 'piece')
  }
  for (const { truth, object, pixels, union } of overlaps) {
    if (2 * pixels <= union) continue
    truthFates.set(truth, 'hit')
    objectFates.set(object, 'hit')
  }
  return { truthFates, objectFates }
}

const counted = <F extends string>(names: readonly F[], fates: ReadonlyMap<number, F>): Record<F, number> => {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<F, number>
  for (const fate of fates.values()) counts[fate] += 1
  return counts
}

/**
 * Two label images of one size, 0 = background; a label's pixels need not be connected. Of two empty images every score is 1. Time is linear in
 * the pixels.
 */
export function compare(truth: Labels, objects: Labels): Comparison {
  if (truth.length !== objects.length)
    throw new RangeError(`expected images of one size but received ${truth.length} and ${objects.length} px`)
  const truthAreas = areasOf(truth)
  const objectAreas = areasOf(objects)
  const overlaps = overlapsOf(truth, objects, truthAreas, objectAreas)
  const sum = (areas: Iterable<number>) => [...areas].reduce((total, area) => total + area, 0)
  const both = sum(overlaps.map(({ pixels }) => pixels))
  const pixels = sum(truthAreas.values()) + sum(objectAreas.values())
  const hits = overlaps.filter((each) => 2 * each.pixels > each.union)
  const count = truthAreas.size + objectAreas.size
  const fates = fatesOf(overlaps, truthAreas, objectAreas)
  return {
    dice: pixels > 0 ? (2 * both) / pixels : 1,
    aji: ajiOf(overlaps, truthAreas, objectAreas),
    pq: count > 0 ? (2 * sum(hits.map((each) => each.pixels / each.union))) / count : 1,
    f1: count > 0 ? (2 * hits.length) / count : 1,
    truths: counted(['hit', 'split', 'merged', 'missed'], fates.truthFates),
    objects: counted(['hit', 'piece', 'over', 'false'], fates.objectFates),
    ...fates,
  }
}

/**
 * The same for each class of the truth: its nuclei (a nucleus is of the class of most of its pixels; the smaller number where two are equal) against
 * the objects that overlap them more than nuclei of any other class. Objects that overlap none belong to no class, so they count in `compare` alone.
 */
export function compareByClass(truth: Labels, classes: Labels, objects: Labels): Map<number, Comparison> {
  const classOf = most(truth, classes)
  const classAt = Array.from({ length: truth.length }, (_, p) => (truth[p] === 0 ? 0 : (classOf.get(truth[p]!) ?? 0)))
  const objectClass = most(objects, classAt)
  const found = [...new Set(classOf.values())].sort((a, b) => a - b)
  return new Map(
    found.map((each) => [
      each,
      compare(
        Array.from(truth, (label) => (classOf.get(label) === each ? label : 0)),
        Array.from(objects, (label) => (objectClass.get(label) === each ? label : 0)),
      ),
    ]),
  )
}

/** By label the value other than 0 that most of its pixels have; labels without any are left out. */
function most(labels: Labels, values: Labels): Map<number, number> {
  return new Map(
    [...pairsOf(labels, values)].map(([label, row]) => [
      label,
      [...row].reduce((a, b) => (b[1] > a[1] || (b[1] === a[1] && b[0] < a[0]) ? b : a))[0],
    ]),
  )
}
