// spatialdata.zarr: a run as the Python library spatialdata has it on disk: labels, shapes, points and a table that belong together.
import { plainText } from '../../base/plainText'
import { gradeOf } from '../../run/objects/objectClasses'
import { calibrationOf } from '../calibration'
import type { ExportJob } from '../exporter'
import type { OutputFolder } from '../output/outputSet'
import { writeAnnDataInto } from '../tables/anndata'
import { columnsOf } from '../tables/csv'
import { formattedObjects, uuidPrefix } from '../tables/objectText'
import { columnsIn, geoOf } from '../tables/parquet'
import { PlainParquet, textPage } from '../tables/plainParquet'
import { labelAttributes, writeLabelPyramid } from './labels'
import { ZarrStore } from './store'
import type { Attributes } from './store'
import { TreeInZarr } from './treeInZarr'

/** What the elements are called: no two alike, as the library wants it. */
const called = {
  shapes: 'objects',
  cells: 'cells',
  points: 'centres',
  labels: 'object_labels',
  cellLabels: 'cell_labels',
  table: 'table',
}
/** Of the work, in the order in which it is done. */
const shares = { labels: 0.4, cells: 0.2, outlines: 0.2, table: 0.2 }

export async function writeSpatialData(job: ExportJob, out: OutputFolder): Promise<void> {
  const store = new ZarrStore(out)
  const { objects, cellReach } = job.result
  const told = (from: number, share: number) => (fraction: number) => job.progress(from + share * fraction)
  await store.group('', rootAttributes(job))
  const labels = [called.labels, ...(cellReach > 0 ? [called.cellLabels] : [])]
  await store.group('labels', { labels })
  const attributes = (name: string) => inLibrary(job, labelAttributes(job, name))
  await writeLabelPyramid(job, store, `labels/${called.labels}`, attributes('Objects'), 0, told(0, shares.labels))
  if (cellReach > 0)
    await writeLabelPyramid(
      job,
      store,
      `labels/${called.cellLabels}`,
      attributes('Cells'),
      cellReach,
      told(shares.labels, shares.cells),
    )
  if (objects.length === 0) {
    // The library opens no empty shapes, and no table that belongs to none.
    job.warnings.push('There is no object: spatialdata.zarr has empty labels alone.')
    return
  }
  const before = shares.labels + shares.cells
  await writeOutlines({ ...job, progress: told(before, shares.outlines) }, store, out)
  await store.group('tables')
  const keys = { region: called.shapes, region_key: 'region', instance_key: 'id' }
  await writeAnnDataInto(
    { ...job, progress: told(before + shares.outlines, shares.table) },
    new TreeInZarr(store, `tables/${called.table}`),
    { region: called.shapes, attributes: { 'spatialdata-encoding-type': 'ngff:regions_table', ...keys, version: '0.1' } },
  )
}

function rootAttributes({ names, tools, corner, result }: ExportJob): Attributes {
  const { unit } = calibrationOf(result)
  return {
    spatialdata_attrs: { version: '0.1', spatialdata_software_version: `Morphoscope ${tools.versions.app}` },
    morphoscope: {
      version: tools.versions.app,
      slide: names.shown,
      run: names.clean(result.status.name),
      global_unit: unit === 'um' ? 'micrometer' : 'pixel',
      origin: corner ? 'bounds' : 'slide',
    },
  }
}

const axes = (order: string) => [...order].map((name) => ({ name, type: 'space', unit: 'unit' }))
const systems = (order: string) => ({ input: { name: order, axes: axes(order) }, output: { name: 'global', axes: axes(order) } })

/** Level-0 px to the system "global", which is in µm where the slide is calibrated. */
function scaled(job: ExportJob) {
  const { umPerPxX, umPerPxY } = calibrationOf(job.result)
  return { coordinateTransformations: [{ type: 'scale', scale: [umPerPxX ?? 1, umPerPxY ?? 1], ...systems('xy') }] }
}

/** The library places a level by the first one's shape, and the first by this. Px are counted from their corners here. */
function inLibrary(job: ExportJob, { multiscales, ...others }: Attributes): Attributes {
  const { umPerPxX, umPerPxY } = calibrationOf(job.result)
  const { region } = job.result.status
  const [perX, perY] = [umPerPxX ?? 1, umPerPxY ?? 1]
  const [x, y] = [region.x - (job.corner?.x ?? 0), region.y - (job.corner?.y ?? 0)]
  const affine = [
    [perY, 0, y * perY],
    [0, perX, x * perX],
  ]
  const [image] = multiscales as readonly [
    { readonly axes: readonly { readonly name: string }[]; readonly datasets: readonly { readonly path: string }[] },
  ]
  return {
    multiscales: [
      {
        ...image,
        axes: image.axes.map(({ name }) => ({ name, type: 'space' })),
        datasets: image.datasets.map(({ path }) => ({
          path,
          coordinateTransformations: [{ type: 'scale', scale: [2 ** Number(path), 2 ** Number(path)] }],
        })),
        coordinateTransformations: [{ type: 'affine', affine, ...systems('yx') }],
      },
    ],
    ...others,
    spatialdata_attrs: { version: '0.1' },
  }
}

