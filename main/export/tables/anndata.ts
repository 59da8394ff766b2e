// objects.h5ad: the objects as AnnData 0.8 and later has them on disk, for scanpy and squidpy.
import { plainText } from '../../base/plainText'
import { distinct } from '../../slide/measuredChannels'
import { gradeOf } from '../../run/objects/objectClasses'
import { calibrationOf } from '../calibration'
import type { Calibration } from '../calibration'
import type { ExportJob } from '../exporter'
import { Hdf5File } from '../hdf5/hdf5File'
import type { OutputFile } from '../output/outputSet'
import { columnsOf } from './csv'
import type { About } from './csv'
import { formattedObjects, regionTexts, uuidPrefix } from './objectText'
import type { Piece } from './objectText'
import type { Attributes, Dataset, Group, Node, Rows, TreeFile } from './tree'

const encoded = (type: string, version = '0.2.0'): Attributes => ({ 'encoding-type': type, 'encoding-version': version })
const dict = (members: Group['members']): Group => ({ attributes: encoded('dict', '0.1.0'), members })
const rows = (data: Rows): Dataset => ({ attributes: encoded('array'), data })
const texts = (values: readonly string[]): Dataset => ({
  attributes: encoded('string-array'),
  data: { type: 'string', values },
})
const text = (values: string): Dataset => ({ attributes: encoded('string'), data: { type: 'string', values } })
const number = (values: number): Dataset => ({ attributes: encoded('numeric-scalar'), data: { type: 'float64', values } })

/** `index`: what stands in the place of row numbers. */
function dataframe(index: Dataset, columns: Group['members']): Group {
  const attributes = { ...encoded('dataframe'), _index: '_index', 'column-order': Object.keys(columns) }
  return { attributes, members: { _index: index, ...columns } }
}

/** One of a few texts for each object: numbers among `names`, which are distinct; below 0: none. */
class Categories {
  readonly names: readonly string[]
  readonly codes: Rows
  readonly #codeOf: (place: number) => number

  /** `name`: of the column of obs. */
  constructor(file: TreeFile, name: string, count: number, names: readonly string[], codeOf: (place: number) => number) {
    this.names = names
    this.codes = file.rows(`obs/${name}/codes`, names.length < 2 ** 7 ? 'int8' : names.length < 2 ** 15 ? 'int16' : 'int32', [
      count,
    ])
    this.#codeOf = codeOf
  }

  async append({ begin, end }: Piece): Promise<void> {
    const codes = { int8: Int8Array, int16: Int16Array, int32: Int32Array }[this.codes.type as 'int8' | 'int16' | 'int32']
    const some = new codes(end - begin)
    for (let i = 0; i < some.length; i++) some[i] = this.#codeOf(begin + i)
    await this.codes.append(bytesOf(some))
  }

  node(): Group {
    const members = { categories: texts(this.names), codes: rows(this.codes) }
    return { attributes: { ...encoded('categorical'), ordered: false }, members }
  }
}

