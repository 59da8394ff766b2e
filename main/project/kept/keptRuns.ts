// Runs and the document: which run is held by it, what it says of their objects, and how held ones come back.
import type { AppEvent, CarriedCorrections, CohortSlide, ObjectChoice, ObjectEdit, ObjectRule } from '../../../app/contract'
import { mostSets, mostTogether } from '../../../app/contract'
import { EngineError, invalid, toAppError } from '../../base/errors'
import type { Log } from '../../base/log'
import { finished } from '../../base/breather'
import { boxOf, holderOf } from '../../base/shapes'
import type { SpecTable } from '../../recipe/specs'
import type { Means } from '../../run/request/order'
import type { Run } from '../../run/run'
import type { Runs } from '../../run/runs'
import type { OpenSlide } from '../../slide/slides'
import type { Tables } from '../../table/tables'
import { carriedTo, correctedRanks, fitsOf, madeRanks, placesOfUnfit, requireSameGrid } from '../objects/carry'
import { chosenOutlines } from '../objects/chosenOutlines'
import { classesBy, marksOf } from '../objects/classing'
import { resolved } from '../regions/combine'
import { noEdits, rankSetOf } from '../objects/edits'
import { aboutKept } from '../regions/regionResults'
import { classesOfMade, madeFitsOf } from '../objects/carryMade'
import { madeOf, objectsOf } from '../objects/made'
import { isStanding } from '../wholes/wholes'
import type { ObjectEdits } from '../objects/edits'
import type { Content } from '../document'
import { Restoring } from './restoring'
import type { Projects } from '../projects'

export interface KeptRunsTools {
  readonly runs: Runs
  readonly tables: Tables
  readonly specs: SpecTable
  readonly means: () => Promise<Means>
  /** What somebody has open. */
  readonly openSlides: () => readonly OpenSlide[]
  readonly program: string
  readonly emit: (event: AppEvent) => void
  readonly log: Log
}

const inParts = <T>(all: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, i) => all.slice(i * most, (i + 1) * most))

export class KeptRuns {
  readonly #tools: KeptRunsTools
  #projects: Projects | null = null
  /** What was last said of each run's objects. */
  readonly #said = new WeakMap<Run, { edits: ObjectEdits | undefined; classes: Content['classes'] }>()
  readonly #keeping = new WeakMap<Run, Promise<string>>()
  /** As the document had them when they were last looked through. */
  #runsThen: Content['runs'] | null = null

  /** How they come back. */
  readonly restoring: Restoring

  constructor(tools: KeptRunsTools) {
    this.#tools = tools
    this.restoring = new Restoring(
      tools,
      (run) => this.#keeping.get(run),
      () => this.sync(),
    )
  }

  /** Whose content it speaks of, once that is there. */
  attach(projects: Projects): void {
    this.#projects = projects
    this.sync()
  }