/** Shapes and points at once, in the engine's pieces: what is held is one of these. */
async function writeOutlines(job: ExportJob, store: ZarrStore, out: OutputFolder): Promise<void> {
  const { result, tools } = job
  const { objects, scale, marks, classes } = result
  const withCells = result.cellsAt !== undefined
  const by = `Morphoscope ${tools.versions.app}`
  const known = (marks?.classAt ? marks.classes : classes?.classes)?.map(({ label }) => plainText(label))
  const shapesIn = async (name: string): Promise<PlainParquet> => {
    await store.group(`shapes/${name}`, element('ngff:shapes', '0.2', job))
    const file = await out.file(`shapes/${name}/shapes.parquet`)
    return new PlainParquet(
      file,
      by,
      [
        { name: 'id', type: 'INT32' },
        { name: 'geometry', type: 'BYTE_ARRAY' },
      ],
      {
        geo: JSON.stringify(geoOf(false)),
        pandas: JSON.stringify(indexedById(tools.versions.app)),
      },
    )
  }
  await store.group('shapes')
  const nuclei = await shapesIn(called.shapes)
  const cells = withCells ? await shapesIn(called.cells) : null
  await store.group('points')
  const keys = { instance_key: 'id', ...(known && { feature_key: 'class' }) }
  await store.group(`points/${called.points}`, element('ngff:points', '0.1', job, keys))
  const points = new PlainParquet(await out.file(`points/${called.points}/points.parquet/part.0.parquet`), by, [
    { name: 'x', type: 'DOUBLE' },
    { name: 'y', type: 'DOUBLE' },
    { name: 'id', type: 'INT32' },
    ...(known ? [{ name: 'class', type: 'BYTE_ARRAY' as const, text: true }] : []),
  ])
  const values = columnsOf(job).flatMap(([header, cell]) =>
    cell.source === 'value' && (/^centroid_._px$/.test(header) || cell.field === classes?.field) ? [cell] : [],
  )
  const format = {
    kind: 'columns' as const,
    uuidPrefix: uuidPrefix(job),
    scale,
    simplifyPx: job.simplifyPx / scale,
    ...(job.corner && { origin: job.corner }),
    values,
    cells: withCells,
  }
  for await (const piece of formattedObjects(job, format)) {
    const rows = piece.end - piece.begin
    const read = columnsIn(piece.bytes, rows, values.length, withCells)
    const page = (numbers: NodeJS.TypedArray) => [
      { rows, bytes: new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength) },
    ]
    const ids = page(Int32Array.from({ length: rows }, (_, i) => objects.numbers?.[piece.begin + i] ?? piece.begin + i + 1))
    const [x, y, judged] = read.values
    const codes = (): ArrayLike<number> =>
      marks?.classAt
        ? Array.from(objects.ids.subarray(piece.begin, piece.end), (id) => marks.classAt![id]!)
        : Array.from(judged!, (value) => gradeOf(classes!.limits, value))
    await points.group(rows, [page(x!), page(y!), ids, ...(known ? [[textPage(known, codes())]] : [])])
    await nuclei.group(rows, [ids, read.geometries])
    await cells?.group(rows, [ids, read.cells])
  }
  for (const each of [points, nuclei, cells]) await each?.finish()
}

const element = (type: string, version: string, job: ExportJob, keys: object = {}): Attributes => ({
  'encoding-type': type,
  axes: ['x', 'y'],
  ...scaled(job),
  spatialdata_attrs: { version, ...keys },
})

/** By which pandas makes the ids the rows' names, which the table goes by. */
function indexedById(version: string) {
  const column = (name: string, pandas: string, numpy: string) => ({
    name,
    field_name: name,
    pandas_type: pandas,
    numpy_type: numpy,
    metadata: null,
  })
  return {
    index_columns: ['id'],
    column_indexes: [],
    columns: [column('geometry', 'bytes', 'object'), column('id', 'int32', 'int32')],
    creator: { library: 'Morphoscope', version },
    pandas_version: '1.5.0',
  }
}
