// Exports a run: every asked file, all of them or none.
import { isFolderFile, laserFiles, timingsCsv } from '../../app/contract'
import type { ExportFile, ExportResult, FolderFile } from '../../app/contract'
import { EngineError } from '../base/errors'
import type { RunResult } from '../run/objects/result'
import { namelessRun } from '../run/runNames'
import { writeCsv } from './tables/csv'
import type { Exporter, ExportJob, ExportRunRequest, ExportTools, SlideChecksum } from './exporter'
import { checkLaser } from './laser/marks'
import { makeOwnFolder, outputDirectory } from './output/folder'
import { writeGeoJson } from './tables/geojson'
import { Names, pseudonymOf } from './names'
import { OutputSet } from './output/outputSet'
import type { OutputFile, OutputFolder } from './output/outputSet'
import { writeOverlayPng } from './picture/overlayPng'
import { isTable, regionParts } from './tables/regionTables'
import { writeRunJson } from './runJson'
import { withSlide } from './picture/slidePixels'
import { checkTargets } from './output/targets'
import type { WrittenFiles } from './output/targets'

export type { ExportRunRequest, ExportTools } from './exporter'

/** Most commands write none of those that are imported where they are wanted, and do not wait for what it takes to be loaded. */
const exporters: Readonly<Record<Exclude<ExportFile, FolderFile>, Exporter>> = {
  'objects.geojson': writeGeoJson,
  'objects.csv': writeCsv,
  'objects.parquet': async (job, out) => (await import('./tables/parquet')).writeParquet(job, out),
  'objects.h5ad': async (job, out) => (await import('./tables/anndata')).writeAnnData(job, out),
  'bands.csv': async (job, out) => (await import('./tables/bandsCsv')).writeBandsCsv(job, out),
  'density.ome.tif': async (job, out) => (await import('./picture/densityTiff')).writeDensityTiff(job, out),
  'labels.ome.tif': async (job, out) => (await import('./picture/omeTiff')).writeOmeTiff(job, out),
  'shapes.lmd.xml': async (job, out) => (await import('./laser/lmdXml')).writeLmdXml(job, out),
  'shapes.palm.txt': async (job, out) => (await import('./laser/palmText')).writePalmText(job, out),
  'overlay.png': writeOverlayPng,
  'report.html': async (job, out) => (await import('./report/report')).writeReport(job, out),
  'report.pdf': async (job, out) => (await import('./report/pdf')).writeReportPdf(job, out),
  'timings.csv': async ({ result }, out) => void (await out.append(timingsCsv(result.status.timings))),
  'run.json': writeRunJson,
}
const folderExporters: Readonly<Record<FolderFile, (job: ExportJob, out: OutputFolder) => Promise<void>>> = {
  'labels.zarr': async (job, out) => (await import('./zarr/labels')).writeLabelsZarr(job, out),
  'spatialdata.zarr': async (job, out) => (await import('./zarr/spatialData')).writeSpatialData(job, out),
}
/** A folder that no longer answers keeps nobody waiting for its tidying. */
const tidyMs = 3000

const withoutChecksum: ReadonlySet<ExportFile> = new Set([
  ...['bands.csv', 'density.ome.tif', 'labels.ome.tif', 'labels.zarr', 'overlay.png', 'timings.csv'],
  ...laserFiles,
] as ExportFile[])

/**
 * Writes the files into `request.directory`, which is made if need be. They take their names when all of them are complete, so
 * a failure (OUTPUT_FAILED names the file and the reason) or an abort (rejects with the signal's reason) leaves the folder as it was.
 */
