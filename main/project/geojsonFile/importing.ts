// A GeoJSON file's regions taken into the document that is open: read and repaired while others are answered, then written as one step.
import type { AppEvent, ImportedRegions, Origin } from '../../../app/contract'
import { EngineError } from '../../base/errors'
import { Throttle } from '../../run/schedule/throttle'
import type { OpenSlide } from '../../slide/slides'
import { importInSteps } from './geojson'
import type { Projects } from '../projects'

/** The document is changed meanwhile: what it holds decides ids, classes and room, so the file is read again. */
const mostReadings = 3
const progressMs = 200
/** Of the time of an import, reading and repairing. */
const readShare = 0.45
/** Of each region, until it is written. */
const stepsEach = 8

/** `origin`: where the file's coordinates begin, if it does not say so itself. `signal` ends it until all of it is on the disk, and nothing has changed. Throws INVALID_PARAMETER, CancelledError. */
export async function importRegions(
  projects: Projects,
  text: string,
  slide: OpenSlide,
  signal: AbortSignal,
  emit: (event: AppEvent) => void,
  origin: Origin = 'slide',
): Promise<ImportedRegions> {
  const { slideId, bounds } = slide.info
  const corner = origin === 'bounds' ? bounds : null
  let fraction = 0
  const progress = new Throttle(progressMs, () => emit({ type: 'import:progress', slideId, fraction }))
  const onProgress = (done: number): void => {
    fraction = Math.max(0, Math.min(done, 0.99))
    progress.poke()
  }
  try {
    const key = await projects.keyOf(slide)
    for (let reading = 1; reading <= mostReadings; reading++) {
      const content = await projects.now((open) => open.content)
      const read = (done: number): void => onProgress(readShare * done)
      const { command, ...imported } = await importInSteps(text, key, content, signal, read, corner)
      signal.throwIfAborted()
      let written = 0
      const wrote = (): void => onProgress(readShare + ((1 - readShare) * ++written) / (stepsEach * imported.added))
      if (!command || (await projects.doOn(content, command, slide, { signal, each: wrote }))) return imported
    }
  } finally {
    progress.stop()
  }
  throw new EngineError(
    'INVALID_PARAMETER',
    'The project was changed again and again while the file was read. Nothing was imported: import it once the project rests.',
  )
}