  /** Each run is as the document says now. Runs of a document that was left go with it, where they came from it. O(objects of what changed). */
  sync(): void {
    if (!this.#projects) return
    const { runs, edits, classes } = this.#projects.content
    const isThere = (id: string): boolean => runs.has(id) && isStanding(runs, runs.get(id)!)
    this.restoring.forget((id) => !isThere(id))
    for (const run of this.#tools.runs.all()) {
      if (run.keptId === null || !run.over) continue
      const isHeld = isThere(run.keptId)
      if (!isHeld && (run.order.kept || runs.has(run.keptId))) {
        this.#tools.runs.delete(run.runId)
        continue
      }
      const wanted = isHeld ? edits.get(run.keptId) : undefined
      const said = this.#said.get(run)
      if (!isHeld) run.keptId = null
      if (said?.edits === wanted && (said?.classes === classes || !wanted?.ids.length)) continue
      this.#said.set(run, { edits: wanted, classes })
      try {
        run.objects.setMade((wanted?.made ?? []).map((made) => objectsOf(made, run.draft.grid)))
        run.mark(marksOf(run, wanted, classes), wanted?.rule ?? null)
      } catch (error) {
        this.#tools.log({ level: 'error', message: `${run.runId}: ${toAppError(error).message}` })
      }
      this.#tools.tables.forget(run.runId)
    }
    if (runs === this.#runsThen) return
    this.#runsThen = runs
    this.restoring.bringBack(this.#projects)
  }

  /** The document holds its objects from now on. Throws INVALID_PARAMETER where it is not done, OUTPUT_FAILED. */
  keep(projects: Projects, run: Run): Promise<string> {
    if (run.keptId !== null) return Promise.resolve(run.keptId)
    let going = this.#keeping.get(run)
    if (!going) {
      going = this.#keep(projects, run).finally(() => this.#keeping.delete(run))
      this.#keeping.set(run, going)
    }
    return going
  }

  async #keep(projects: Projects, run: Run): Promise<string> {
    const { name, startedAt } = run.status()
    const { draft, objects } = run
    const about = { name, startedAt, recipeName: draft.spec.name, objects: objects.count, ...aboutKept(run) }
    const id = await projects.keep(about, run.draft.slide, (path) => run.keep(path, this.#tools.program))
    run.keptId = id
    // All that it was for lies in the project.
    await run.tileCommitter.dropJournal()
    this.#tools.emit({ type: 'run:progress', status: run.status() })
    await this.#standsFor(projects, run, id)
    return id
  }

  /** Once a run is done that a kept part was gone on with as, in this engine or one before: it is kept too, in place of its part. */
  async cameWhole(projects: Projects, run: Run): Promise<void> {
    await run.ended
    const { part } = run.order
    const { state, name } = run.status()
    if (part === undefined || state !== 'done' || !projects.content.runs.has(part)) return
    try {
      await this.keep(projects, run)
    } catch (error) {
      this.#tools.emit({
        type: 'runs:changed',
        message: `${name} is whole, but could not be kept in the project in place of its part: ${toAppError(error).message}`,
      })
    }
  }

  /** The part that it went on from goes, with what was corrected there carried over; a correction that fits nowhere keeps it. */
  async #standsFor(projects: Projects, whole: Run, id: string): Promise<void> {
    const { slide } = whole.draft
    const part = whole.order.part === undefined ? undefined : projects.content.runs.get(whole.order.part)
    if (!part?.cancelled || !isStanding(projects.content.runs, part)) return
    if (projects.content.edits.has(part.id)) {
      const from = await this.restoring.one(projects, part.id, slide)
      await from?.ended
      const lost = from ? await this.#lostOver(projects, from, whole) : 'its objects could not be read'
      if (lost !== null) {
        const message = `${part.name} stays beside ${whole.status().name}, which is the whole of it: ${lost.replace(/\.$/, '')}. Delete the one that you do not want: together they count twice.`
        return this.#tools.emit({ type: 'runs:changed', message })
      }
    }
    await projects.do({ type: 'runs:stand', run: part.id, whole: id }, slide)
  }

  /** Carries corrections over. Why the run that has them must stay, in words; null: all of them are there now. */
  async #lostOver(projects: Projects, from: Run, to: Run): Promise<string | null> {
    try {
      const { unfit, outside } = await this.carry(projects, from, to, never)
      return unfit + outside === 0 ? null : `${unfit + outside} of its corrections fit no object there`
    } catch (error) {
      const { code, message } = toAppError(error)
      // Corrections that were all taken back are none.
      return code === 'INVALID_PARAMETER' && message.startsWith('There are no corrections') ? null : message
    }
  }

  /** Of a run that is done. Throws INVALID_PARAMETER. O(objects). */
  async count(run: Run, choice: ObjectChoice, outlined: boolean): Promise<{ objects: number; outlines?: [number, number][][] }> {
    const mask = this.chosen(run, choice)
    return { objects: sizeOf(mask), ...(outlined && { outlines: await chosenOutlines(run, mask) }) }
  }

  /** One step of the document's history. Throws INVALID_PARAMETER where there is nothing to change. O(objects). */
  async edit(projects: Projects, run: Run, choice: ObjectChoice, edit: ObjectEdit): Promise<{ name: string; objects: number }> {
    const mask = this.chosen(run, choice)
    const objects = sizeOf(mask)
    if (objects === 0)
      throw new EngineError('INVALID_PARAMETER', 'There is no object to change: it was deleted, or none lies there.')
    const id = await this.keep(projects, run)
    const ranks = rankSetOf(mask)
    if (edit.type === 'classify') requireClass(projects.content, run, edit.classId)
    const { name } = await projects.do(
      edit.type === 'delete'
        ? { type: 'objects:delete', run: id, ranks }
        : { type: 'objects:classify', run: id, sets: [{ classId: edit.classId, ranks }] },
      run.draft.slide,
    )
    return { name, objects }
  }

