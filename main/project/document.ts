// What the document holds, and what a command makes of it: its inverse, its name and what has to be written. Pure: no disk, no events.
import type {
  DocumentCommand,
  KeptRun,
  Points,
  RegionClass,
  RegionChange,
  RegionOfInterest,
  SingleCommand,
} from '../../app/contract'
import { firstClasses, isArea, isPoints, mostClasses, mostPoints, mostRegions } from '../../app/contract'
import { finished, goingOver, ofEach } from '../base/breather'
import { EngineError, describe, invalid } from '../base/errors'
import { draftOf } from '../base/layeredMap'
import { changedRegion, count, nameOfChange } from './regions/change'
import { combined, resolved } from './regions/combine'
import { applyEdit, noEdits } from './objects/edits'
import type { ObjectCommand, ObjectEdits } from './objects/edits'
import { asAdded, topOf } from './regions/placed'
import type { Content, Placed, Written } from './content'
import { countingRegions } from './slides/perSlide'
import { brought, stood } from './wholes/wholes'

export type { Content, Placed, Written } from './content'
export const emptyContent: Content = { regions: new Map(), classes: firstClasses, runs: new Map(), edits: new Map() }

export interface Applied<C = DocumentCommand> {
  readonly next: Content
  /** What was done, in terms that say all: done again it comes to the same. */
  readonly forward: C
  readonly inverse: C
  /** "Delete 3 regions". */
  readonly name: string
  readonly written: Written
}

/** How the region is called in a sentence. */
export const regionName = ({ name }: RegionOfInterest): string => (name === '' ? 'the region' : `“${name}”`)

/** `asIs`: a step of history, which was checked when it was first done: what is locked by now was not then. Throws INVALID_PARAMETER. */
export function apply(content: Content, command: DocumentCommand, asIs = false): Applied {
  return finished(applying(content, command, asIs))
}

type Steps<T> = Generator<void, T, void>

/** The same in small steps: an import adds very many. */
export function* applying(content: Content, command: DocumentCommand, asIs = false): Steps<Applied> {
  const applied = yield* command.type === 'together' ? together(content, command, asIs) : applyOne(content, command, asIs)
  yield* countingRegions(applied.next.regions, applied.written)
  return applied
}

function* together(content: Content, command: Extract<DocumentCommand, { type: 'together' }>, asIs: boolean): Steps<Applied> {
  const { type, name, commands } = command
  let next = content
  const put = new Map<string, Placed>()
  const deleted = new Set<string>()
  let classes: Written['classes'] = null
  const edits = new Map<string, ObjectEdits>()
  const runs = new Map<string, KeptRun>()
  const done: Applied<SingleCommand>[] = []
  for (const each of commands) {
    const applied = yield* applyOne(next, each, asIs)
    next = applied.next
    yield* goingOver(applied.written.put, (placed) => put.set(placed.region.id, placed))
    yield* goingOver(applied.written.deleted, (id) => {
      deleted.add(id)
      put.delete(id)
    })
    classes = applied.written.classes ?? classes
    for (const [run, each] of applied.written.edits ?? []) edits.set(run, each)
    for (const run of applied.written.runs ?? []) runs.set(run.id, run)
    done.push(applied)
  }
  // With a result go the steps that are about it: what else such a step had done would be left, with no way back.
  const about = [...new Set([...edits.keys(), ...runs.keys()])]
  const isOne = about.length === 0 || (about.length === 1 && put.size === 0 && deleted.size === 0 && classes === null)
  if (!isOne && !asIs)
    throw new EngineError(
      'INVALID_PARAMETER',
      'One step can change the objects of one result, or regions and classes. Make a step of its own for each.',
    )
  return {
    next,
    forward: { type, name, commands: done.map(({ forward }) => forward) },
    inverse: { type, name, commands: done.map(({ inverse }) => inverse).reverse() },
    name,
    written: {
      put: [...put.values()],
      deleted: [...deleted],
      classes,
      edits,
      runs: [...runs.values()],
      ...(about.length === 1 && { run: about[0] }),
    },
  }
}

