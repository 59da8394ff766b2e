// labels.zarr: the ids of the objects, and of their cells, as label images of OME-Zarr 0.4, tile by tile from the objects' runs.
import { plainText } from '../../base/plainText'
import { calibrationOf } from '../calibration'
import type { ExportJob } from '../exporter'
import type { OutputFolder } from '../output/outputSet'
import { LabelPainter, labelLevels } from '../picture/labelPainter'
import type { LabelLevel } from '../picture/labelPainter'
import { ZarrStore } from './store'
import type { Attributes } from './store'

/** Of a side: 4 MiB before it is packed. A slide of 100,000² px has 9,604 such chunks, and those without objects have no file. */
const chunkPx = 1024
/** Chunks that are painted and packed at once, where there are not more threads: bounds the memory, some 8 MiB each. */
const chunksInFlight = 4

/** The root is the image of nuclei; where the run has cells, theirs lies below it as OME-Zarr has labels of an image. */
export async function writeLabelsZarr(job: ExportJob, out: OutputFolder): Promise<void> {
  const store = new ZarrStore(out)
  const withCells = job.result.cellReach > 0
  const told = (from: number, share: number) => (fraction: number) => job.progress(from + share * fraction)
  await writeLabelPyramid(job, store, '', labelAttributes(job, 'Objects'), 0, told(0, withCells ? 0.5 : 1))
  if (!withCells) return
  await store.group('labels', { labels: ['cells'] })
  const reach = job.result.cellReach
  await writeLabelPyramid(job, store, 'labels/cells', labelAttributes(job, 'Cells'), reach, told(0.5, 0.5))
}

/**
 * Uint32, 0 = none; levels are halves by nearest neighbour, so ids never mix. `cellReach`: as the painter has it. Chunks of zeros have no file.
 */
export async function writeLabelPyramid(
  job: ExportJob,
  store: ZarrStore,
  path: string,
  attributes: Attributes,
  cellReach: number,
  told: (fraction: number) => void,
): Promise<void> {
  const { result, tools, signal } = job
  const { region } = result.status
  await store.group(path, attributes)
  const levels = labelLevels(region, chunkPx)
  const at = (level: LabelLevel): string => (path === '' ? `${level.k}` : `${path}/${level.k}`)
  for (const level of levels)
    await store.array(at(level), { shape: [level.height, level.width], chunks: [chunkPx, chunkPx], dtype: '<u4' })
  const painter = new LabelPainter(result.objects, region, result.scale, cellReach)
  const count = levels.reduce((sum, { width, height }) => sum + across(width) * across(height), 0)
  const places = placesOf(levels)
  let done = 0
  const work = async (): Promise<void> => {
    const tile = new Int32Array(chunkPx * chunkPx)
    for (const { level, x, y } of places) {
      signal.throwIfAborted()
      if (await painter.paint(level, x, y, chunkPx, tile, signal)) {
        await store.chunk(at(level), [y, x], new Uint8Array(tile.buffer))
        tile.fill(0)
      }
      if (++done % 16 === 0 || done === count) told(done / count)
    }
  }
  // One that fails ends the others; nothing of it is left when this rejects.
  const workers = Array.from({ length: Math.max(chunksInFlight, tools.threads) }, () =>
    work().catch((error: unknown) => {
      places.return()
      throw error
    }),
  )
  for (const ended of await Promise.allSettled(workers)) if (ended.status === 'rejected') throw ended.reason
}

const across = (px: number): number => Math.ceil(px / chunkPx)

function* placesOf(levels: readonly LabelLevel[]): Generator<{ level: LabelLevel; x: number; y: number }, void, void> {
  for (const level of levels)
    for (let y = 0; y < across(level.height); y++) for (let x = 0; x < across(level.width); x++) yield { level, x, y }
}

/** `placed`: where the first px lies is told in µm from where coordinates begin, and by places of px' middles, as NGFF has them. */
export function labelAttributes(job: ExportJob, what: string): Attributes {
  const { result, names, corner, tools } = job
  const { region } = result.status
  const { umPerPxX, umPerPxY } = calibrationOf(result)
  const calibrated = umPerPxX !== null && umPerPxY !== null
  const [perX, perY] = [umPerPxX ?? 1, umPerPxY ?? 1]
  const axis = (name: string) => ({ name, type: 'space', ...(calibrated && { unit: 'micrometer' }) })
  const datasets = labelLevels(region, chunkPx).map(({ k }) => {
    const middle = (2 ** k - 1) / 2
    const translation = [(region.y - (corner?.y ?? 0) + middle) * perY, (region.x - (corner?.x ?? 0) + middle) * perX]
    return {
      path: String(k),
      coordinateTransformations: [
        { type: 'scale', scale: [2 ** k * perY, 2 ** k * perX] },
        { type: 'translation', translation },
      ],
    }
  })
  const name = `${what} of ${plainText(names.shown)}`
  return {
    multiscales: [{ version: '0.4', name, axes: [axis('y'), axis('x')], datasets, type: 'nearest' }],
    'image-label': { version: '0.4' },
    /** Level-0 px of the slide, whatever the translation counts from: a later import asks nobody. */
    morphoscope: { version: tools.versions.app, x: region.x, y: region.y, origin: corner ? 'bounds' : 'slide' },
  }
}