  async rule(projects: Projects, run: Run, rule: ObjectRule | null): Promise<{ name: string }> {
    for (const column of rule ? columnsOf(rule) : []) this.#tools.tables.requireMeasured(run, column)
    // A command's run is in no document: its files alone have the classes.
    if (await projects.now(({ directory, folder }) => directory === null && folder === null)) return this.#ruleAlone(run, rule)
    const id = await this.keep(projects, run)
    return projects.do({ type: 'objects:rule', run: id, rule }, run.draft.slide)
  }

  /** What was done by hand to objects of one run, to those of another that are the same. Throws INVALID_PARAMETER. */
  async carry(projects: Projects, from: Run, to: Run, signal: AbortSignal): Promise<CarriedCorrections> {
    requireSameGrid(from, to)
    const { name } = from.status()
    const did = from.keptId === null ? undefined : projects.content.edits.get(from.keptId)
    const ranks = did ? correctedRanks(did) : []
    const made = did ? madeRanks(did) : []
    if (!did || (ranks.length === 0 && made.length === 0 && !did.rule))
      throw new EngineError('INVALID_PARAMETER', `There are no corrections on ${name} that could be carried over.`)
    const fits = await fitsOf(from, ranks, to, signal)
    const own = to.keptId === null ? undefined : projects.content.edits.get(to.keptId)
    const gone = new Set(fits.pairs.flatMap(([rank, like]) => (did.deleted[rank] === 1 ? [like] : [])))
    const madeFits = await madeFitsOf(from, did, to, own, gone, signal)
    const first = own?.deleted.length ?? to.objects.count
    const going = { ranks: [...gone], parts: [] }
    const remade = await madeOf(to, [...madeFits.remade.map(({ parts, of }) => ({ ranks: of, parts })), going], signal)
    const length = first + remade.reduce((sum, { objects }) => sum + objects, 0)
    const { deleted, classified, counts } = carriedTo(fits.pairs, did, own, length)
    const replaced = madeFits.remade.flatMap(({ of }) => of)
    for (const rank of replaced) deleted[rank] = 1
    const unfit = [...fits.unfit, ...madeFits.unfit]
    const rule = did.rule && !own?.rule && this.#hasColumns(to, did.rule) ? did.rule : null
    const report = {
      ...{ from: name, ...counts, made: length - first, rule: rule !== null },
      already: counts.already + madeFits.already.length,
      unfit: unfit.length,
      outside: fits.outside + madeFits.outside.length,
      places: placesOfUnfit(from, unfit, did),
    }
    if (counts.deleted === 0 && classified.size === 0 && remade.length === 0 && !rule) return { ...report, step: null }
    const run = await this.keep(projects, to)
    if ((projects.content.edits.get(run)?.deleted.length ?? first) !== first)
      throw new EngineError('INVALID_PARAMETER', 'The objects were changed meanwhile. Try again.')
    const classes = [...classified, ...classesOfMade(did, madeFits.remade, first, length)]
    const sets = classes.map(([classId, mask]) => ({ classId, ranks: rankSetOf(mask) }))
    const commands = [
      ...(rule ? [{ type: 'objects:rule' as const, run, rule }] : []),
      ...remade.map((each) => ({ type: 'objects:make' as const, run, made: each })),
      ...inParts(sets, mostSets).map((part) => ({ type: 'objects:classify' as const, run, sets: part })),
      ...(deleted.includes(1) ? [{ type: 'objects:delete' as const, run, ranks: rankSetOf(deleted) }] : []),
    ]
    const title = `Carry corrections over from ${name}`.slice(0, 200)
    let step: string | null = null
    for (const part of inParts(commands, mostTogether))
      step = (await projects.do({ type: 'together', name: title, commands: part }, to.draft.slide)).name
    return { ...report, step }
  }

