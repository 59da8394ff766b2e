// A file that a person chose or dropped: annotations of GeoJSON become regions, its detections and cells, or the labels of an image, a result, which is shown.
import { formBytes, imageFormOf, isNamedTable, isParquet } from '../../../app/contract'
import type { AppError, CallValue, ImagePlace, Undecided, Unplaced } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { tell, tellError } from '../base/notify'
import { refreshRuns } from '../runs/runList'
import { recipeOf } from '../slices/recipeSlice'
import { choose } from '../slices/runSlice'
import { getState, patch, update } from '../store'
import { reachedSince, revisionNow } from './documentActions'
import { regionsAsInQuPath } from './asInQuPath'
import { base64Length, base64Parts } from './base64Parts'
import { importNotice } from './regionNotice'
import { fileText, NotUnpacked } from './textParts'
import type { FileText } from './textParts'

const longMs = 20_000

/** A string: why there was nothing to import; undefined: a person ended it. */
type Outcome = { readonly value: CallValue<'import:end'> } | { readonly error: AppError } | string | undefined

/** What a person has said of a file that does not say it. */
interface Said {
  readonly place?: ImagePlace
  readonly unsaid?: 'regions' | 'objects'
  readonly radiusUm?: number
}

export async function importFile(file: File, said: Said = {}): Promise<void> {
  const { info } = getState().slide
  if (!info) return tell(words.regionFiles.openSlideFirst, words.about.import)
  const before = revisionNow()
  const stop = new AbortController()
  const over = importNotice.begin(file.name, () => stop.abort())
  const outcome = await broughtIn(file, info.slideId, stop.signal, said).finally(over)
  if (outcome === undefined) return
  if (typeof outcome === 'string') return tell(outcome, file.name, longMs)
  if ('error' in outcome) return tellError(outcome.error, file.name)
  const { objects, regions, leftOut, unplaced, undecided } = outcome.value
  if (unplaced) return askPlace(file, unplaced)
  if (undecided) return askOf(file, undecided)
  const reasons = {
    repaired: [...(objects?.repaired ?? []), ...(regions?.repaired ?? [])],
    leftOut: [...leftOut, ...(objects?.leftOut ?? []), ...(regions?.leftOut ?? [])],
  }
  const { imported, importedObjects, nothing, takenOtherwise, leftOut: left } = words.regionFiles
  tell(
    [
      ...(objects ? [importedObjects(objects.objects, file.name, objects.name)] : []),
      ...(regions && (regions.added > 0 || !objects) ? [imported(regions.added, file.name)] : []),
      ...(!objects && !regions ? [nothing(file.name)] : []),
      ...(reasons.repaired.length > 0 ? [takenOtherwise(reasons.repaired.join('; '))] : []),
      ...(reasons.leftOut.length > 0 ? [left(reasons.leftOut.join('; '))] : []),
    ].join(' '),
    words.about.import,
    reasons.leftOut.length + reasons.repaired.length > 0 ? longMs : 5000,
  )
  await reachedSince(before)
  if (!objects) return
  await refreshRuns()
  update('runs', (state) => choose(state, objects.runId))
}

/** It is imported once a person has said it. */
function askPlace(file: File, { width, height, scale }: Unplaced): void {
  const act = (place: ImagePlace): void => void importFile(file, { place })
  patch('ui', { dialog: 'placeImage', placing: { file: file.name, width, height, scale, act } })
}

function askOf(file: File, of: Undecided): void {
  const act = (said: Said): void => void importFile(file, said)
  patch('ui', { dialog: 'askImport', askedImport: { file: file.name, of, act } })
}

async function readable(file: File): Promise<FileText & { readonly form: 'geojson' | 'labels' | 'points' | 'parquet' }> {
  const first = new Uint8Array(await file.slice(0, formBytes).arrayBuffer())
  const packed = { parts: base64Parts(file), length: base64Length(file), tail: '' }
  if (isParquet(first)) return { form: 'parquet', ...packed }
  if (imageFormOf(first) === null) return { form: isNamedTable(file.name) ? 'points' : 'geojson', ...(await fileText(file)) }
  return { form: 'labels', ...packed }
}

async function broughtIn(file: File, slideId: string, signal: AbortSignal, said: Said): Promise<Outcome> {
  const recipe = recipeOf(getState().recipe)
  if (!recipe) return words.regionFiles.noRecipe
  const read = await readable(file).catch(() => null)
  if (!read) return words.regionFiles.notRead
  const { form, parts, length, tail } = read
  const begun = await api().call('import:begin', {
    ...{ slideId, called: file.name, recipe, unsaid: said.unsaid ?? 'regions', tail, length, form },
    ...(said.unsaid === undefined && { asks: true }),
    ...(said.radiusUm !== undefined && { radiusUm: said.radiusUm }),
    ...(said.place && { place: said.place }),
    ...(regionsAsInQuPath() && { origin: 'bounds' as const }),
  })
  if (!begun.ok) return begun
  const importId = begun.value
  const leave = async (outcome: Outcome): Promise<Outcome> => {
    await api().call('import:cancel', { importId })
    return signal.aborted ? undefined : outcome
  }
  try {
    for await (const text of parts) {
      const taken = await api().call('import:part', { importId, text })
      if (!taken.ok || signal.aborted) return await leave(taken.ok ? undefined : taken)
      if (taken.value !== null)
        return await leave({ value: { regions: null, objects: null, leftOut: [], undecided: taken.value } })
    }
  } catch (error) {
    return leave(error instanceof NotUnpacked ? words.regionFiles.notUnpacked : words.regionFiles.notRead)
  }
  const ended = await api().call('import:end', { importId }, signal)
  return ended.ok ? ended : leave(ended)
}