/** Numbers of this machine are the file's: the least byte first. */
const bytesOf = ({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/**
 * X has the measurements of objects.csv, which say their unit and what they are of in `var`; `obs` has the rest, and obsm the centres. Objects come
 * in pieces and go to the file as they come: what is held is a piece and half a MiB a dataset.
 */
export async function writeAnnData(job: ExportJob, out: OutputFile): Promise<void> {
  await writeAnnDataInto(job, await Hdf5File.in(out))
}

/** Of a table that stands beside shapes: what these are called in its column "region", whose numbers are in "id", as SpatialData wants it. */
export interface Annotates {
  readonly region: string
  /** Of the root. */
  readonly attributes: Attributes
}

export async function writeAnnDataInto(job: ExportJob, file: TreeFile, annotates?: Annotates): Promise<void> {
  const { result } = job
  const { objects, scale } = result
  const count = objects.length
  const calibration = calibrationOf(result)
  const values = columnsOf(job).flatMap(([header, cell, about]) => (cell.source === 'value' ? [{ header, cell, about }] : []))
  const measured = values.flatMap((value, column) => (value.about ? [{ ...value, about: value.about, column }] : []))
  const places = values.flatMap((value, column) => (value.about ? [] : [{ ...value, column }]))
  const placeOf = (header: string): number => places.find((each) => each.header === header)!.column

  const index = file.texts('obs/_index', count)
  const id = file.rows('obs/id', 'int32', [count])
  const bounds = places.filter(({ header }) => header.startsWith('bounds_'))
  const boundRows = bounds.map(({ header }) => file.rows(`obs/${header}`, 'float64', [count]))
  const spatialPx = file.rows('obsm/spatial_px', 'float64', [count, 2])
  const spatial = file.rows('obsm/spatial', 'float64', [count, 2])
  const x = file.rows('X', 'float32', [count, measured.length])
  const classed = classesOf(job, file)
  const categories: Record<string, Categories> = {
    ...(classed && { class: classed.categories }),
    ...(objects.found < count && {
      made_by: new Categories(file, 'made_by', count, ['program', 'hand'], (place) => (place < objects.found ? 0 : 1)),
    }),
    ...regionsOf(job, file),
    ...(annotates && { region: new Categories(file, 'region', count, [annotates.region], () => 0) }),
  }

  const format = {
    kind: 'columns' as const,
    uuidPrefix: uuidPrefix(job),
    scale,
    simplifyPx: 0,
    ...(job.corner && { origin: job.corner }),
    values: values.map(({ cell }) => cell),
    cells: false,
  }
  for await (const piece of formattedObjects(job, format)) {
    job.signal.throwIfAborted()
    const some = piece.end - piece.begin
    const column = (at: number) => new Float64Array(piece.bytes.buffer, piece.bytes.byteOffset + 8 * at * some, some)
    const ids = Int32Array.from({ length: some }, (_, i) => objects.numbers?.[piece.begin + i] ?? piece.begin + i + 1)
    await id.append(bytesOf(ids))
    await index.append(Array.from(ids, String))
    for (const [i, { column: at }] of bounds.entries()) await boundRows[i]!.append(bytesOf(column(at)))
    const centres = [column(placeOf('centroid_x_px')), column(placeOf('centroid_y_px'))] as const
    await spatialPx.append(bytesOf(pairs(centres, 1, 1)))
    await spatial.append(bytesOf(pairs(centres, calibration.umPerPxX ?? 1, calibration.umPerPxY ?? 1)))
    const numbers = new Float32Array(some * measured.length)
    measured.forEach(({ column: from }, at) => {
      const own = column(from)
      for (let i = 0; i < some; i++) numbers[i * measured.length + at] = own[i]!
    })
    await x.append(bytesOf(numbers))
    classed?.see(column, piece)
    for (const each of Object.values(categories)) await each.append(piece)
  }

  const obs = {
    id: rows(id),
    ...Object.fromEntries(Object.entries(categories).map(([name, each]): [string, Node] => [name, each.node()])),
    ...Object.fromEntries(bounds.map(({ header }, i): [string, Node] => [header, rows(boundRows[i]!)])),
  }
  const about = (key: keyof About): Dataset => texts(measured.map((each) => plainText(each.about[key])))
  await file.finish({
    attributes: { ...encoded('anndata', '0.1.0'), ...annotates?.attributes },
    members: {
      X: rows(x),
      obs: dataframe(rowsOfTexts(index.rows), obs),
      var: dataframe(texts(distinct(measured.map(({ header }) => plainText(header)))), {
        name: about('title'),
        unit: about('unit'),
        channel: about('of'),
        kind: about('kind'),
      }),
      obsm: dict({ spatial: rows(spatial), spatial_px: rows(spatialPx) }),
      ...Object.fromEntries(['varm', 'obsp', 'varp', 'layers'].map((name) => [name, dict({})])),
      uns: dict({
        ...classed?.words,
        morphoscope: facts(job, calibration),
        ...(annotates && {
          spatialdata_attrs: dict({ region: text(annotates.region), region_key: text('region'), instance_key: text('id') }),
        }),
      }),
    },
  })
}

const rowsOfTexts = (data: Rows): Dataset => ({ attributes: encoded('string-array'), data })

function pairs([xs, ys]: readonly [Float64Array, Float64Array], timesX: number, timesY: number): Float64Array {
  const both = new Float64Array(2 * xs.length)
  for (let i = 0; i < xs.length; i++) {
    both[2 * i] = xs[i]! * timesX
    both[2 * i + 1] = ys[i]! * timesY
  }
  return both
}

/** As scanpy has categories with colours: `uns` names these by the column. null: the objects have no classes. */
function classesOf(job: ExportJob, file: TreeFile) {
  const { objects, classes: rule, marks } = job.result
  const known = marks?.classAt ? marks.classes : rule?.classes
  if (!known) return null
  const byRule = columnsOf(job)
    .filter(([, { source }]) => source === 'value')
    .findIndex(([, cell]) => cell.source === 'value' && cell.field === rule?.field)
  let piece: { readonly begin: number; readonly values: Float64Array } | null = null
  const codeOf = (place: number): number => {
    const at = marks?.classAt ? marks.classAt[objects.ids[place]!]! : gradeOf(rule!.limits, piece!.values[place - piece!.begin]!)
    return at < known.length ? at : -1
  }
  return {
    categories: new Categories(file, 'class', objects.length, distinct(known.map(({ label }) => plainText(label))), codeOf),
    /** What the rule goes by. */
    see: (column: (at: number) => Float64Array, { begin }: Piece): void => {
      if (!marks?.classAt) piece = { begin, values: column(byRule) }
    },
    words: {
      class_colors: texts(known.map(({ color }) => `#${Buffer.from(color).toString('hex')}`)),
      /** As objects.csv calls them. */
      class_ids: texts(known.map(({ id }) => id)),
    },
  }
}

/** Those that hold an object; of regions with one name the tables say that name. */
function regionsOf({ result: { objects }, objectRegions }: ExportJob, file: TreeFile): Record<string, Categories> {
  if (!objectRegions) return {}
  const said = regionTexts(objectRegions).map((names) => plainText(names))
  const names = [...new Set(said)].filter((name) => name !== '')
  const codeOfName = new Map(names.map((name, code) => [name, code]))
  const codes = Int32Array.from(said, (name) => codeOfName.get(name) ?? -1)
  const codeOf = (place: number): number => codes[objectRegions.at[objects.ids[place]!] ?? 0] ?? -1
  return { regions: new Categories(file, 'regions', objects.length, names, codeOf) }
}

/** Where the objects come from, and in which units they are told. */
function facts(job: ExportJob, { unit, umPerPxX, umPerPxY }: Calibration): Group {
  const { result, names, checksum, corner, tools } = job
  return dict({
    version: text(tools.versions.app),
    slide: text(names.shown),
    ...(checksum.sha256 !== null && { slide_sha256: text(checksum.sha256) }),
    run_id: text(result.status.runId),
    run_name: text(names.clean(result.status.name)),
    recipe: text(names.clean(JSON.stringify(result.recipe))),
    spatial_unit: text(unit),
    ...(umPerPxX !== null && umPerPxY !== null && { um_per_px_x: number(umPerPxX), um_per_px_y: number(umPerPxY) }),
    origin: text(corner ? 'bounds' : 'slide'),
    ...(corner && { origin_x_px: number(corner.x), origin_y_px: number(corner.y) }),
  })
}
