// Any commands on any document: what each comes to is stored, read again, taken back, done again and saved as.
import * as fc from 'fast-check'
import { DocumentCommand } from '../../../app/contract'
import type { RegionShape } from '../../../app/contract'
import { EngineError } from '../../../main/base/errors'
import type { Content } from '../../../main/project/document'
import { rankSetOf } from '../../../main/project/objects/edits'
import { Model, regionIds, runIds, runOf, same, slideA, slideB, slideOf, told } from './documentModel'

const classIds = ['tumour', 'stroma', 'other', 'c-1', 'c-2', 'z'.repeat(40)] as const

// Texts and numbers of which each limit is one.
const isPlain = (text: string): boolean => !/\p{Cc}/u.test(text)
const text = (most: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(
      '',
      'A',
      "O'Hara; DROP",
      'é',
      '\ud800',
      'x\udc00y',
      '“”',
      '肿瘤'.repeat(most / 4),
      '😀'.repeat(most / 2),
      'n'.repeat(most),
    ),
    fc.string({ unit: 'binary', maxLength: 20 }).filter((each) => isPlain(each) && each.length <= most),
  )
const farthest = 2 ** 40
const coordinate = fc.oneof(
  fc.integer({ min: -50, max: 50 }),
  fc.constantFrom(farthest, -farthest, farthest - 2 ** -12, 0.1, 1e-300, 5e-324),
  fc.double({ min: -farthest, max: farthest, noNaN: true }),
)
const length = fc.oneof(
  fc.integer({ min: 1, max: 60 }),
  fc.constantFrom(5e-324, 1e-9, farthest),
  fc.double({ min: 1e-12, max: farthest, noNaN: true }),
)
const point = fc.tuple(coordinate, coordinate)
const ring = fc.array(point, { minLength: 3, maxLength: 7 })
const box = fc.record({ x: coordinate, y: coordinate, width: length, height: length })
const area: fc.Arbitrary<RegionShape> = fc.oneof(
  box.map((each) => ({ kind: 'rectangle' as const, ...each })),
  box.map((each) => ({ kind: 'ellipse' as const, ...each })),
  fc
    .array(fc.array(ring, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
    .map((parts) => ({ kind: 'polygon' as const, parts })),
)
const shape: fc.Arbitrary<RegionShape> = fc.oneof(
  area,
  fc.array(point, { minLength: 1, maxLength: 4 }).map((points) => ({ kind: 'points' as const, points })),
  fc.array(point, { minLength: 2, maxLength: 4 }).map((points) => ({ kind: 'line' as const, points })),
)
/** Chosen among what is there when its turn comes; at times what is not. */
const some = fc.nat(11)
const place = fc.oneof(fc.integer({ min: -5, max: 9 }), fc.constantFrom(0.5, 2 ** 52, -(2 ** 52), 2 ** 51))
const region = fc.record({
  ...{ slide: fc.constantFrom(slideA, slideB), name: text(200), class: some, locked: fc.boolean(), shape },
  createdAt: fc.constantFrom('2026-11-26T00:00:00.000Z', '2026-11-26T00:00:00.000000000Z'),
  madeBy: fc.constantFrom('hand' as const, 'import' as const, 'program' as const),
})
const classes = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom(...classIds),
    name: text(200).map((name) => name || 'C'),
    color: fc.constant('#00ff7f'),
  }),
  { selector: (each) => each.id, maxLength: 6 },
)
const limits = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => [one]),
  fc.constant([0.2, 0.4, 0.6]),
  fc.constant([5e-324]),
)
const rule = fc.option(fc.record({ column: fc.constantFrom('area' as const, 'circularity' as const), limits }), { nil: null })
const bits = fc.nat(2 ** 12 - 1)

