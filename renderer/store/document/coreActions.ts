// The cores of a tissue microarray: asked of the engine, kept as regions, and corrected; each is one step of the document.
import {
  coresOf,
  deleteLine,
  insertLine,
  keepCores,
  labelCores,
  labelsIn,
  markCores,
  mostLabelBytes,
  namingOf,
  renameCores,
  sizeOf,
  usualNaming,
  type CoreAxis,
  type CoreNaming,
  type CoreRegion,
  type CoreSearch,
  type DocumentCommand,
} from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { newId } from '../base/newId'
import { tell, tellError } from '../base/notify'
import { regionsOf, selectedRegions } from '../slices/projectSlice'
import { getState } from '../store'
import { act } from './projectActions'

const coresNow = (): CoreRegion[] => coresOf(regionsOf(getState().project))
const tools = () => ({ createdAt: new Date().toISOString(), newId })
const does = async (command: DocumentCommand | null): Promise<boolean> => command !== null && act(command)

/** What an array is called by now; as QuPath does it first where people gave other names. */
export const namingNow = (cores: readonly CoreRegion[]): CoreNaming => namingOf(cores, sizeOf(cores)) ?? usualNaming

export function arrayWords(cores: readonly { readonly missing: boolean }[], rows: number, columns: number): string {
  const missing = cores.filter((core) => core.missing).length
  return words.cores.size(rows, columns, cores.length - missing, missing)
}

/** Returns whether an array is there then. Taken back, nothing is kept. */
export async function findCores(asked: Omit<CoreSearch, 'slideId'>, naming: CoreNaming, signal: AbortSignal): Promise<boolean> {
  const slideId = getState().slide.info?.slideId
  if (slideId === undefined) return false
  const result = await api().call('slide:cores', { slideId, ...asked }, signal)
  const { project, slide } = getState()
  if (signal.aborted || slide.info?.slideId !== slideId) return false
  if (!result.ok) {
    if (result.error.code === 'NOT_FOUND' || result.error.code === 'INVALID_PARAMETER')
      tell(result.error.message, words.cores.about, 9000)
    else tellError(result.error, words.cores.about)
    return false
  }
  const key = project.doc?.slide
  if (!project.doc || !key) return false
  const found = result.value
  const regions = regionsOf(project)
  const { classes } = project.doc
  if (!(await act(keepCores(found, { naming, slide: key, classes, regions, ...tools() })))) return false
  const said = [
    words.cores.found(arrayWords(found.cores, found.rows, found.columns), found.diameterUm),
    ...(found.outside.length > 0 ? [words.cores.outside(found.outside.length)] : []),
    ...(found.unread === null ? [] : [words.cores.unread(found.unread)]),
  ]
  tell(said.join(' '), words.cores.about, 9000)
  return true
}

export const nameCores = (naming: CoreNaming): Promise<boolean> => does(renameCores(coresNow(), naming))

export async function markCore(id: string): Promise<void> {
  const core = coresNow().find((each) => each.id === id)
  if (core) await does(markCores([core], !core.core.missing))
}

/** '': nobody's. */
export async function labelCore(id: string, label: string): Promise<void> {
  const core = coresNow().find((each) => each.id === id)
  if (core) await does(labelCores([core], [{ at: core.core, name: core.name, label }]).command)
}

/** Those that are selected: where one of them is there, all are missing then. */
export async function markSelectedCores(): Promise<void> {
  const cores = coresOf(selectedRegions(getState().project))
  if (cores.length === 0) return tell(words.cores.selectFirst, words.cores.about)
  await does(
    markCores(
      cores,
      cores.some(({ core }) => !core.missing),
    ),
  )
}

export async function insertCores(axis: CoreAxis, at: number): Promise<void> {
  const cores = coresNow()
  await does(insertLine(cores, axis, at, namingNow(cores), tools()))
}

export async function deleteCores(axis: CoreAxis, at: number): Promise<void> {
  const cores = coresNow()
  await does(deleteLine(cores, axis, at, namingNow(cores)))
}

/** A stranger's file: what is wrong with it is said, and then nothing of it is kept. */
export async function labelFrom(file: File): Promise<void> {
  const refuse = (why: string): void => tell(words.cores.badFile(file.name, why), words.cores.about, 9000)
  if (file.size > mostLabelBytes) return refuse(words.cores.tooLarge(file.size))
  const text = await file.text()
  const cores = coresNow()
  const labels = labelsIn(text, sizeOf(cores), new Set(cores.map(({ name }) => name)))
  if (typeof labels === 'string') return refuse(labels)
  const { command, labelled, unknown } = labelCores(cores, labels)
  if (command && !(await act(command))) return
  const said = [
    words.cores.labelled(labelled, cores.length),
    ...(unknown.length > 0 ? [words.cores.unknown(unknown.slice(0, 5).join(', '), Math.max(0, unknown.length - 5))] : []),
  ]
  tell(said.join(' '), words.cores.about, 9000)
}
