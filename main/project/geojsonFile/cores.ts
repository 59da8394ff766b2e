// Places of a tissue microarray in GeoJSON: as QuPath writes them (0.4 and later: tmaCore), with the row and column that QuPath's files lack. Pure.
import { CorePlace } from '../../../app/contract'

const kinds = ['tmaCore', 'tma_core', 'TMACoreObject']
/** What becomes a region: annotations, and cores. */
export const isTakenAsRegion = (kind: string): boolean =>
  kinds.includes(kind) || ['annotation', 'unknown', 'PathAnnotationObject', ''].includes(kind)

/** QuPath's metadata are texts by name: it called a core's case Unique ID, and later Case ID. */
export const coreProperties = ({ row, column, missing, label }: CorePlace): object => ({
  isMissing: missing,
  metadata: {
    ...(label !== '' && { 'Case ID': label, 'Unique ID': label }),
    ...{ Row: String(row + 1), Column: String(column + 1) },
  },
})

/** null: it is none, or neither its metadata nor its name say which: then it is a region like others. */
export function coreIn(
  kind: string,
  name: string,
  missing: boolean,
  metadata: Readonly<Record<string, unknown>> | null,
  clean: (value: unknown) => string,
): CorePlace | null {
  if (!kinds.includes(kind)) return null
  const of = (key: string): string => (metadata && Object.hasOwn(metadata, key) ? clean(metadata[key]) : '')
  const number = (text: string): number => (/^\d{1,3}$/.test(text) ? Number(text) - 1 : Number.NaN)
  const [, rowSign = '', columnSign = ''] = /^([A-Z]{1,2}|\d{1,3})-([A-Z]{1,2}|\d{1,3})$/.exec(name) ?? []
  const place = {
    row: of('Row') === '' ? numberOf(rowSign) : number(of('Row')),
    column: of('Column') === '' ? numberOf(columnSign) : number(of('Column')),
  }
  const found = CorePlace.safeParse({ ...place, missing, label: of('Case ID') || of('Unique ID') })
  return found.success ? found.data : null
}

/** "AB" and "28" are 27. */
function numberOf(sign: string): number {
  if (/^\d+$/.test(sign)) return Number(sign) - 1
  return sign === '' ? Number.NaN : [...sign].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1
}