type Make = (content: Content) => unknown
const at = <T>(all: readonly T[], n: number, other: T): T => (n === 11 || all.length === 0 ? other : all[n % all.length]!)
const idAt = ({ regions }: Content, n: number): string => at([...regions.keys()], n, regionIds[0]!)
const runAt = (n: number): string => at(runIds.slice(0, 2), n, runIds[2])
const classAt = (content: Content, n: number): string | null =>
  n > 7 && n < 11
    ? null
    : at(
        content.classes.map(({ id }) => id),
        n,
        'c-9',
      )
const ranksOf = ({ edits, runs }: Content, run: string, mask: number, n: number): string => {
  const objects = edits.get(run)?.deleted.length ?? runs.get(run)?.objects ?? 3
  return rankSetOf(Uint8Array.from({ length: n === 11 ? objects + 9 : objects }, (_, i) => (mask >> (i % 12)) & 1))
}
const withoutNothing = (each: object): object =>
  Object.fromEntries(Object.entries(each).filter(([, value]) => value !== undefined))
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined })

const single: fc.Arbitrary<Make> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.array(region, { minLength: 1, maxLength: 3 }), maybe(fc.array(place, { minLength: 3, maxLength: 3 })), some)
      .map(([regions, places, n]): Make => (content) => {
        const free = n === 11 ? regionIds : regionIds.filter((id) => !content.regions.has(id))
        const added = regions.map(({ class: c, ...each }, i) => ({
          ...each,
          id: free[i] ?? regionIds[i],
          classId: classAt(content, c),
        }))
        return withoutNothing({ type: 'regions:add', regions: added, places: places?.slice(0, n === 10 ? 1 : added.length) })
      }),
  },
  fc.array(some, { minLength: 1, maxLength: 3 }).map((ids): Make => (content) => ({
    type: 'regions:delete',
    ids: ids.map((n) => idAt(content, n)),
  })),
  {
    weight: 2,
    arbitrary: fc
      .array(
        fc.record({ id: some, name: maybe(text(200)), class: maybe(some), locked: maybe(fc.boolean()), shape: maybe(shape) }),
        {
          minLength: 1,
          maxLength: 3,
        },
      )
      .map((changes): Make => (content) => ({
        type: 'regions:change',
        changes: changes.map(({ id, class: c, ...each }) =>
          withoutNothing({ ...each, id: idAt(content, id), classId: c === undefined ? undefined : classAt(content, c) }),
        ),
      })),
  },
  fc.record({ id: some, how: fc.constantFrom('add', 'subtract'), shape: area }).map(({ id, how, shape }): Make => (content) => ({
    type: 'regions:combine',
    id: idAt(content, id),
    how,
    shape,
  })),
  fc.tuple(some, point, maybe(fc.nat(4))).map(([id, point, place]): Make => (content) => {
    const own = [...content.regions.values()]
      .filter(({ region }) => region.shape.kind === 'points')
      .map(({ region }) => region.id)
    return withoutNothing({ type: 'points:add', id: at(own, id, idAt(content, id)), point, at: place })
  }),
  fc.tuple(some, point).map(([n, point]): Make => (content) => {
    const own = [...content.regions.values()].flatMap(({ region: { id, shape } }) =>
      shape.kind === 'points' ? shape.points.map((point, at) => ({ id, point, at })) : [],
    )
    return { type: 'points:remove', ...at(own, n, { id: idAt(content, n), point, at: 0 }) }
  }),
  fc.tuple(some, bits, fc.constantFrom('objects:delete', 'objects:restore')).map(([n, mask, type]): Make => (content) => ({
    type,
    run: runAt(n),
    ranks: ranksOf(content, runAt(n), mask, n),
  })),
  {
    weight: 2,
    arbitrary: fc
      .tuple(some, fc.array(fc.tuple(some, bits), { minLength: 1, maxLength: 3 }))
      .map(([n, sets]): Make => (content) => ({
        type: 'objects:classify',
        run: runAt(n),
        sets: sets.map(([c, mask]) => ({ classId: classAt(content, c), ranks: ranksOf(content, runAt(n), mask, n) })),
      })),
  },
  fc
    .tuple(some, fc.constantFrom(1, 2, 9), fc.array(fc.nat(3), { maxLength: 3 }), fc.constantFrom('', 'AAAA'))
    .map(([n, objects, of, record]): Make => () => ({ type: 'objects:make', run: runAt(n), made: { objects, of, record } })),
  some.map((n): Make => () => ({ type: 'objects:unmake', run: runAt(n) })),
  fc.tuple(some, rule).map(([n, rule]): Make => () => ({ type: 'objects:rule', run: runAt(n), rule })),
  fc.tuple(some, fc.option(some, { nil: null })).map(([n, whole]): Make => () => ({
    type: 'runs:stand',
    run: runAt(n),
    whole: whole === null ? null : runAt(whole),
  })),
  fc.tuple(classes, fc.boolean()).map(([own, all]): Make => (content) => ({
    type: 'classes:set',
    classes: all ? [...content.classes.filter(({ id }) => !own.some((each) => each.id === id)), ...own] : own,
  })),
)