function* applyOne(content: Content, command: SingleCommand, asIs: boolean): Steps<Applied<SingleCommand>> {
  switch (command.type) {
    case 'regions:add':
      return yield* add(content, command, asIs)
    case 'regions:delete':
      return yield* remove(content, command, asIs)
    case 'regions:change':
      return yield* change(content, command.changes, asIs, nameOfChange(command.changes))
    case 'regions:combine':
      return yield* combine(content, command)
    case 'points:add':
      return addPoint(content, command, asIs)
    case 'points:remove':
      return yield* removePoint(content, command, asIs)
    case 'objects:delete':
    case 'objects:restore':
    case 'objects:classify':
    case 'objects:make':
    case 'objects:unmake':
    case 'objects:rule':
      return editObjects(content, command, asIs)
    case 'runs:stand':
    case 'runs:bring':
      return saidOfRun(content, command, asIs)
    case 'classes:set':
      return setClasses(content, command.classes)
  }
}

type OfRun = Extract<SingleCommand, { type: 'runs:stand' | 'runs:bring' }>
function saidOfRun(content: Content, command: OfRun, asIs: boolean): Applied<SingleCommand> {
  const { runs } = content
  const { run, ...applied } = command.type === 'runs:bring' ? brought(runs, command, asIs) : stood(runs, command, asIs)
  return {
    ...applied,
    next: { ...content, runs: new Map(content.runs).set(run.id, run) },
    written: { put: [], deleted: [], classes: null, runs: [run], run: run.id },
  }
}

function editObjects(content: Content, command: ObjectCommand, asIs: boolean): Applied<SingleCommand> {
  const run = content.runs.get(command.run)
  if (!run) throw invalid('the id of a run whose objects the document holds', 'run', command.run)
  const { edits, forward, inverse, name } = applyEdit(content.edits.get(run.id) ?? noEdits(run), command, content.classes, asIs)
  const changed = new Map([[run.id, edits]])
  return {
    next: { ...content, edits: new Map([...content.edits, ...changed]) },
    forward,
    inverse,
    name,
    written: { put: [], deleted: [], classes: null, edits: changed, run: run.id },
  }
}

function* add(
  content: Content,
  command: Extract<SingleCommand, { type: 'regions:add' }>,
  asIs: boolean,
): Steps<Applied<SingleCommand>> {
  const { regions, places } = command
  if (places && places.length !== regions.length) throw invalid(`${regions.length} numbers`, 'places', places)
  if (content.regions.size + regions.length > mostRegions)
    throw new EngineError('INVALID_PARAMETER', `The document can hold ${mostRegions.toLocaleString('en')} regions.`)
  const next = draftOf(content.regions)
  const top = places ? 0 : yield* topOf(content.regions)
  const known = new Set(content.classes.map(({ id }) => id))
  const put: Placed[] = []
  for (const [i, region] of regions.entries()) {
    if (next.has(region.id)) throw invalid('an id that no region has', 'regions.id', region.id)
    if (region.classId !== null && !known.has(region.classId)) requireClass(content, region.classId)
    const placed = { region: asIs ? region : { ...region, shape: drawable(region) }, place: places?.[i] ?? top + i + 1 }
    next.set(region.id, placed)
    put.push(placed)
    yield
  }
  return {
    next: { ...content, regions: yield* next.making() },
    forward: { type: 'regions:add', ...(yield* asAdded(put)) },
    inverse: { type: 'regions:delete', ids: yield* ofEach(regions, ({ id }) => id) },
    name: `${regions[0]!.madeBy === 'import' ? 'Import' : 'Add'} ${count(regions.length, 'region')}`,
    written: { put, deleted: [], classes: null },
  }
}

