// run.json: what was done, to which slide, with which values, by what, and how long it took. Enough to do it again.
import type { ExportJob } from './exporter'
import type { OutputFile } from './outputSet'
import { sealed } from './targets'

export async function writeRunJson(job: ExportJob, out: OutputFile): Promise<void> {
  const { result, tools } = job
  const { status, slide } = result
  // A message may name files with their folders, and those may name a patient.
  const clean = (text: string): string => job.names.clean(text)
  const document = {
    format: 'morphoscope-run',
    version: 1,
    state: status.state,
    slide: {
      name: job.names.shown,
      /** null, with the reason, where the file's bytes are no longer those that were opened. */
      ...job.checksum,
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
      /** Objects that reach the rim of the window that they were computed in, and may be cut there. */
      cutObjects: status.cutObjects,
    },
    /** How much of what was computed no pixel beyond its window could change; see the contract. */
    certainty: status.certainty,
    unreadable: result.unreadable.map((part) => ({ ...part, reason: clean(part.reason) })),
    warnings: [...status.warnings, ...job.warnings].map(clean),
    error: status.error && { code: status.error.code, message: clean(status.error.message) },
    /** What the run was given and said to need, and the most that the whole process had held by its end. */
    memory: result.memory,
    elapsedMs: status.elapsedMs,
    megapixelsPerSecond: status.megapixelsPerSecond,
    timings: status.timings,
    export: { simplifyPx: job.simplifyPx, stains: result.stainNames },
    versions: { ...tools.versions, platform: `${process.platform}-${process.arch}` },
    /** Of the files that were written with this one: only while they are as here may a later export replace them unasked. */
    files: job.written,
    recordSha256: '',
  }
  job.signal.throwIfAborted()
  await out.append(sealed(`${JSON.stringify(document, null, 2)}\n`))
}
