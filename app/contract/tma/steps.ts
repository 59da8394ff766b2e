// The commands of the document that keep an array's cores as regions, and name, label and mark them: each is one step. Pure.
import { plain } from './labels'
import type { CoreLabels } from './labels'
import { coreName } from './naming'
import type { CoreNaming } from './naming'
import type { DocumentCommand } from '../records/command'
import type { CorePlace } from '../records/core'
import type { RegionChange, RegionOfInterest } from '../records/region'
import type { RegionClass } from '../records/regionClass'
import type { Shape } from '../records/shapes'
import { counted } from '../base/plural'
import type { FoundCores } from './found'

export type CoreRegion = RegionOfInterest & { readonly core: CorePlace }
export const isCore = (region: RegionOfInterest): region is CoreRegion => region.core !== undefined

/** Row by row. */
export const coresOf = (regions: readonly RegionOfInterest[]): CoreRegion[] =>
  regions.filter(isCore).sort((a, b) => a.core.row - b.core.row || a.core.column - b.core.column)

export const sizeOf = (cores: readonly CoreRegion[]): { rows: number; columns: number } => ({
  rows: 1 + Math.max(-1, ...cores.map(({ core }) => core.row)),
  columns: 1 + Math.max(-1, ...cores.map(({ core }) => core.column)),
})

/** The class of cores: QuPath's users know it by this name. */
export const coreClass: RegionClass = { id: 'tma-core', name: 'TMA core', color: '#0072b2' }

export const circle = (x: number, y: number, diameter: number): Shape => ({
  kind: 'ellipse',
  ...{ x: x - diameter / 2, y: y - diameter / 2, width: diameter, height: diameter },
})

interface Keeping {
  readonly naming: CoreNaming
  readonly slide: string
  /** Of the document; a class of cores is added where there is none. */
  readonly classes: readonly RegionClass[]
  /** Of the slide: an array that was found before goes, and its labels stay with their places. */
  readonly regions: readonly RegionOfInterest[]
  readonly createdAt: string
  readonly newId: () => string
}

/** What was found as regions, in one step. */
export function keepCores(found: FoundCores, { naming, slide, classes, regions, createdAt, newId }: Keeping): DocumentCommand {
  const known = classes.find(({ id, name }) => id === coreClass.id || name === coreClass.name)
  const before = coresOf(regions)
  const labels = new Map(before.map(({ core }) => [`${core.row},${core.column}`, core.label]))
  const added = found.cores.map(({ row, column, x, y, missing }): RegionOfInterest => ({
    ...{ id: newId(), slide, name: coreName({ row, column }, found, naming), classId: (known ?? coreClass).id },
    ...{ locked: false, shape: circle(x, y, found.diameterPx), createdAt, madeBy: 'program' },
    core: { row, column, missing, label: labels.get(`${row},${column}`) ?? '' },
  }))
  return {
    type: 'together',
    name: `Find ${counted(added.length, 'TMA core')}`,
    commands: [
      ...(known ? [] : [{ type: 'classes:set' as const, classes: [...classes, coreClass] }]),
      ...(before.length > 0 ? [{ type: 'regions:delete' as const, ids: before.map(({ id }) => id) }] : []),
      { type: 'regions:add', regions: added },
    ],
  }
}

/** null: nothing would change. */
export function changeCores(name: string, changes: readonly RegionChange[]): DocumentCommand | null {
  return changes.length === 0 ? null : { type: 'together', name, commands: [{ type: 'regions:change', changes: [...changes] }] }
}

export const markCores = (cores: readonly CoreRegion[], missing: boolean): DocumentCommand | null => {
  const changes = cores.flatMap(({ id, core }) => (core.missing === missing ? [] : [{ id, core: { ...core, missing } }]))
  return changeCores(`Mark ${counted(changes.length, 'core')} as ${missing ? 'missing' : 'there'}`, changes)
}

export const renameCores = (cores: readonly CoreRegion[], naming: CoreNaming): DocumentCommand | null => {
  const size = sizeOf(cores)
  const changes = cores.flatMap(({ id, name, core }) => {
    const next = coreName(core, size, naming)
    return next === name ? [] : [{ id, name: next }]
  })
  return changeCores(`Name ${counted(changes.length, 'core')}`, changes)
}

/** What a list of cases says of cores. `unknown`: names that no core has. */
export function labelCores(
  cores: readonly CoreRegion[],
  labels: CoreLabels,
): { command: DocumentCommand | null; labelled: number; unknown: string[] } {
  const byPlace = new Map(cores.map((each) => [`${each.core.row},${each.core.column}`, each]))
  const byName = new Map(cores.map((each) => [plain(each.name), each]))
  const changes = new Map<string, RegionChange>()
  const unknown: string[] = []
  let labelled = 0
  for (const { at, name, label } of labels) {
    const known = at ? byPlace.get(`${at.row},${at.column}`) : byName.get(plain(name))
    if (!known) {
      unknown.push(name)
      continue
    }
    labelled += 1
    if (known.core.label === label) changes.delete(known.id)
    else changes.set(known.id, { id: known.id, core: { ...known.core, label } })
  }
  return { command: changeCores(`Label ${counted(changes.size, 'core')}`, [...changes.values()]), labelled, unknown }
}