function* remove(
  content: Content,
  command: Extract<SingleCommand, { type: 'regions:delete' }>,
  asIs: boolean,
): Steps<Applied<SingleCommand>> {
  const ids: string[] = []
  const known = new Set<string>()
  const next = draftOf(content.regions)
  const gone: Placed[] = []
  for (const id of command.ids) {
    if (known.has(id)) continue
    known.add(id)
    ids.push(id)
    const placed = placedAt(content, id)
    if (!asIs) requireUnlocked(placed.region, 'deleted')
    next.delete(id)
    gone.push(placed)
    yield
  }
  return {
    next: { ...content, regions: yield* next.making() },
    forward: { type: 'regions:delete', ids },
    inverse: { type: 'regions:add', ...(yield* asAdded(gone)) },
    name: gone.length === 1 ? `Delete ${regionName(gone[0]!.region)}` : `Delete ${count(gone.length, 'region')}`,
    written: { put: [], deleted: ids, classes: null },
  }
}

function* change(content: Content, changes: readonly RegionChange[], asIs: boolean, name: string): Steps<Applied<SingleCommand>> {
  const next = draftOf(content.regions)
  const done: RegionChange[] = []
  const inverse: RegionChange[] = []
  const ids = new Set<string>()
  for (const wanted of changes) {
    const placed = next.get(wanted.id) ?? placedAt(content, wanted.id)
    const { region } = placed
    if (wanted.shape && !asIs && wanted.locked !== false) requireUnlocked(region, 'changed')
    if (wanted.classId !== undefined) requireClass(content, wanted.classId)
    const shape = wanted.shape && !asIs ? drawable({ ...region, shape: wanted.shape }) : wanted.shape
    const known: RegionChange = { ...wanted, ...(shape ? { shape } : {}) }
    done.push(known)
    const changed = changedRegion(region, known)
    inverse.push(changed.inverse)
    next.set(region.id, { ...placed, region: changed.region })
    ids.add(region.id)
    yield
  }
  return {
    next: { ...content, regions: yield* next.making() },
    forward: { type: 'regions:change', changes: done },
    // The last first: a region that stands twice comes back to what it was before.
    inverse: { type: 'regions:change', changes: inverse.reverse() },
    name,
    written: { put: yield* ofEach(ids, (id) => next.get(id)!), deleted: [], classes: null },
  }
}

function* combine(content: Content, command: Extract<SingleCommand, { type: 'regions:combine' }>): Steps<Applied<SingleCommand>> {
  const { region } = placedAt(content, command.id)
  requireUnlocked(region, 'changed')
  if (!isArea(region.shape))
    throw new EngineError(
      'INVALID_PARAMETER',
      `${upper(regionName(region))} is ${isPoints(region.shape) ? 'points, which have' : 'a line, which has'} no area to add to or cut out of.`,
    )
  const shape = combined(region.shape, command.how, command.shape)
  if (!shape)
    throw new EngineError('INVALID_PARAMETER', `Nothing of ${regionName(region)} would be left. Delete it if that is meant.`)
  const name = command.how === 'add' ? `Add to ${regionName(region)}` : `Cut out of ${regionName(region)}`
  return yield* change(content, [{ id: region.id, shape }], true, name)
}

type PointCommand = Extract<SingleCommand, { type: 'points:add' | 'points:remove' }>

/** One point more or less is a step of two small commands, however many there are. O(points). */
function pointed(content: Content, command: PointCommand, asIs: boolean): { placed: Placed; points: Points['points'] } {
  const placed = placedAt(content, command.id)
  if (!asIs) requireUnlocked(placed.region, 'changed')
  const { shape } = placed.region
  if (!isPoints(shape))
    throw new EngineError(
      'INVALID_PARAMETER',
      `${upper(regionName(placed.region))} is no points, but ${isArea(shape) ? 'an area' : 'a line'}.`,
    )
  return { placed, points: shape.points }
}

