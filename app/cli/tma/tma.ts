// `morphoscope tma`: the cores of a tissue microarray, as a list, and kept as regions of a project.
import { randomUUID } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { Engine } from '../../../main/engine'
import { coreName, coresOf, csvRows, keepCores, labelCores, labelsIn, mostLabelBytes } from '../../contract'
import type { CoreNaming, CoreSigns, CoreCorner, CoreSearch, FoundCores } from '../../contract'
import { CliError, ExitCode, valueOf } from '../exitCodes'
import { openSlide } from '../info'
import { openedOrMade, stateOf } from '../project/projectSlides'
import { table } from '../terminal'
import type { Terminal } from '../terminal'

export interface TmaOptions {
  readonly mpp?: number
  readonly diameter?: number
  readonly rows?: number
  readonly columns?: number
  readonly rowNames: CoreSigns
  readonly columnNames: CoreSigns
  readonly first: CoreCorner
  /** Kept there. */
  readonly project?: string
  /** A CSV of cases. */
  readonly labels?: string
  readonly json?: boolean
  readonly csv?: boolean
}

export async function tma(
  engine: Engine,
  terminal: Terminal,
  path: string,
  options: TmaOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { mpp, diameter: diameterUm, rows, columns, project, labels } = options
  if (labels !== undefined && project === undefined)
    throw new CliError(ExitCode.usage, 'expected --project with --labels: labels are kept with the cores')
  const text = labels === undefined ? null : await labelText(labels)
  if (project !== undefined) await openedOrMade(engine, project)
  const { slideId } = await openSlide(engine, path)
  const naming = { rows: options.rowNames, columns: options.columnNames, first: options.first }
  const asked: CoreSearch = {
    slideId,
    ...(mpp !== undefined && { mpp }),
    ...(diameterUm !== undefined && { diameterUm }),
    ...(rows !== undefined && { rows }),
    ...(columns !== undefined && { columns }),
  }
  const found = await engine.invoke('slide:cores', asked, signal)
  if (found.unread !== null) terminal.note(`Some of the slide could not be read, and counts as glass: ${found.unread}`)
  if (found.outside.length > 0)
    terminal.note(
      `Outside the array, and left out: ${found.outside.map(({ x, y }) => `${x.toFixed(0)}, ${y.toFixed(0)} px`).join('; ')}`,
    )
  const labelOf =
    project === undefined ? new Map<string, string>() : await keep(engine, terminal, slideId, found, naming, labels, text)
  const lines = found.cores.map((core) => {
    const name = coreName(core, found, naming)
    return { name, ...core, label: labelOf.get(`${core.row},${core.column}`) ?? '' }
  })
  if (options.json) {
    const cores = lines.map(({ row, column, ...core }) => ({ ...core, row: row + 1, column: column + 1 }))
    terminal.print(JSON.stringify({ ...found, cores }, null, 2))
  } else if (options.csv) terminal.print(csvRows([coreListHeader, ...lines.map(cellsOf)]).trimEnd())
  else {
    const missing = found.cores.filter((core) => core.missing).length
    terminal.print(
      `${found.rows} rows × ${found.columns} columns: ${found.cores.length - missing} cores, ${missing} missing; ${found.diameterUm} µm across, turned by ${found.rotation}°`,
    )
    terminal.print(table([textHeader, ...lines.map((line) => cellsOf(line).map(String))]))
  }
  return found.unread === null ? ExitCode.ok : ExitCode.partial

  function cellsOf({ name, row, column, x, y, missing, label }: (typeof lines)[number]): (string | number)[] {
    return [name, row + 1, column + 1, x, y, found.diameterPx, missing ? 'missing' : 'found', label]
  }
}

export const coreListHeader = ['core', 'row', 'column', 'x_px', 'y_px', 'diameter_px', 'state', 'case_label']
const textHeader = ['core', 'row', 'column', 'x px', 'y px', 'diameter px', 'state', 'case']

/** As one step of history, and the labels as another. By places what they are labelled. */
async function keep(
  engine: Engine,
  terminal: Terminal,
  slideId: string,
  found: FoundCores,
  naming: CoreNaming,
  file: string | undefined,
  text: string | null,
): Promise<Map<string, string>> {
  await engine.invoke('project:add', { slideId })
  const state = await stateOf(engine, slideId)
  const tools = { createdAt: new Date().toISOString(), newId: randomUUID }
  const { classes, regions, slide } = state
  await engine.invoke('project:do', { slideId, command: keepCores(found, { naming, slide: slide!, classes, regions, ...tools }) })
  if (text !== null) {
    const cores = coresOf((await stateOf(engine, slideId)).regions)
    const labels = labelsIn(text, found, new Set(cores.map(({ name }) => name)))
    if (typeof labels === 'string')
      throw new CliError(ExitCode.badSlide, `${file}: ${labels}. The cores are kept, without labels.`)
    const { command, labelled, unknown } = labelCores(cores, labels)
    if (unknown.length > 0)
      terminal.note(`${file}: no core is called ${unknown.slice(0, 10).join(', ')}${unknown.length > 10 ? ' …' : ''}`)
    if (command) valueOf(await engine.call('project:do', { slideId, command }))
    terminal.note(`${file}: ${labelled} of ${cores.length} cores have their label`)
  }
  const after = coresOf((await stateOf(engine, slideId)).regions)
  return new Map(after.map(({ core }) => [`${core.row},${core.column}`, core.label]))
}

async function labelText(path: string): Promise<string> {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) throw new CliError(ExitCode.usage, `expected a CSV file for --labels but received ${path}`)
  if (found.size > mostLabelBytes)
    throw new CliError(ExitCode.badSlide, `${path} has ${found.size} bytes: a list of labels has at most ${mostLabelBytes}.`)
  return readFile(path, 'utf8')
}