const command: fc.Arbitrary<Make> = fc.oneof(
  { weight: 8, arbitrary: single },
  {
    weight: 1,
    arbitrary: fc
      .tuple(text(200), fc.array(single, { minLength: 1, maxLength: 3 }))
      .map(([name, commands]): Make => (content) => ({
        type: 'together',
        name: name || 'T',
        commands: commands.map((make) => make(content)),
      })),
  },
)

export type Deed = 'undo' | 'redo' | 'reopen' | 'saveAs' | 'drop' | 'slide' | Make
export const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 3, arbitrary: command },
  { weight: 1, arbitrary: fc.constantFrom<Deed>('undo', 'undo', 'redo', 'reopen', 'saveAs', 'drop', 'slide') },
)

/** How often each command was taken, and each refused. */
export interface Tally {
  readonly taken: Map<string, number>
  readonly refused: Map<string, number>
}
const counts = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1)

/** One run: throws where what was taken cannot be stored, read again, taken back, done again or saved as. */
export const anyCommands = (tally: Tally): fc.IProperty<[number, Deed[]]> =>
  fc.property(fc.constantFrom(0, 1, 9), fc.array(deed, { minLength: 1, maxLength: 9 }), (objects, deeds) => {
    const model = new Model([runOf(runIds[0], objects), runOf(runIds[1], 3, true)])
    try {
      const begun = told(model.content)
      let dropped = false
      for (const each of deeds) {
        dropped ||= each === 'drop'
        one(model, each, tally)
      }
      const last = told(model.content)
      model.saveAs()
      let done = 0
      while (model.move(true)) done += 1
      if (!dropped) same(told(model.content), begun, 'all taken back')
      model.reopen()
      for (let i = 0; i < done; i++) model.move(false)
      same(told(model.content), last, 'all done again')
    } finally {
      model.db.close()
    }
  })

export function one(model: Model, deed: Deed, { taken, refused }: Tally): void {
  switch (deed) {
    case 'undo':
    case 'redo':
      return void model.move(deed === 'undo')
    case 'reopen':
      return model.reopen()
    case 'saveAs':
      return model.saveAs()
    case 'drop':
      return model.drop(runIds[1])
    case 'slide': {
      const slide = { ...slideOf(slideB), failure: { at: '', recipeName: 'R', message: '\ud800\u0000' } }
      model.store.putSlide(slide, ++model.revision)
      model.slides.set(slideB, slide)
      return
    }
    default: {
      const parsed = DocumentCommand.safeParse(deed(model.content))
      // The door refuses it.
      if (!parsed.success) return counts(refused, 'at the door')
      const before = told(model.content)
      try {
        model.take(parsed.data)
      } catch (error) {
        if (!(error instanceof EngineError) || !['INVALID_PARAMETER', 'NOT_FOUND'].includes(error.code)) throw error
        same(told(model.content), before, 'refused')
        return counts(refused, parsed.data.type)
      }
      counts(taken, parsed.data.type)
    }
  }
}