  /**
   * The corrections of the slide's newest run before this one that has any, carried over to it where that is meant. What is of another
   * resolution fits nowhere. Throws OUTPUT_FAILED.
   */
  async carryNewest(projects: Projects, to: Run, isMeant: boolean): Promise<CohortSlide['corrections']> {
    const { slide } = to.draft
    const { edits } = projects.content
    const before = (await projects.runsOn(slide)).filter(({ id }) => id !== to.keptId)
    const corrected = (id: string): number => {
      const did = edits.get(id)
      return did ? correctedRanks(did).length + madeRanks(did).length : 0
    }
    const source = before.findLast(({ id }) => corrected(id) > 0)
    if (!source) return undefined
    const found = { from: source.name, objects: corrected(source.id) }
    if (!isMeant) return { ...found, carried: null, unfit: 0 }
    const from = await this.restoring.one(projects, source.id, slide)
    await from?.ended
    try {
      if (!from) throw new EngineError('NOT_FOUND', `The objects of ${source.name} are not there.`)
      const { deleted, classified, made, unfit, outside } = await this.carry(projects, from, to, never)
      return { ...found, carried: deleted + classified + made, unfit: unfit + outside }
    } catch (error) {
      const { code, message } = toAppError(error)
      if (code !== 'INVALID_PARAMETER' && code !== 'NOT_FOUND') throw error
      this.#tools.log({ level: 'warn', message: `${slide.info.name}: ${message}` })
      return { ...found, carried: 0, unfit: found.objects }
    }
  }

  #ruleAlone(run: Run, rule: ObjectRule | null): { name: string } {
    this.requireDone(run)
    const edits = rule && { ...noEdits({ objects: run.objects.count }), rule }
    run.mark(edits && marksOf(run, edits, []), rule)
    this.#tools.tables.forget(run.runId)
    return { name: 'Classes by limits' }
  }

  #hasColumns(run: Run, rule: ObjectRule): boolean {
    try {
      for (const column of columnsOf(rule)) this.#tools.tables.requireMeasured(run, column)
      return true
    } catch {
      return false
    }
  }

  /** Throws INVALID_PARAMETER. */
  requireDone(run: Run): void {
    if (!run.over) throw new EngineError('INVALID_PARAMETER', 'Objects can be changed when their run has ended.')
  }

  /** A 1 for each, by rank; of those that are deleted none. Throws INVALID_PARAMETER. */
  chosen(run: Run, choice: ObjectChoice): Uint8Array {
    const { objects } = run
    this.requireDone(run)
    const { ids } = objects.all()
    const mask = new Uint8Array(ids.length)
    if ('view' in choice) for (const rank of this.#tools.tables.ranksOf(run.runId, choice.view)) mask[rank] = 1
    else if ('ids' in choice) {
      for (const id of choice.ids) {
        if (id > ids.length) throw invalid(`the number of one of ${ids.length} objects`, 'ids', id)
        mask[id - 1] = 1
      }
    } else {
      const { scale } = run.draft.grid
      const { minX, minY, maxX, maxY } = boxOf(choice.shape)
      const { shape } = resolved(choice.shape)
      const holds = shape ? holderOf(shape) : () => false
      const inside = new Uint8Array(objects.endOfIds)
      const visiting = objects.centroids((x, y, _batch, _row, id) => {
        const [px, py] = [x * scale, y * scale]
        if (px >= minX && px < maxX && py >= minY && py < maxY && holds(px, py)) inside[id] = 1
      })
      finished(visiting)
      ids.forEach((id, rank) => (mask[rank] = inside[id]!))
    }
    const deleted = objects.marks?.deleted
    if (deleted) ids.forEach((id, rank) => deleted[id] === 1 && (mask[rank] = 0))
    return mask
  }
}

const never = new AbortController().signal

const columnsOf = ({ column, and = [] }: ObjectRule): string[] => [column, ...and.map((each) => each.column)]

const sizeOf = (mask: Uint8Array): number => mask.reduce((n, each) => n + each, 0)

function requireClass({ classes, runs, edits }: Content, run: Run, classId: string | null): void {
  if (classId === null) return
  const rule = run.keptId !== null && runs.has(run.keptId) ? edits.get(run.keptId)?.rule : null
  const own = run.draft.classes
  const known = [...(rule ? classesBy(run, rule) : (own?.classes ?? [])), ...classes].map(({ id }) => id)
  if (!known.includes(classId)) throw invalid(`one of ${known.join(', ')}`, 'classId', classId)
}
