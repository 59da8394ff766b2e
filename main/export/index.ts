// Exports a run: every asked file, all of them or none.
import type { ExportFile, ExportResult } from '../../app/contract'
import type { RunResult } from '../run/result'
import { writeCsv } from './csv'
import type { Exporter, ExportJob, ExportRunRequest, ExportTools } from './exporter'
import { writeGeoJson } from './geojson'
import { writeOmeTiff } from './omeTiff'
import { OutputSet } from './outputSet'
import type { OutputFile } from './outputSet'
import { writeOverlayPng } from './overlayPng'
import { writeRunJson } from './runJson'

export type { ExportRunRequest, ExportTools } from './exporter'

const exporters: Readonly<Record<ExportFile, Exporter>> = {
  'objects.geojson': writeGeoJson,
  'objects.csv': writeCsv,
  'labels.ome.tif': writeOmeTiff,
  'overlay.png': writeOverlayPng,
  'run.json': writeRunJson,
}

/**
 * Writes the files into `request.directory`, which is made if need be. They take their names when all of them are complete, so
 * a failure (OUTPUT_FAILED names the file and the reason) or an abort (rejects with the signal's reason) leaves the folder as it was.
 */
export async function exportRun(
  result: RunResult,
  request: ExportRunRequest,
  tools: ExportTools,
  onProgress: (file: ExportFile, fraction: number) => void,
  signal: AbortSignal,
): Promise<ExportResult> {
  signal.throwIfAborted()
  let sha256: Promise<string> | undefined
  const set = await OutputSet.in(request.directory)
  try {
    const done: { name: ExportFile; file: OutputFile }[] = []
    for (const name of new Set(request.files)) {
      onProgress(name, 0)
      const file = await set.create(name)
      const job: ExportJob = {
        result,
        tools,
        simplifyPx: request.simplifyPx ?? 0,
        slideSha256: () => (sha256 ??= tools.sha256OfSlide()),
        progress: (fraction) => onProgress(name, Math.min(Math.max(fraction, 0), 1)),
        signal,
      }
      await exporters[name](job, file)
      await file.finish()
      signal.throwIfAborted()
      done.push({ name, file })
    }
    await set.commit()
    for (const { name } of done) onProgress(name, 1)
    return {
      cancelled: false,
      directory: set.directory,
      files: done.map(({ name, file }) => ({ name, path: file.path, bytes: file.bytes, sha256: file.sha256 })),
      warnings: [],
    }
  } catch (error) {
    await set.discard()
    throw error
  }
}
