// run.json: what was done, to which slide, with which values, by what, and how long it took. Enough to do it again.
import type { ExportJob } from './exporter'
import type { OutputFile } from './outputSet'

export async function writeRunJson(job: ExportJob, out: OutputFile): Promise<void> {
  const { result, tools } = job
  const { status, slide } = result
  // A message may name the file with its folders, and those may name a patient.
  const anonymous = (text: string): string => (slide.path ? text.replaceAll(slide.path, slide.name) : text)
  const document = {
    format: 'morphoscope-run',
    version: 1,
    state: status.state,
    slide: {
      name: slide.name,
      sha256: await job.slideSha256(),
      widthPx: slide.widthPx,
      heightPx: slide.heightPx,
      vendor: slide.vendor,
      reader: slide.reader,
      readerVersion: slide.readerVersion,
      mppX: slide.mppX,
      mppY: slide.mppY,
      mppSource: slide.mppSource,
      objectivePower: slide.objectivePower,
    },
    /** Level-0 px. */
    region: status.region,
    resolution: {
      analysedMpp: status.analysedMpp,
      nominalMpp: status.nominalMpp,
      scale: result.scale,
      unit: status.analysedMpp === null ? 'px' : 'um',
    },
    recipe: result.recipe,
    recipeSpec: { id: result.spec.id, name: result.spec.name, version: result.spec.version, pipeline: result.spec.pipeline },
    /** What the native pipeline was given: px of the analysed image and grey levels. */
    resolved: result.resolved,
    counts: {
      objects: result.objects.length,
      tiles: status.tilesTotal,
      tilesDone: status.tilesDone,
      unreadableTiles: status.unreadableTiles,
    },
    unreadable: result.unreadable.map((part) => ({ ...part, reason: anonymous(part.reason) })),
    warnings: status.warnings.map(anonymous),
    error: status.error && { code: status.error.code, message: anonymous(status.error.message) },
    elapsedMs: status.elapsedMs,
    megapixelsPerSecond: status.megapixelsPerSecond,
    timings: status.timings,
    export: { simplifyPx: job.simplifyPx, stains: result.stainNames },
    versions: { ...tools.versions, platform: `${process.platform}-${process.arch}` },
  }
  job.signal.throwIfAborted()
  await out.append(`${JSON.stringify(document, null, 2)}\n`)
}