export async function exportRun(
  found: RunResult,
  request: ExportRunRequest,
  tools: ExportTools,
  onProgress: (file: ExportFile, fraction: number) => void,
  signal: AbortSignal,
): Promise<ExportResult> {
  signal.throwIfAborted()
  const result = request.deidentify ? namelessResult(found) : found
  // run.json comes last, also when they take their names.
  const asked = [...new Set(request.files)].sort((a, b) => Number(a === 'run.json') - Number(b === 'run.json'))
  const warnings: string[] = []
  const outputs = outputsOf(asked, result, request, warnings)
  const files = outputs.map(({ name }) => name)
  const { isSource } = tools
  const overwrite = request.overwrite ?? false
  checkLaser(asked, request.laser)
  if (asked.includes('report.pdf') && !tools.print)
    throw new EngineError(
      'INVALID_PARAMETER',
      'report.pdf is printed by the desktop app, and this program cannot print. Export report.html, open it in a browser and print it there.',
    )

  let set = await OutputSet.in(outputDirectory(request.directory), signal)
  try {
    warnings.push(...set.notes)
    // Before the slide is read through for its checksum.
    if (!request.ownFolder) {
      const left = await checkTargets({ directory: set.directory, files, overwrite, isSource }, signal)
      if (left.length > 0)
        warnings.push(`${left.join(', ')} in the folder ${left.length === 1 ? 'is' : 'are'} of an earlier export.`)
    }
    const needed = request.deidentify || asked.some((name) => !withoutChecksum.has(name))
    const checksum: SlideChecksum = needed ? await tools.sha256OfSlide(signal) : { sha256: null, reason: '' }
    if (needed && checksum.sha256 === null) warnings.push(`The files carry no checksum of the slide: ${checksum.reason}.`)
    const slideSeed = checksum.sha256 ?? tools.seed
    const names = new Names(result.slide, request.deidentify ? pseudonymOf(slideSeed) : null)
    // A report is for other eyes: it names the slide only where that was asked for.
    const reportNames = request.named ? names : new Names(result.slide, pseudonymOf(slideSeed))
    if (request.ownFolder) {
      const parent = set
      const own = await makeOwnFolder(parent.directory, names.plain, result.recipe.spec, signal)
      set = await OutputSet.in(own, signal, [own, ...parent.created])
      await parent.discard()
    }
    const { directory } = set
    await tools.onFolder?.(directory)

    const shared: ExportJob['shared'] = {}
    const made = new Map<string, OutputFile | OutputFolder>()
    /** In the order in which they were asked for, whichever was done first. */
    const done = () =>
      files.flatMap((name) => {
        const file = made.get(name)
        return file ? [{ name, file }] : []
      })
    const make = async (
      { name, file: kind, objects }: Output,
      signal: AbortSignal,
      report: (fraction: number) => void,
    ): Promise<void> => {
      report(0)
      const job: ExportJob = {
        result: objects ? { ...result, objects: objects() } : result,
        tools,
        simplifyPx: request.simplifyPx ?? 0,
        corner: request.origin === 'bounds' ? { x: result.slide.bounds.x, y: result.slide.bounds.y } : null,
        names,
        reportNames,
        regions: request.regions ?? [],
        objectRegions: request.objectRegions ?? null,
        hotSpot: request.hotSpot ?? null,
        spatial: request.spatial ?? [],
        spatialMeasures: request.spatialMeasures ?? null,
        bands: request.bands ?? null,
        map: request.map ?? null,
        looks: request.looks ?? null,
        laser: request.laser ?? null,
        checksum,
        slideSeed,
        written: Object.fromEntries(
          done().map(({ name, file: { bytes, sha256 } }): [string, WrittenFiles[string]] => [name, { bytes, sha256 }]),
        ),
        warnings,
        shared,
        progress: (fraction) => report(Math.min(Math.max(fraction, 0), 1)),
        signal,
      }
      if (isFolderFile(kind)) {
        const folder = await set.createFolder(name)
        await folderExporters[kind](job, folder)
        await folder.finish()
        signal.throwIfAborted()
        made.set(name, folder)
        return
      }
      const file = await set.create(name)
      // It is nothing but the slide's own pixels; the report goes without its pictures.
      const lost = kind === 'overlay.png' ? await withSlide(tools, () => exporters[kind](job, file)) : null
      if (lost !== null) {
        warnings.push(`overlay.png is left out: the slide’s file ${lost} since it was opened.`)
        await set.drop(file)
        return
      }
      if (kind !== 'overlay.png') await exporters[kind](job, file)
      await file.finish()
      signal.throwIfAborted()
      made.set(name, file)
    }
    // overlay.png is compressed by one thread for longer than most files take: it is made beside the others, of which one is told at a time.
    const besides = outputs.filter(({ file }) => file !== 'overlay.png' && file !== 'run.json')
    let others = besides.length > 0
    const madeOf = async (
      which: ExportFile,
      signal: AbortSignal,
      report = (fraction: number) => onProgress(which, fraction),
    ): Promise<void> => {
      for (const output of outputs) if (output.file === which) await make(output, signal, report)
    }
    await together(signal, [
      (signal) =>
        madeOf('overlay.png', signal, (fraction) => {
          if (!others || fraction === 0) onProgress('overlay.png', fraction)
        }),
      async (signal) => {
        for (const output of besides) await make(output, signal, (fraction) => onProgress(output.file, fraction))
        others = false
      },
    ])
    // The last: it names the others.
    await madeOf('run.json', signal)
    if (made.size === 0) throw new EngineError('SLIDE_CHANGED', `Nothing could be written: ${warnings.join(' ')}`)
    await set.commit()
    for (const { name, file } of outputs) if (made.has(name)) onProgress(file, 1)
    return {
      cancelled: false,
      directory,
      files: done().map(({ name, file }) => ({ name, path: file.path, bytes: file.bytes, sha256: file.sha256 })),
      warnings,
      slideName: names.shown,
    }
  } catch (error) {
    await Promise.race([set.discard(), new Promise((resolve) => setTimeout(resolve, tidyMs).unref())])
    throw error
  }
}

/** Without what people have typed: what they call the run, and the recipe. */
function namelessResult(found: RunResult): RunResult {
  const { status, recipe, spec } = found
  return { ...found, status: { ...status, name: namelessRun(status.name) }, recipe: { ...recipe, name: spec.name } }
}

/** A file of the set. */
interface Output {
  readonly name: string
  /** What writes it. */
  readonly file: ExportFile
  /** Of these alone; absent: of all that the run has. */
  readonly objects?: () => RunResult['objects']
}

/** Behind each table those of its regions, where they are asked for. */
function outputsOf(
  files: readonly ExportFile[],
  result: RunResult,
  { byRegion, objectRegions }: ExportRunRequest,
  warnings: string[],
): Output[] {
  const parts = byRegion ? regionParts(result, objectRegions ?? null, warnings) : []
  return files.flatMap((file): Output[] => [
    { name: file, file },
    ...(isTable(file) ? parts.map(({ stem, objects }) => ({ name: file.replace('.', `-${stem}.`), file, objects })) : []),
  ])
}

/** Runs all at once; where one fails the others are stopped, and nothing of them is left when this rejects with the first failure. */
async function together(signal: AbortSignal, works: readonly ((signal: AbortSignal) => Promise<void>)[]): Promise<void> {
  const stop = new AbortController()
  let first: { reason: unknown } | null = null
  await Promise.all(
    works.map(async (work) => {
      try {
        await work(AbortSignal.any([signal, stop.signal]))
      } catch (reason) {
        first ??= { reason }
        stop.abort(reason)
      }
    }),
  )
  if (first !== null) throw (first as { reason: unknown }).reason
}
