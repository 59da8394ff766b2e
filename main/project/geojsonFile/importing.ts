// A GeoJSON file's regions taken into the document that is open: read and repaired while others are answered, then written as one step.
import type { AppEvent, ImportedRegions } from '../../../app/contract'
import { EngineError } from '../../base/errors'
import { Throttle } from '../../run/schedule/throttle'
import type { OpenSlide } from '../../slide/slides'
import { importInSteps } from '../geojson'
import type { Projects } from '../projects'

/** The document is changed meanwhile: what it holds decides ids, classes and room, so the file is read again. */
const mostReadings = 3
const progressMs = 200

/** `signal` ends it, and nothing has changed. Throws INVALID_PARAMETER, CancelledError. */
export async function importRegions(
  projects: Projects,
  text: string,
  slide: OpenSlide,
  signal: AbortSignal,
  emit: (event: AppEvent) => void,
): Promise<ImportedRegions> {
  const { slideId } = slide.info
  let fraction = 0
  const progress = new Throttle(progressMs, () => emit({ type: 'import:progress', slideId, fraction }))
  const onProgress = (done: number): void => {
    fraction = done
    progress.poke()
  }
  try {
    const key = await projects.keyOf(slide)
    for (let reading = 1; reading <= mostReadings; reading++) {
      const content = await projects.now((open) => open.content)
      const { command, ...imported } = await importInSteps(text, key, content, signal, onProgress)
      signal.throwIfAborted()
      if (!command || (await projects.doOn(content, command, slide))) return imported
    }
  } finally {
    progress.stop()
  }
  throw new EngineError(
    'INVALID_PARAMETER',
    'The project was changed again and again while the file was read. Nothing was imported: import it once the project rests.',
  )
}