const withPoints = (
  content: Content,
  { region, place }: Placed,
  points: Points['points'],
): Pick<Applied<never>, 'next' | 'written'> => {
  const placed: Placed = { region: { ...region, shape: { kind: 'points', points } }, place }
  const regions = draftOf(content.regions)
  regions.set(region.id, placed)
  return {
    next: { ...content, regions: regions.made() },
    written: { put: [placed], deleted: [], classes: null },
  }
}

function addPoint(
  content: Content,
  command: Extract<SingleCommand, { type: 'points:add' }>,
  asIs: boolean,
): Applied<SingleCommand> {
  const { placed, points } = pointed(content, command, asIs)
  if (points.length >= mostPoints)
    throw new EngineError('INVALID_PARAMETER', `A region can hold ${mostPoints.toLocaleString('en')} points.`)
  const { id, point, at = points.length } = command
  if (at > points.length) throw invalid(`a place among ${points.length} points`, 'at', at)
  return {
    ...withPoints(content, placed, points.toSpliced(at, 0, point)),
    forward: { type: 'points:add', id, point, at },
    inverse: { type: 'points:remove', id, point, at },
    name: 'Add a point',
  }
}

function* removePoint(
  content: Content,
  command: Extract<SingleCommand, { type: 'points:remove' }>,
  asIs: boolean,
): Steps<Applied<SingleCommand>> {
  const { placed, points } = pointed(content, command, asIs)
  const { id, point, at } = command
  const there = points[at]
  if (there?.[0] !== point[0] || there[1] !== point[1]) throw new EngineError('NOT_FOUND', 'That point is not there any more.')
  const name = 'Delete a point'
  if (points.length === 1) return { ...(yield* remove(content, { type: 'regions:delete', ids: [id] }, asIs)), name }
  return {
    ...withPoints(content, placed, points.toSpliced(at, 1)),
    forward: { type: 'points:remove', id, point, at },
    inverse: { type: 'points:add', id, point, at },
    name,
  }
}

function setClasses(content: Content, classes: readonly RegionClass[]): Applied<SingleCommand> {
  if (classes.length > mostClasses)
    throw new EngineError(
      'INVALID_PARAMETER',
      `A project can hold ${mostClasses.toLocaleString('en')} classes, and these would be ${classes.length.toLocaleString('en')}. Nothing has changed; use fewer, and try again.`,
    )
  const ids = new Set(classes.map(({ id }) => id))
  if (ids.size !== classes.length) throw invalid('ids that differ', 'classes', classes)
  for (const { region } of content.regions.values()) {
    if (region.classId === null || ids.has(region.classId)) continue
    const { name } = content.classes.find(({ id }) => id === region.classId) ?? { name: region.classId }
    throw new EngineError('INVALID_PARAMETER', `The class ${name} is that of ${regionName(region)}: give that another first.`)
  }
  return {
    next: { ...content, classes },
    forward: { type: 'classes:set', classes: [...classes] },
    inverse: { type: 'classes:set', classes: [...content.classes] },
    name: 'Change the classes',
    written: { put: [], deleted: [], classes },
  }
}

/** The shape as it is kept: without crossings, which have no area that all agree on. */
function drawable(region: RegionOfInterest): RegionOfInterest['shape'] {
  if (!isArea(region.shape)) return region.shape
  const { shape } = resolved(region.shape)
  if (!shape) throw new EngineError('INVALID_PARAMETER', `The shape of ${regionName(region)} has no area.`)
  return shape
}

function placedAt(content: Content, id: string): Placed {
  const placed = content.regions.get(id)
  if (!placed) throw new EngineError('NOT_FOUND', `There is no region ${id} any more.`)
  return placed
}

function requireUnlocked(region: RegionOfInterest, what: string): void {
  if (region.locked)
    throw new EngineError('INVALID_PARAMETER', `${upper(regionName(region))} is locked, and cannot be ${what}. Unlock it first.`)
}

function requireClass({ classes }: Content, id: string | null): void {
  if (id !== null && !classes.some((each) => each.id === id))
    throw invalid(`one of ${classes.map((each) => each.id).join(', ')}`, 'classId', describe(id))
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
